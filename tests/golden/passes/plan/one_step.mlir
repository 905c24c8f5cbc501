// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/registers.mlir
// with: arith.constant 32 : i32 => arith.constant 1 : i32
// One step of 1 from a round that runs ends where the loop does: what guards the loads is what ends the loop.
