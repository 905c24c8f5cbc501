// chip: sm_120a
// show: scf.* tk.specialise tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.yield tk.convert_layout tk.store
// input: roles/mma_sync.mlir
// after: roles
// The warps read the slots into the layouts of their fragments, and give a slot back behind the reads.
