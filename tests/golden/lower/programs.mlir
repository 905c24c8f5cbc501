// Program ids and counts, checks, printing and inline assembly.
module {
  func.func @programs(%x: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %h: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %1 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.constant 0 : i32
    %4 = "tk.addptr"(%out, %3) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    "tk.store"(%4, %2) : (!tk.ptr<i32>, i32) -> ()
    %5 = "tk.program_id"() {axis = 1 : i32} : () -> i32
    %6 = "tk.num_programs"() {axis = 1 : i32} : () -> i32
    %7 = arith.muli %5, %6 : i32
    %8 = arith.constant 1 : i32
    %9 = "tk.addptr"(%out, %8) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    "tk.store"(%9, %7) : (!tk.ptr<i32>, i32) -> ()
    %10 = "tk.program_id"() {axis = 2 : i32} : () -> i32
    %11 = "tk.num_programs"() {axis = 2 : i32} : () -> i32
    %12 = arith.muli %10, %11 : i32
    %13 = arith.constant 2 : i32
    %14 = "tk.addptr"(%out, %13) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    "tk.store"(%14, %12) : (!tk.ptr<i32>, i32) -> ()
    %15 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %16 = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %17 = "tk.addptr"(%16, %15) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %18 = "tk.load"(%17) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %19 = arith.constant dense<0.0> : tensor<256xf32>
    %20 = arith.cmpf oge, %18, %19 : tensor<256xf32>
    "tk.assert"(%20) {message = "negative"} : (tensor<256xi1>) -> ()
    "tk.print"(%18) {prefix = "x 100%: ", signed = array<i32: 1>} : (tensor<256xf32>) -> ()
    %21 = "tk.inline_asm"(%18) {asm = "add.f32 $0, $1, $1;", constraints = "=f,f", pack = 1 : i32, pure} : (tensor<256xf32>) -> tensor<256xf32>
    %22 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %23 = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %24 = "tk.addptr"(%23, %22) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%24, %21) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %25 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %26 = "tk.splat"(%h) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %27 = "tk.addptr"(%26, %25) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %28 = "tk.load"(%27) : (tensor<256x!tk.ptr<f16>>) -> tensor<256xf16>
    %29 = "tk.inline_asm"(%28) {asm = "add.f16x2 $0, $1, $1;", constraints = "=r,r", pack = 2 : i32, pure} : (tensor<256xf16>) -> tensor<256xf16>
    %30 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %31 = "tk.splat"(%h) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %32 = "tk.addptr"(%31, %30) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%32, %29) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    func.return
  }
}
