// chip: sm_80
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/filled.mlir
// after: plan
// Copies fill with +0: beside a tile that is filled with -0 the other one goes through registers, too.
