// chip: sm_90a
// show: func.func scf.for scf.if tk.warpgroup_dot tk.dot_wait tk.park tk.parked tk.fetched tk.mbarrier_arrive
// input: roles/residual.mlir
// after: roles specialise plan pipeline warpgroup
// Sums narrowed to 16 bits wait in shared memory. A piece of them is computed behind the release of a slot in one of the next tile's first
// steps, by one warpgroup and then the next if there are steps enough, with the part of the residual that came with the step's slot; what is left comes behind the loop, and the last tile's pieces behind
// all tiles.
