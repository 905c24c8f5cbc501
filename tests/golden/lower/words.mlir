// Halves that are copied.
module {
  func.func @words(%in: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %out: !tk.ptr<f16> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %1 = "tk.splat"(%in) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>>
    %2 = "tk.addptr"(%1, %0) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f16>>
    %3 = "tk.load"(%2) : (tensor<1024x!tk.ptr<f16>>) -> tensor<1024xf16>
    %4 = "tk.splat"(%out) : (!tk.ptr<f16>) -> tensor<1024x!tk.ptr<f16>>
    %5 = "tk.addptr"(%4, %0) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f16>>
    "tk.store"(%5, %3) : (tensor<1024x!tk.ptr<f16>>, tensor<1024xf16>) -> ()
    func.return
  }
}
