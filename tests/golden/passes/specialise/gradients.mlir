// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/gradients.mlir
// after: roles
// Gradients: the dot that adds to a sum is done an iteration late, and a wait amid the exponentials, for a slot that is
// there, keeps three quarters of them beside the dots.
