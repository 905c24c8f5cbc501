// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/nested.mlir
// after: plan
// Stages of two loops, one within the other, do not fit together: the outer one stays as it is.
