// chip: sm_90a
// show: tk.store
// input: roles/residual.mlir
// with: arith.addf %101, %110 => arith.addf %99, %110
// Sums of 32 bits do not wait in shared memory: the store has the reason.
