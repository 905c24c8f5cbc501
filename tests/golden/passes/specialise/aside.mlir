// chip: sm_90a
// show: scf.* tk.specialise tk.mbarrier_* tk.bulk_* tk.smem_alloc tk.smem_slot tk.smem_store tk.dot* tk.barrier tk.yield
// input: roles/aside.mlir
// after: roles
// Gradients in one pass: the operand of the dot aside lies in two places in turn, and the dot behind it reads it from registers; the result
// is added to memory by tensor copies, which a third role starts.
