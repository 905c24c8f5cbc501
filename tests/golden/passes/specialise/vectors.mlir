// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/vectors.mlir
// after: roles
// A vector that scores are compared with comes with the operands, and is read from its slot as the scores lie.
