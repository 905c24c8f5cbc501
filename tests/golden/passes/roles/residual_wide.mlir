// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// input: roles/residual.mlir
// with: arith.addf %101, %110 => arith.addf %99, %110
// The sums are not narrowed, and their results are computed while the matrix units wait: bias and residual are copied, and wait in shared
// memory.
