// chip: sm_90a
// show: scf.* tk.specialise tk.warpgroup tk.mbarrier_* tk.bulk_* tk.smem_* tk.dot* tk.reduce tk.rescale tk.yield tk.convert_layout
// input: roles/matmul.mlir
// after: roles
// Both operands of the dot are boxes, and so is the result that is stored: one thread copies, four warps multiply.
