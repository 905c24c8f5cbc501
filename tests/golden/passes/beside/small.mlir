// chip: sm_90a
// show: tk.store
// input: roles/residual.mlir
// with: {beside, vector = 8 => {vector = 8
// Tiles of 128 x 128 gain nothing.
