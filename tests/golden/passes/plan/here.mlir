// chip: gfx942
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/registers.mlir
// with:     } =>     } {tk.num_stages = 1 : i32}
// A loop of one stage: its tiles are stored and read by the same step, each in a buffer of its own.
