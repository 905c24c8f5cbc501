// chip: gfx1200
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/two_steps.mlir
// after: plan
// An even number of steps: two a turn, slots by constants, pointers as a scalar and offsets, and no load where no step is.
