// chip: gfx1200
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/two_steps.mlir
// Nothing runs ahead of the loop: its tiles of pointers become scalars and offsets.
