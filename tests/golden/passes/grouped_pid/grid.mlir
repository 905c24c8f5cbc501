// show: tk.program_id tk.num_programs scf.* tk.load tk.store
// A 2-D grid of tiles: rows are program_id(1), columns program_id(0), which the hardware counts first.
func.func @k(%p: !tk.ptr<f16>, %q: !tk.ptr<f32>) {
  %n = "tk.program_id"() {axis = 0 : i32} : () -> i32
  %m = "tk.program_id"() {axis = 1 : i32} : () -> i32
  %pm = "tk.addptr"(%p, %m) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
  %pn = "tk.addptr"(%p, %n) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
  %sm = "tk.splat"(%pm) : (!tk.ptr<f16>) -> tensor<16x16x!tk.ptr<f16>>
  %sn = "tk.splat"(%pn) : (!tk.ptr<f16>) -> tensor<16x16x!tk.ptr<f16>>
  %a = "tk.load"(%sm) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
  %b = "tk.load"(%sn) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = "tk.dot"(%a, %b, %z) : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %qs = "tk.splat"(%q) : (!tk.ptr<f32>) -> tensor<16x16x!tk.ptr<f32>>
  "tk.store"(%qs, %d) : (tensor<16x16x!tk.ptr<f32>>, tensor<16x16xf32>) -> ()
  return
}
