// chip: sm_80
// show: scf.* tk.load tk.store tk.barrier tk.atomic_*
// One thread runs the inner loops. The first releases what the tile's threads have stored, so the block meets ahead of it; its result
// goes through scratch, for which all have met behind it. The second only reads another argument, and the block meets behind it.
// `changes`: the loop stores to what all threads have loaded, and the block meets ahead of it.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
module {
  func.func @turns(%arg0: !tk.ptr<i32>, %arg1: !tk.ptr<i32>, %arg2: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.shared_bytes = 16 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %5 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L0>
    %6 = "tk.addptr"(%5, %0) : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<i32>, #L0>
    %8 = scf.while (%arg3 = %c0_i32) : (i32) -> i32 {
      %9 = arith.cmpi slt, %arg3, %arg2 : i32
      scf.condition(%9) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      "tk.store"(%6, %0) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> ()
      %10 = scf.while (%arg4 = %c0_i32) : (i32) -> i32 {
        %13 = "tk.atomic_cas"(%arg0, %c0_i32, %c1_i32) {one_thread, scope = "gpu", sem = "acq_rel"} : (!tk.ptr<i32>, i32, i32) -> i32
        %14 = arith.cmpi slt, %13, %arg3 : i32
        scf.condition(%14) %arg4 : i32
      } do {
      ^bb0(%arg4: i32):
        %15 = arith.addi %arg4, %c1_i32 : i32
        scf.yield %15 : i32
      } attributes {one_thread, scratch = 0 : i32}
      scf.while : () -> () {
        %13 = "tk.load"(%arg0) {one_thread, volatile} : (!tk.ptr<i32>) -> i32
        %14 = arith.cmpi slt, %13, %arg3 : i32
        scf.condition(%14)
      } do {
        scf.yield
      } attributes {one_thread}
      %11 = "tk.load"(%6) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>) -> tensor<128xi32, #L0>
      "tk.store"(%6, %11) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> ()
      %12 = arith.addi %arg3, %10 : i32
      scf.yield %12 : i32
    }
    return
  }
  func.func @changes(%arg0: !tk.ptr<i32>, %arg1: !tk.ptr<i32>, %arg2: !tk.ptr<i32>, %arg3: i32) attributes {tk.grouped_pid = "left alone: no dot", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.shared_bytes = 0 : i32} {
    %0 = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %1 = "tk.splat"(%arg0) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L0>
    %2 = "tk.addptr"(%1, %0) : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<i32>, #L0>
    %3 = "tk.load"(%2) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>) -> tensor<128xi32, #L0>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c30_i32 = arith.constant 30 : i32
    %4 = "tk.addptr"(%arg0, %c30_i32) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %5 = scf.while (%arg4 = %c0_i32) : (i32) -> i32 {
      %8 = arith.cmpi slt, %arg4, %arg3 : i32
      scf.condition(%8) %arg4 : i32
    } do {
    ^bb0(%arg4: i32):
      %8 = "tk.atomic_rmw"(%arg2, %c1_i32) {one_thread, op = "add", scope = "gpu", sem = "relaxed"} : (!tk.ptr<i32>, i32) -> i32
      "tk.store"(%4, %8) : (!tk.ptr<i32>, i32) -> ()
      scf.yield %8 : i32
    } attributes {one_thread, tk.counted = "left alone: scf.while at 8:5: its counter does not step once an iteration, by a number that stays the same"}
    %6 = "tk.splat"(%arg1) : (!tk.ptr<i32>) -> tensor<128x!tk.ptr<i32>, #L0>
    %7 = "tk.addptr"(%6, %0) : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<i32>, #L0>
    "tk.store"(%7, %3) {vector = 1 : i32} : (tensor<128x!tk.ptr<i32>, #L0>, tensor<128xi32, #L0>) -> ()
    return
  }
}
