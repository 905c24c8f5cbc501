// chip: sm_100a
// show: scf.* tk.warpgroup_dot tk.dot* tk.smem_slot tk.async_* tk.barrier tk.round_tf32
// input: pipeline/tf32.mlir
// The copies start behind the dot, as on sm_90a, but with no barrier ahead of them: each thread waits for the product in tensor memory itself.
