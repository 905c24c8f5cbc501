// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/bias.mlir
// after: roles
// The consumers wait for the bias behind their loop, read it where they add it, and release it ahead of the store.
