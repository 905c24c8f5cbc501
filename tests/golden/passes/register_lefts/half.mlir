// chip: sm_90a
// show: tk.warpgroup_dot tk.smem_load scf.if
// input: specialise/results.mlir
// after: specialise plan pipeline warpgroup finish
// Gradients of heads of 128, slopes that begin at -delta: half of the keys fits in registers.
