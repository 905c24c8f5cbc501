// chip: sm_90a
// show: tk.warpgroup_dot tk.bulk_store
// input: roles/aside.mlir
// after: roles specialise plan pipeline warpgroup finish
// Heads of 128: sums and scores leave no registers.
