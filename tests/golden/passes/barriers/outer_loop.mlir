// chip: sm_80
// show: scf.* tk.barrier tk.load tk.store tk.print tk.async_* tk.smem_* tk.convert_layout tk.atomic_* tk.bulk_* tk.*dot* tk.scan tk.reduce
// A buffer filled in an outer loop and read in an inner one, whose slots go round: the next fill of either waits for
// the last reads, and nothing waits within the inner loop but what is written there.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#S = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
module {
  func.func @k(%v: tensor<64xi32, #L0>, %p: tensor<64x!tk.ptr<i32>, #L0>, %n: i32) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 768 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %v) -> (tensor<64xi32, #L0>) : i32 {
      %kept = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
      "tk.smem_store"(%kept, %a) : (tensor<64xi32, #S>, tensor<64xi32, #L0>) -> ()
      "tk.barrier"() : () -> ()
      %buffer = "tk.smem_alloc"() {offset = 256 : i32, stages = 2 : i32} : () -> tensor<64xi32, #S>
      %first = "tk.smem_slot"(%buffer, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      "tk.async_copy"(%first, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L0>) -> ()
      "tk.async_commit"() : () -> ()
      %q:3 = scf.for %j = %zero to %n step %one iter_args(%b = %a, %fill = %one, %read = %zero) -> (tensor<64xi32, #L0>, i32, i32) : i32 {
        "tk.async_wait"() {pending = 0 : i32} : () -> ()
        "tk.barrier"() : () -> ()
        %to = "tk.smem_slot"(%buffer, %fill) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
        "tk.async_copy"(%to, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L0>) -> ()
        "tk.async_commit"() : () -> ()
        %from = "tk.smem_slot"(%buffer, %read) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
        %x = "tk.smem_load"(%from) : (tensor<64xi32, #S>) -> tensor<64xi32, #L0>
        %y = "tk.smem_load"(%kept) : (tensor<64xi32, #S>) -> tensor<64xi32, #L0>
        %xy = arith.addi %x, %y : tensor<64xi32, #L0>
        %c = arith.addi %b, %xy : tensor<64xi32, #L0>
        %f1 = arith.addi %fill, %one : i32
        %fc = arith.cmpi slt, %f1, %two : i32
        %f2 = arith.select %fc, %f1, %zero : i32
        %r1 = arith.addi %read, %one : i32
        %rc = arith.cmpi slt, %r1, %two : i32
        %r2 = arith.select %rc, %r1, %zero : i32
        scf.yield %c, %f2, %r2 : tensor<64xi32, #L0>, i32, i32
      }
      "tk.async_wait"() {pending = 0 : i32} : () -> ()
      scf.yield %q#0 : tensor<64xi32, #L0>
    }
    "tk.print"(%r) {prefix = ""} : (tensor<64xi32, #L0>) -> ()
    return
  }
}
