// show: * -arith.constant -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr
// Every second number of a row is stored: lanes store next to each other, one element each, though the loads would take four. Places that are
// themselves loaded leave a thread its four.
func.func @computed(%x: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %y: !tk.ptr<f32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
  %i = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
  %xi = "tk.addptr"(%xs, %i) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
  %v = "tk.load"(%xi) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
  %two = arith.constant dense<2> : tensor<1024xi32>
  %j = arith.muli %i, %two : tensor<1024xi32>
  %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
  %yj = "tk.addptr"(%ys, %j) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
  "tk.store"(%yj, %v) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}
func.func @loaded(%x: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %y: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
  %i = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tk.splat"(%x) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
  %xi = "tk.addptr"(%xs, %i) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
  %v = "tk.load"(%xi) : (tensor<1024x!tk.ptr<i32>>) -> tensor<1024xi32>
  %ys = "tk.splat"(%y) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
  %yj = "tk.addptr"(%ys, %v) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
  "tk.store"(%yj, %v) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> ()
  return
}
