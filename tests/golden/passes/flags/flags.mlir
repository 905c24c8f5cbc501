// chip: sm_80
// show: scf.* tk.load tk.store tk.barrier tk.atomic_*
// Exchanges without readers become stores, sums with zero become loads; scalar releases that follow each other meet once and
// are relaxed behind one fence. An exchange that acquires, one whose result is read, a relaxed one within the GPU, and a sum that releases stay. A release of a
// lane a flag meets, too, by an exchange, a sum or a compare-and-swap, but behind a barrier of the program.
#L0 = {lane = array<i32: 1, 2, 0, 0, 0>, register = array<i32>, warp = array<i32: 0, 0>}
module {
  func.func @k(%arg0: !tk.ptr<i32>, %arg1: i32, %arg2: !tk.ptr<f32>, %arg3: tensor<4x!tk.ptr<i32>, #L0>, %arg4: tensor<4xi32, #L0>, %arg5: f32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %0 = "tk.addptr"(%arg0, %c1) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %1 = "tk.atomic_rmw"(%arg0, %arg1) {op = "xchg", scope = "sys", sem = "release"} : (!tk.ptr<i32>, i32) -> i32
    %2 = "tk.atomic_rmw"(%0, %arg1) {op = "xchg", scope = "sys", sem = "release"} : (!tk.ptr<i32>, i32) -> i32
    "tk.store"(%arg2, %arg5) : (!tk.ptr<f32>, f32) -> ()
    %3 = "tk.atomic_rmw"(%0, %arg1) {op = "store", scope = "gpu", sem = "release"} : (!tk.ptr<i32>, i32) -> i32
    %4 = "tk.atomic_rmw"(%arg0, %arg1) {op = "xchg", scope = "gpu", sem = "acq_rel"} : (!tk.ptr<i32>, i32) -> i32
    %5 = "tk.atomic_rmw"(%arg0, %c0) {op = "add", scope = "sys", sem = "acquire"} : (!tk.ptr<i32>, i32) -> i32
    %6 = "tk.atomic_rmw"(%arg0, %c0) {op = "add", scope = "sys", sem = "acq_rel"} : (!tk.ptr<i32>, i32) -> i32
    %7 = "tk.atomic_rmw"(%arg0, %5) {op = "xchg", scope = "sys", sem = "relaxed"} : (!tk.ptr<i32>, i32) -> i32
    %8 = "tk.atomic_rmw"(%arg0, %7) {op = "xchg", scope = "sys", sem = "relaxed"} : (!tk.ptr<i32>, i32) -> i32
    %9 = "tk.atomic_rmw"(%arg3, %arg4) {op = "xchg", scope = "sys", sem = "release"} : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>) -> tensor<4xi32, #L0>
    "tk.store"(%arg2, %arg5) : (!tk.ptr<f32>, f32) -> ()
    "tk.barrier"() {scope = "gpu"} : () -> ()
    %10 = "tk.atomic_rmw"(%arg3, %arg4) {op = "store", scope = "sys", sem = "release"} : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>) -> tensor<4xi32, #L0>
    %11 = "tk.atomic_rmw"(%arg0, %arg1) {op = "xchg", scope = "gpu", sem = "relaxed"} : (!tk.ptr<i32>, i32) -> i32
    %12 = "tk.atomic_rmw"(%arg3, %arg4) {op = "add", scope = "gpu", sem = "acq_rel"} : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>) -> tensor<4xi32, #L0>
    %13 = "tk.atomic_cas"(%arg3, %arg4, %arg4) {scope = "gpu", sem = "release"} : (tensor<4x!tk.ptr<i32>, #L0>, tensor<4xi32, #L0>, tensor<4xi32, #L0>) -> tensor<4xi32, #L0>
    return
  }
}
