// chip: sm_90a
// show: func.func tk.dot tk.program_id
// input: shared_keys/own_keys.mlir
// with: tk.num_warps = 16 => tk.num_warps = 8
// Left alone: each head has keys of its own.
