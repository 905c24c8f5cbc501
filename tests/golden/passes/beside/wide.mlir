// chip: sm_90a
// show: tk.store
// input: beside/residual.mlir
// with: arith.addf %97, %106 => arith.addf %89, %106
// Sums of 32 bits do not wait in shared memory: the store has the reason.
