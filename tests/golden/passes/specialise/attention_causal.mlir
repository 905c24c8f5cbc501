// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/attention_causal.mlir
// after: roles
// Heads of 128, causal: products take longer than exponentials, so that the second dot stays in its iteration; programs are dealt back and forth.
