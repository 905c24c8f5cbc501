// chip: sm_90a
// show: func.func tk.dot tk.program_id
// input: shared_keys/shared.mlir
// Left alone: the source asks for 16 warps (shared_keys).
