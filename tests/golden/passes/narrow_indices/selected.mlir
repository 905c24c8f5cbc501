// chip: sm_90a
// show: tk.store arith.select arith.extsi
// A select between widened tiles chooses in 32 bits; one with a constant that needs 64 stays.
module {
  func.func @selected(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<i64> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<i64> {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 256 : i32, start = 0 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %cst = arith.constant dense<1> : tensor<256xi32>
    %3 = "tk.addptr"(%2, %cst) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %4 = "tk.load"(%3) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %5 = "tk.load"(%2) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %6 = arith.cmpf ogt, %4, %5 : tensor<256xf32>
    %7 = arith.addi %0, %cst : tensor<256xi32>
    %8 = arith.extsi %7 : tensor<256xi32> to tensor<256xi64>
    %cst_0 = arith.constant dense<-1> : tensor<256xi64>
    %9 = arith.select %6, %8, %cst_0 : tensor<256xi1>, tensor<256xi64>
    %10 = "tk.splat"(%arg1) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %11 = "tk.addptr"(%10, %0) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%11, %9) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %12 = "tk.splat"(%arg2) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %13 = "tk.addptr"(%12, %0) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    %14 = arith.extsi %0 : tensor<256xi32> to tensor<256xi64>
    %cst_1 = arith.constant dense<1099511627776> : tensor<256xi64>
    %15 = arith.select %6, %14, %cst_1 : tensor<256xi1>, tensor<256xi64>
    "tk.store"(%13, %15) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    return
  }
}
