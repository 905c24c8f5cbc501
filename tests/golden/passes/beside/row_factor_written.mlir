// chip: sm_90a
// show: tk.store
// input: beside/row_factor.mlir
// with: %70 = "tk.splat"(%arg2) => %own = "tk.ptr_cast"(%arg3) : (!tk.ptr<f16>) -> !tk.ptr<f32> %70 = "tk.splat"(%own)
// The factors are loaded through the argument that the tile is stored through: they may not pass its store.
