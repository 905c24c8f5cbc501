// Rows times factors of 1 and 2: the first sixteen rows' are all 1.
module {
  func.func @rescale(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %r = "tk.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
    %c = "tk.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %c64 = arith.constant dense<64> : tensor<32x1xi32>
    %re = "tk.expand_dims"(%r) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %ce = "tk.expand_dims"(%c) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %rs = arith.muli %re, %c64 : tensor<32x1xi32>
    %rb = "tk.broadcast"(%rs) : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %cb = "tk.broadcast"(%ce) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %i = arith.addi %rb, %cb : tensor<32x64xi32>
    %s = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<32x64x!tk.ptr<i32>>
    %p = "tk.addptr"(%s, %i) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i32>>
    %x = "tk.load"(%p) : (tensor<32x64x!tk.ptr<i32>>) -> tensor<32x64xi32>
    %t = arith.sitofp %x : tensor<32x64xi32> to tensor<32x64xf32>
    %s1 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<32x!tk.ptr<i32>>
    %p1 = "tk.addptr"(%s1, %r) : (tensor<32x!tk.ptr<i32>>, tensor<32xi32>) -> tensor<32x!tk.ptr<i32>>
    %y = "tk.load"(%p1) : (tensor<32x!tk.ptr<i32>>) -> tensor<32xi32>
    %one = arith.constant dense<1> : tensor<32xi32>
    %sixteen = arith.constant dense<16> : tensor<32xi32>
    %odd = arith.andi %y, %one : tensor<32xi32>
    %f1 = arith.addi %odd, %one : tensor<32xi32>
    %late = arith.cmpi sge, %r, %sixteen : tensor<32xi32>
    %f2 = arith.select %late, %f1, %one : tensor<32xi1>, tensor<32xi32>
    %f3 = arith.sitofp %f2 : tensor<32xi32> to tensor<32xf32>
    %fe = "tk.expand_dims"(%f3) {axis = 1 : i32} : (tensor<32xf32>) -> tensor<32x1xf32>
    %f = "tk.broadcast"(%fe) : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %z = "tk.rescale"(%t, %f) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %zi = arith.fptosi %z : tensor<32x64xf32> to tensor<32x64xi32>
    %so = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<32x64x!tk.ptr<i32>>
    %po = "tk.addptr"(%so, %i) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i32>>
    "tk.store"(%po, %zi) : (tensor<32x64x!tk.ptr<i32>>, tensor<32x64xi32>) -> ()
    func.return
  }
}
