// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/registers.mlir
// after: plan
// Without asynchronous copies the next tiles are loaded ahead of the dot and stored to the other slot after it.
