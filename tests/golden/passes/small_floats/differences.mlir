// chip: sm_80
// Weights less zero points that are loaded: the difference of two floats. Not where a part may be too large, or the difference is not small.
module {
  func.func @less_zero_points(%q: tensor<8x64xi32>, %z: tensor<64xi32>, %p: tensor<8x64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %mask = arith.constant dense<15> : tensor<8x64xi32>
    %few = arith.constant dense<15> : tensor<64xi32>
    %one = arith.constant dense<1> : tensor<64xi32>
    %w = arith.andi %q, %mask : tensor<8x64xi32>
    %zero = arith.andi %z, %few : tensor<64xi32>
    %more = arith.addi %zero, %one : tensor<64xi32>
    %row = "tk.expand_dims"(%more) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %all = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<8x64xi32>
    %d = arith.subi %w, %all : tensor<8x64xi32>
    %f = arith.sitofp %d : tensor<8x64xi32> to tensor<8x64xf16>
    "tk.store"(%p, %f) : (tensor<8x64x!tk.ptr<f16>>, tensor<8x64xf16>) -> ()
    return
  }
  func.func @large_zero_points(%q: tensor<8x64xi32>, %z: tensor<8x64xi32>, %p: tensor<8x64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %mask = arith.constant dense<15> : tensor<8x64xi32>
    %many = arith.constant dense<2047> : tensor<8x64xi32>
    %w = arith.andi %q, %mask : tensor<8x64xi32>
    %zero = arith.andi %z, %many : tensor<8x64xi32>
    %d = arith.subi %w, %zero : tensor<8x64xi32>
    %f = arith.sitofp %d : tensor<8x64xi32> to tensor<8x64xf16>
    "tk.store"(%p, %f) : (tensor<8x64x!tk.ptr<f16>>, tensor<8x64xf16>) -> ()
    return
  }
}
