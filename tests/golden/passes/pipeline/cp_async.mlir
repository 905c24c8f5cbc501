// chip: sm_80
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/cp_async.mlir
// after: plan
// Both tiles of the dot run two iterations ahead through three slots; one barrier an iteration.
