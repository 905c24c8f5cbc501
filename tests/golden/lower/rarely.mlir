// Choices by one condition, of which the third reads what the first two chose.
module {
  func.func @rarely(%x: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %y: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %n: i32) attributes {tk.num_warps = 4 : i32} {
    %range = "tk.range"() {end = 512 : i32, start = 0 : i32} : () -> tensor<512xi32>
    %xs = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %ys = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %in = "tk.addptr"(%xs, %range) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %out = "tk.addptr"(%ys, %range) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %a = "tk.load"(%in) : (tensor<512x!tk.ptr<i32>>) -> tensor<512xi32>
    %limits = "tk.splat"(%n) : (i32) -> tensor<512xi32>
    %c = arith.cmpi sgt, %a, %limits : tensor<512xi32>
    %twice = arith.addi %a, %a : tensor<512xi32>
    %square = arith.muli %a, %a : tensor<512xi32>
    %p = "tk.rarely"(%c, %twice, %a) : (tensor<512xi1>, tensor<512xi32>, tensor<512xi32>) -> tensor<512xi32>
    %q = "tk.rarely"(%c, %square, %limits) : (tensor<512xi1>, tensor<512xi32>, tensor<512xi32>) -> tensor<512xi32>
    %r = "tk.rarely"(%c, %p, %q) : (tensor<512xi1>, tensor<512xi32>, tensor<512xi32>) -> tensor<512xi32>
    %s = arith.subi %r, %p : tensor<512xi32>
    %t = arith.addi %s, %q : tensor<512xi32>
    "tk.store"(%out, %t) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> ()
    return
  }
}
