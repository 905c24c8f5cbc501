// chip: sm_90a
// show: scf.for scf.if tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.load tk.store tk.yield
// input: roles/residual.mlir
// with: arith.addf %101, %110 => arith.addf %99, %110
// after: roles
// The producer brings the residual behind the copies of the tile's last step, to two buffers in turn, for which there is room. The consumers free one behind
// their store.
