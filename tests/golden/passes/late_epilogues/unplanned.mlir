// chip: sm_90a
// show: scf.for tk.park tk.parked tk.store
// input: roles/residual.mlir
// after: plan pipeline warpgroup
// Without roles no loop over tiles has the product: the store stays as it is, and has the reason.
