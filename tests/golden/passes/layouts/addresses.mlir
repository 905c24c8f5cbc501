// chip: sm_90a
// show: tk.load tk.convert_layout tk.store
// Addresses in a table, computed from a reshaped tile: both loads of the table keep the layout of the tile.
module {
  func.func @followed(%arg0: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg1: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %arg2: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {end = 512 : i32, start = 0 : i32} : () -> tensor<512xi32>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<f32>) -> tensor<512x!tk.ptr<f32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<512x!tk.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<f32>>
    %3 = "tk.load"(%2) : (tensor<512x!tk.ptr<f32>>) -> tensor<512xf32>
    %4 = "tk.reshape"(%3) : (tensor<512xf32>) -> tensor<4x128xf32>
    %cst = arith.constant dense<1.000000e+01> : tensor<4x128xf32>
    %5 = arith.mulf %4, %cst : tensor<4x128xf32>
    %6 = arith.fptosi %5 : tensor<4x128xf32> to tensor<4x128xi32>
    %7 = "tk.splat"(%arg1) : (!tk.ptr<f32>) -> tensor<4x128x!tk.ptr<f32>>
    %8 = "tk.addptr"(%7, %6) : (tensor<4x128x!tk.ptr<f32>>, tensor<4x128xi32>) -> tensor<4x128x!tk.ptr<f32>>
    %9 = "tk.load"(%8) : (tensor<4x128x!tk.ptr<f32>>) -> tensor<4x128xf32>
    %10 = arith.cmpf ogt, %4, %9 : tensor<4x128xf32>
    %cst_0 = arith.constant dense<1> : tensor<4x128xi32>
    %11 = arith.addi %6, %cst_0 : tensor<4x128xi32>
    %12 = arith.select %10, %11, %6 : tensor<4x128xi1>, tensor<4x128xi32>
    %13 = "tk.addptr"(%7, %12) : (tensor<4x128x!tk.ptr<f32>>, tensor<4x128xi32>) -> tensor<4x128x!tk.ptr<f32>>
    %14 = "tk.load"(%13) : (tensor<4x128x!tk.ptr<f32>>) -> tensor<4x128xf32>
    %15 = arith.cmpf ogt, %4, %14 : tensor<4x128xf32>
    %16 = arith.addi %12, %cst_0 : tensor<4x128xi32>
    %17 = arith.select %15, %16, %12 : tensor<4x128xi1>, tensor<4x128xi32>
    %18 = "tk.splat"(%arg2) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %19 = "tk.addptr"(%18, %0) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %20 = "tk.reshape"(%17) : (tensor<4x128xi32>) -> tensor<512xi32>
    "tk.store"(%19, %20) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> ()
    return
  }
}
