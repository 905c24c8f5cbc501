// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/one_step.mlir
// after: plan
// One step of 1 from a round that runs ends where the loop does: what guards the loads is what ends the loop.
