// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/gradients_unread.mlir
// after: roles
// A result that nobody reads, the first of the dots that begin with nothing: all of them are ahead of the late one.
