// chip: gfx942
// Within a loop and the region of a reduction; not from outside into a loop. bf16 stays: the chip has no such instruction.
func.func @k(%p: !tk.ptr<f32>, %t: tensor<64xf32>, %a: f32, %h: bf16, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %outside = arith.mulf %a, %a : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (f32) : i32 {
    %m = arith.mulf %s, %a : f32
    %u = arith.addf %m, %outside : f32
    scf.yield %u : f32
  }
  %v = "tk.reduce"(%t) ({
  ^bb0(%x: f32, %y: f32):
    %m = arith.mulf %x, %a : f32
    %u = arith.addf %m, %y : f32
    "tk.yield"(%u) : (f32) -> ()
  }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
  %hh = arith.mulf %h, %h : bf16
  %g = arith.addf %hh, %h : bf16
  "tk.print"(%r, %v, %g) {prefix = ""} : (f32, f32, bf16) -> ()
  return
}
