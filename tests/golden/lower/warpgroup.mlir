// Each thread of four warpgroups stores the number of its own.
module {
  func.func @warpgroup(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 16 : i32} {
    %g = "tk.warpgroup"() : () -> i32
    %r = "tk.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
    %s = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<512x!tk.ptr<i32>>
    %p = "tk.addptr"(%s, %r) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tk.ptr<i32>>
    %v = "tk.splat"(%g) : (i32) -> tensor<512xi32>
    "tk.store"(%p, %v) : (tensor<512x!tk.ptr<i32>>, tensor<512xi32>) -> ()
    func.return
  }
}
