// chip: gfx950
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield arith.select
// input: plan/lds_copies.mlir
// after: plan
// The loop runs only if there is an iteration: two are copied ahead of it, or one of them twice, since the waits count copies.
