// chip: sm_90a
// A byte extended with its sign and then with zeros, or read as an unsigned number, is a large number: it stays. So does a sum that wraps
// before it is extended. Extended with zeros first, a byte is small.
module {
  func.func @sign_then_zeros(%q: tensor<64xi8>, %p: tensor<64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %s = arith.extsi %q : tensor<64xi8> to tensor<64xi16>
    %z = arith.extui %s : tensor<64xi16> to tensor<64xi32>
    %f = arith.sitofp %z : tensor<64xi32> to tensor<64xf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    return
  }
  func.func @read_without_sign(%q: tensor<64xi8>, %p: tensor<64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %s = arith.extsi %q : tensor<64xi8> to tensor<64xi16>
    %f = arith.uitofp %s : tensor<64xi16> to tensor<64xf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    return
  }
  func.func @wraps_then_zeros(%q: tensor<64xi8>, %p: tensor<64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %eight = arith.constant dense<8> : tensor<64xi16>
    %s = arith.extui %q : tensor<64xi8> to tensor<64xi16>
    %d = arith.subi %s, %eight : tensor<64xi16>
    %z = arith.extui %d : tensor<64xi16> to tensor<64xi32>
    %f = arith.sitofp %z : tensor<64xi32> to tensor<64xf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    return
  }
  func.func @zeros_then_sign(%q: tensor<64xi8>, %p: tensor<64x!tk.ptr<f16>>) attributes {tk.num_warps = 4 : i32} {
    %s = arith.extui %q : tensor<64xi8> to tensor<64xi16>
    %z = arith.extsi %s : tensor<64xi16> to tensor<64xi32>
    %f = arith.sitofp %z : tensor<64xi32> to tensor<64xf16>
    "tk.store"(%p, %f) : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>) -> ()
    return
  }
}
