// chip: sm_90a
// show: scf.for scf.if tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.load tk.store tk.yield
// input: roles/residual.mlir
// after: roles
// The producer brings a piece of the tile before with each of the first steps' slots, a box for each warp's rows. The load stays, for the
// pieces that no step has.
