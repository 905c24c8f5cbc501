// Products that are added once are fused, the left one first; others stay. bf16 is native on sm_80.
func.func @k(%p: !tk.ptr<f32>, %a: f32, %b: f32, %c: f32, %d: f32, %h: bf16, %n: i32) {
  %sum_left = arith.mulf %a, %b : f32
  %0 = arith.addf %sum_left, %c : f32
  %sum_right = arith.mulf %a, %c : f32
  %1 = arith.addf %d, %sum_right : f32
  %less = arith.mulf %a, %d : f32
  %2 = arith.subf %less, %c : f32
  %from = arith.mulf %b, %c : f32
  %3 = arith.subf %d, %from : f32
  %x = arith.mulf %b, %d : f32
  %y = arith.mulf %c, %d : f32
  %4 = arith.addf %x, %y : f32
  %twice = arith.mulf %d, %d : f32
  %5 = arith.addf %twice, %twice : f32
  %used = arith.mulf %c, %c : f32
  %6 = arith.addf %used, %a : f32
  %7 = arith.mulf %used, %b : f32
  %hh = arith.mulf %h, %h : bf16
  %8 = arith.addf %hh, %h : bf16
  "tk.print"(%0, %1, %2, %3, %4, %5, %6, %7, %8) {prefix = ""} : (f32, f32, f32, f32, f32, f32, f32, f32, bf16) -> ()
  return
}
