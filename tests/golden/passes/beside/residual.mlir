// chip: sm_90a
// show: tk.store
// input: roles/residual.mlir
// Bias, activation and residual follow sums that were narrowed to 16 bits: the store is marked.
