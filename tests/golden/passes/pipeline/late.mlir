// chip: sm_89
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.yield
// input: plan/late.mlir
// after: plan
