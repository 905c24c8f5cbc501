// z = x + y over n elements: masked 16-byte accesses.
module {
  func.func @vector_add(%x: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %y: !tk.ptr<f32> {tk.divisibility = 16 : i32},
                        %z: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %n: i32 {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %block = arith.constant 1024 : i32
    %pid = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %start = arith.muli %pid, %block : i32
    %range = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %starts = "tk.splat"(%start) : (i32) -> tensor<1024xi32>
    %o = arith.addi %starts, %range : tensor<1024xi32>
    %ns = "tk.splat"(%n) : (i32) -> tensor<1024xi32>
    %mask = arith.cmpi slt, %o, %ns : tensor<1024xi32>
    %xs = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xs, %o) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %xv = "tk.load"(%xp, %mask) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
    %ys = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %yp = "tk.addptr"(%ys, %o) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %yv = "tk.load"(%yp, %mask) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
    %sum = arith.addf %xv, %yv : tensor<1024xf32>
    %zs = "tk.splat"(%z) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %zp = "tk.addptr"(%zs, %o) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    "tk.store"(%zp, %sum, %mask) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> ()
    func.return
  }
}
