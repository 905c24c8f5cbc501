// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/turns.mlir
// after: roles
// Two warpgroups and a dot that is done an iteration late: the second waits for what the first has started.
