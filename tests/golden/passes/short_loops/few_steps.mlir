// chip: sm_80
// show: scf.* tk.load tk.store tk.atomic_* tk.reduce tk.histogram tk.yield
// Loops whose steps are known: one step is the body, none is nothing, also where the values they carry change places and
// where a loop stands in a loop. A few steps are as many bodies, of a small loop; what sums up over rows stays for partial_sums, a
// histogram stays since its barriers keep the steps apart, and so does what may run any number of times.
module {
  func.func @k(%p: !tk.ptr<i32>, %a: i32, %b: i32, %n: i32) attributes {tk.num_warps = 2 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %five = arith.constant 5 : i32
    %s:2 = scf.for %i = %one to %five step %five iter_args(%x = %a, %y = %b) -> (i32, i32) : i32 {
      %inner = scf.for %j = %zero to %one step %one iter_args(%z = %x) -> (i32) : i32 {
        %w = arith.addi %z, %i : i32
        "tk.store"(%p, %w) : (!tk.ptr<i32>, i32) -> ()
        scf.yield %w : i32
      }
      scf.yield %y, %inner : i32, i32
    }
    %t = scf.for %i = %five to %two step %one iter_args(%x = %s#0) -> (i32) : i32 {
      %w = arith.muli %x, %i : i32
      scf.yield %w : i32
    }
    "tk.store"(%p, %t) : (!tk.ptr<i32>, i32) -> ()
    %u = scf.for %i = %zero to %two step %one iter_args(%x = %s#1) -> (i32) : i32 {
      %w = arith.muli %x, %i : i32
      scf.yield %w : i32
    }
    "tk.store"(%p, %u) : (!tk.ptr<i32>, i32) -> ()
    %c:2 = scf.for %i = %one to %five step %two iter_args(%x = %a, %y = %b) -> (i32, i32) : i32 {
      %first = arith.cmpi eq, %i, %one : i32
      %w = scf.if %first -> (i32) {
        %d = arith.addi %x, %n : i32
        scf.yield %d : i32
      } else {
        scf.yield %y : i32
      }
      scf.yield %y, %w : i32, i32
    }
    "tk.store"(%p, %c#0) : (!tk.ptr<i32>, i32) -> ()
    "tk.store"(%p, %c#1) : (!tk.ptr<i32>, i32) -> ()
    %r = scf.for %i = %zero to %two step %one iter_args(%x = %a) -> (i32) : i32 {
      %range = "tk.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
      %sum = "tk.reduce"(%range) ({
      ^bb0(%left: i32, %right: i32):
        %both = arith.addi %left, %right : i32
        "tk.yield"(%both) : (i32) -> ()
      }) {axis = 0 : i32} : (tensor<8xi32>) -> i32
      %w = arith.addi %x, %sum : i32
      scf.yield %w : i32
    }
    "tk.store"(%p, %r) : (!tk.ptr<i32>, i32) -> ()
    %bins = "tk.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
    %h = scf.for %i = %zero to %two step %one iter_args(%x = %bins) -> (tensor<8xi32>) : i32 {
      %counts = "tk.histogram"(%x) : (tensor<8xi32>) -> tensor<8xi32>
      scf.yield %counts : tensor<8xi32>
    }
    %most = "tk.reduce"(%h) ({
    ^bb0(%left: i32, %right: i32):
      %both = arith.addi %left, %right : i32
      "tk.yield"(%both) : (i32) -> ()
    }) {axis = 0 : i32} : (tensor<8xi32>) -> i32
    "tk.store"(%p, %most) : (!tk.ptr<i32>, i32) -> ()
    %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (i32) : i32 {
      %w = arith.muli %x, %i : i32
      scf.yield %w : i32
    }
    "tk.store"(%p, %v) : (!tk.ptr<i32>, i32) -> ()
    return
  }
}
