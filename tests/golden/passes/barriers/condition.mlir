// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// The loop leaves from its condition, which reads scratch last: the barrier of the body does not help the scan.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
module {
  func.func @k(%v: tensor<64xi32, #L0>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 16 : i32} {
    %zero = arith.constant 0 : i32
    %left = scf.while (%a = %v) : (tensor<64xi32, #L0>) -> tensor<64xi32, #L0> {
      %sum = "tk.reduce"(%a) ({
      ^bb0(%x: i32, %y: i32):
        %s = arith.addi %x, %y : i32
        "tk.yield"(%s) : (i32) -> ()
      }) {axis = 0 : i32, scratch = 0 : i32} : (tensor<64xi32, #L0>) -> i32
      %more = arith.cmpi sgt, %sum, %zero : i32
      scf.condition(%more) %a : tensor<64xi32, #L0>
    } do {
    ^bb0(%b: tensor<64xi32, #L0>):
      %c = arith.subi %b, %v : tensor<64xi32, #L0>
      "tk.barrier"() : () -> ()
      scf.yield %c : tensor<64xi32, #L0>
    }
    %sums = "tk.scan"(%left) ({
    ^bb0(%x: i32, %y: i32):
      %s = arith.addi %x, %y : i32
      "tk.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, scratch = 0 : i32} : (tensor<64xi32, #L0>) -> tensor<64xi32, #L0>
    "tk.print"(%sums) {prefix = ""} : (tensor<64xi32, #L0>) -> ()
    return
  }
}
