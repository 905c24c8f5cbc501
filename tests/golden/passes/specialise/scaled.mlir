// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/scaled.mlir
// after: roles
// Behind a product's start the consumers wait for the next step's slot, and release this one ahead of the arithmetic on the product.
