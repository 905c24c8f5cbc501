// chip: sm_90a
// show: scf.for scf.if tk.warpgroup_dot tk.dot_wait tk.park tk.parked tk.mbarrier_arrive tk.store
// input: beside/two.mlir
// after: beside roles specialise plan pipeline warpgroup
// The sums of both products wait in shared memory, a buffer each, and a piece is computed from both.
