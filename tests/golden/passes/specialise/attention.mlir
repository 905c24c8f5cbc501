// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/attention.mlir
// after: roles
// Two loops of two dots: the first dot starts an iteration early, and what it reads is free before the rest of its slot.
