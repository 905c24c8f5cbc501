// chip: sm_80
// show: scf.* tk.load tk.store tk.barrier tk.atomic_*
// Each warp leaves the inner loop by itself: the block meets between the store and that loop, not within it, and again behind it.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
module {
  func.func @turns(%arg0: !tk.ptr<i32>, %arg1: !tk.ptr<i32>, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.shared_bytes = 16 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %1 = "tk.addptr"(%arg0, %c127_i32) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %2 = "tk.splat"(%1) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L0>
    %cst = arith.constant dense<0> : tensor<128xi32, #L0>
    %3 = arith.subi %cst, %0 : tensor<128xi32, #L0>
    %4 = "tk.addptr"(%2, %3) : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<i32>, #L0>
    %5 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L0>
    %6 = "tk.addptr"(%5, %0) : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<i32>, #L0>
    %c128_i32 = arith.constant 128 : i32
    %7 = "tk.addptr"(%arg1, %c128_i32) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %8 = scf.while (%arg3 = %c0_i32) : (i32) -> i32 {
      %9 = arith.cmpi slt, %arg3, %arg2 : i32
      scf.condition(%9) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %9 = "tk.splat"(%arg3) : (i32) -> tensor<128xi32, #L0>
      "tk.store"(%4, %9) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> ()
      scf.while : () -> () {
        %13 = "tk.atomic_rmw"(%1, %c0_i32) {each_warp, op = "load", scope = "gpu", sem = "acquire"} : (!tk.ptr<i32>, i32) -> i32
        %14 = arith.cmpi slt, %13, %arg3 : i32
        scf.condition(%14)
      } do {
        scf.yield
      } attributes {each_warp, tk.counted = "left alone: scf.while at 11:9: its condition is more than the comparison of one carried number with a bound"}
      %10 = arith.addi %0, %9 : tensor<128xi32, #L0>
      "tk.store"(%6, %10) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> ()
      %11 = "tk.load"(%7) {scratch = 0 : i32, volatile} : (!tk.ptr<i32>) -> i32
      %12 = arith.addi %arg3, %11 : i32
      scf.yield %12 : i32
    } attributes {tk.counted = "left alone: scf.while at 9:5: its counter does not step once an iteration, by a number that stays the same"}
    return
  }
}

