// chip: sm_90a
// show: scf.* tk.warp_any tk.partial_reduce tk.reduce tk.yield tk.convert_layout tk.store
// input: steady_rows/plain.mlir
// with: maxnumf => minnumf
// Left alone: the smallest of a row.
