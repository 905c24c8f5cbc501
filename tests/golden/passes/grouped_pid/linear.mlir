// show: tk.program_id tk.num_programs scf.* tk.load tk.store
// One id, divided into row and column inside a branch by a count that is computed there.
func.func @k(%p: !tk.ptr<f16>, %q: !tk.ptr<f32>, %N: i32, %go: i1) {
  %c64 = arith.constant 64 : i32
  %pid = "tk.program_id"() {axis = 0 : i32} : () -> i32
  scf.if %go {
  %t = arith.divsi %N, %c64 : i32
  %m = arith.divsi %pid, %t : i32
  %n = arith.remsi %pid, %t : i32
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
  }
  return
}
