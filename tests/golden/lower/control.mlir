// A counted loop, a while loop and a branch with tiles that live across them.
module {
  func.func @control(%in: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %n: i32) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%in) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %2 = "tk.addptr"(%1, %0) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    %3 = "tk.load"(%2) : (tensor<256x!tk.ptr<i32>>) -> tensor<256xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %3, %cnt = %c0) -> (tensor<256xi32>, i32) : i32 {
      %sp = "tk.splat"(%i) : (i32) -> tensor<256xi32>
      %a2 = arith.addi %acc, %sp : tensor<256xi32>
      %cn = arith.addi %cnt, %i : i32
      scf.yield %a2, %cn : tensor<256xi32>, i32
    }
    %w:2 = scf.while (%p = %s#1, %q = %s#0) : (i32, tensor<256xi32>) -> (i32, tensor<256xi32>) {
      %go = arith.cmpi sgt, %p, %c0 : i32
      scf.condition(%go) %p, %q : i32, tensor<256xi32>
    } do {
    ^bb0(%p: i32, %q: tensor<256xi32>):
      %three = arith.constant 3 : i32
      %p2 = arith.subi %p, %three : i32
      %q2 = arith.addi %q, %q : tensor<256xi32>
      scf.yield %p2, %q2 : i32, tensor<256xi32>
    }
    %odd = arith.andi %n, %c1 : i32
    %isodd = arith.cmpi eq, %odd, %c1 : i32
    %f = scf.if %isodd -> (tensor<256xi32>) {
      %sum = arith.addi %w#1, %3 : tensor<256xi32>
      scf.yield %sum : tensor<256xi32>
    } else {
      %dif = arith.subi %w#1, %3 : tensor<256xi32>
      scf.yield %dif : tensor<256xi32>
    }
    %4 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %5 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %6 = "tk.addptr"(%5, %4) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%6, %f) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    func.return
  }
}
