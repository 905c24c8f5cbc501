// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// input: shared_alloc/reuse.mlir
// after: shared_alloc
// The last conversion writes where slower warps may still read a slot: a barrier before it.
