// chip: sm_100a
// show: tk.dot tk.join tk.trans arith.truncf arith.mulf
// Dots with scales. The first one's sums stay in tensor memory. The second one adds to what it loads, so its operands become bf16.
module {
  func.func @scaled(%a: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %c: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %r = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %row = "tk.expand_dims"(%r) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
    %g = "tk.range"() {end = 8 : i32, start = 0 : i32} : () -> tensor<8xi32>
    %gc = "tk.expand_dims"(%g) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
    %col = "tk.expand_dims"(%r) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
    %n = arith.constant dense<128> : tensor<128x1xi32>
    %e = arith.constant dense<8> : tensor<128x1xi32>
    %rn = arith.muli %row, %n : tensor<128x1xi32>
    %re = arith.muli %row, %e : tensor<128x1xi32>
    %rb = "tk.broadcast"(%rn) : (tensor<128x1xi32>) -> tensor<128x128xi32>
    %cb = "tk.broadcast"(%col) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %o = arith.addi %rb, %cb : tensor<128x128xi32>
    %sb = "tk.broadcast"(%re) : (tensor<128x1xi32>) -> tensor<128x8xi32>
    %sg = "tk.broadcast"(%gc) : (tensor<1x8xi32>) -> tensor<128x8xi32>
    %so = arith.addi %sb, %sg : tensor<128x8xi32>
    %as = "tk.splat"(%a) : (!tk.ptr<i8>) -> tensor<128x128x!tk.ptr<i8>>
    %ap = "tk.addptr"(%as, %o) : (tensor<128x128x!tk.ptr<i8>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<i8>>
    %x = "tk.load"(%ap) : (tensor<128x128x!tk.ptr<i8>>) -> tensor<128x128xi8>
    %y = "tk.trans"(%x) {order = array<i32: 1, 0>} : (tensor<128x128xi8>) -> tensor<128x128xi8>
    %ss = "tk.splat"(%a) : (!tk.ptr<i8>) -> tensor<128x8x!tk.ptr<i8>>
    %sp = "tk.addptr"(%ss, %so) : (tensor<128x8x!tk.ptr<i8>>, tensor<128x8xi32>) -> tensor<128x8x!tk.ptr<i8>>
    %s = "tk.load"(%sp) : (tensor<128x8x!tk.ptr<i8>>) -> tensor<128x8xi8>
    %z = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %cs = "tk.splat"(%c) : (!tk.ptr<f32>) -> tensor<128x128x!tk.ptr<f32>>
    %cp = "tk.addptr"(%cs, %o) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xi32>) -> tensor<128x128x!tk.ptr<f32>>
    %w = "tk.load"(%cp) : (tensor<128x128x!tk.ptr<f32>>) -> tensor<128x128xf32>
    %d = "tk.dot"(%x, %y, %z, %s, %s) {precision = "ieee"} : (tensor<128x128xi8>, tensor<128x128xi8>, tensor<128x128xf32>, tensor<128x8xi8>, tensor<128x8xi8>) -> tensor<128x128xf32>
    %d2 = "tk.dot"(%x, %y, %w, %s, %s) {precision = "ieee"} : (tensor<128x128xi8>, tensor<128x128xi8>, tensor<128x128xf32>, tensor<128x8xi8>, tensor<128x8xi8>) -> tensor<128x128xf32>
    %sum = arith.addf %d, %d2 : tensor<128x128xf32>
    "tk.store"(%cp, %sum) : (tensor<128x128x!tk.ptr<f32>>, tensor<128x128xf32>) -> ()
    return
  }
}
