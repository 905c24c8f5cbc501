// chip: gfx942
// Bytes and four bits become f16 by bits on AMD, too; bf16 does not: its sums are taken in f32.
module {
  func.func @bytes(%q: tensor<64xi8>, %p: tensor<64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %f = arith.sitofp %q : tensor<64xi8> to tensor<64xf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    return
  }
  func.func @half_bytes(%q: tensor<64xi32>, %p: tensor<64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %mask = arith.constant dense<15> : tensor<64xi32>
    %eight = arith.constant dense<8> : tensor<64xi32>
    %w = arith.andi %q, %mask : tensor<64xi32>
    %d = arith.subi %w, %eight : tensor<64xi32>
    %f = arith.sitofp %d : tensor<64xi32> to tensor<64xf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    return
  }
  func.func @brain_floats(%q: tensor<64xi8>, %p: tensor<64x!tk.ptr<bf16>>) attributes {tk.num_warps = 4 : i32} {
    %f = arith.sitofp %q : tensor<64xi8> to tensor<64xbf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<bf16>>, tensor<64xbf16>) -> ()
    return
  }
}
