// chip: sm_90a
// show: scf.for scf.if scf.yield tk.warpgroup_dot tk.dot_wait tk.mbarrier_wait tk.mbarrier_arrive
// input: beside/two.mlir
// with: tk.num_stages = 3 => tk.num_stages = 4
// after: roles specialise plan pipeline
// Two products of one loop, with four slots: both run on beside the next step's. A wait leaves as many in flight as a step has, so that behind
// the second one the step before has ended, and its slot is free.
