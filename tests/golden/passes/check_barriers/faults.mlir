// chip: sm_80
// Each function has the fault that its name tells.
#L = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32>}
#M = {lane = array<i32: 32, 1, 2, 4, 8>, register = array<i32>, warp = array<i32: 16>}
#A = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32: 64, 128, 256, 512, 1024>, warp = array<i32: 32>}
#B = {lane = array<i32: 64, 128, 256, 512, 1024>, register = array<i32: 1, 2, 4, 8, 16>, warp = array<i32: 32>}
#C = {lane = array<i32: 32, 128, 256, 512, 1024>, register = array<i32: 1, 2, 4, 8, 16>, warp = array<i32: 64>}
#S = {shared = array<i32: 1, 2, 4, 8, 16, 32>}
module {
  func.func @condition_reads(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %left = scf.while (%a = %v) : (tensor<64xi32, #L>) -> tensor<64xi32, #L> {
      %sum = "tk.reduce"(%a) ({
      ^bb0(%x: i32, %y: i32):
        %s = arith.addi %x, %y : i32
        "tk.yield"(%s) : (i32) -> ()
      }) {axis = 0 : i32, scratch = 0 : i32} : (tensor<64xi32, #L>) -> i32
      %more = arith.cmpi sgt, %sum, %zero : i32
      scf.condition(%more) %a : tensor<64xi32, #L>
    } do {
    ^bb0(%b: tensor<64xi32, #L>):
      %d = arith.subi %b, %v : tensor<64xi32, #L>
      "tk.barrier"() : () -> ()
      scf.yield %d : tensor<64xi32, #L>
    }
    %t = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<64xi32, #L>) -> tensor<64xi32, #M>
    "tk.print"(%t) {prefix = ""} : (tensor<64xi32, #M>) -> ()
    "tk.print"(%left) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @outer_loop_stores(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    %out = scf.for %i = %zero to %n step %one iter_args(%a = %v) -> (tensor<64xi32, #L>) : i32 {
      "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
      "tk.barrier"() : () -> ()
      %in = scf.for %j = %zero to %n step %one iter_args(%q = %a) -> (tensor<64xi32, #L>) : i32 {
        %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
        %s = arith.addi %q, %x : tensor<64xi32, #L>
        scf.yield %s : tensor<64xi32, #L>
      }
      scf.yield %in : tensor<64xi32, #L>
    }
    "tk.print"(%out) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @scratch_in_turn(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %a = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<64xi32, #L>) -> tensor<64xi32, #M>
    %b = "tk.convert_layout"(%v) {scratch = 128 : i32} : (tensor<64xi32, #L>) -> tensor<64xi32, #M>
    "tk.print"(%a) {prefix = ""} : (tensor<64xi32, #M>) -> ()
    "tk.print"(%b) {prefix = ""} : (tensor<64xi32, #M>) -> ()
    return
  }
  func.func @branch_stores(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    scf.if %c {
      "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    }
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @branch_is_read_after(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    scf.if %c {
      "tk.barrier"() : () -> ()
      "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    }
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @waits_for_too_few(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %b = "tk.smem_alloc"() {offset = 0 : i32, stages = 3 : i32} : () -> tensor<64xi32, #S>
    %s0 = "tk.smem_slot"(%b, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s0, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %s1 = "tk.smem_slot"(%b, %one) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s1, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %l:3 = scf.for %i = %zero to %n step %one iter_args(%a = %v, %fill = %two, %read = %zero) -> (tensor<64xi32, #L>, i32, i32) : i32 {
      "tk.async_wait"() {pending = 2 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %to = "tk.smem_slot"(%b, %fill) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      "tk.async_copy"(%to, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
      "tk.async_commit"() : () -> ()
      %from = "tk.smem_slot"(%b, %read) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      %x = "tk.smem_load"(%from) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
      %sum = arith.addi %a, %x : tensor<64xi32, #L>
      %f1 = arith.addi %fill, %one : i32
      %fc = arith.cmpi slt, %f1, %three : i32
      %f2 = arith.select %fc, %f1, %zero : i32
      %r1 = arith.addi %read, %one : i32
      %rc = arith.cmpi slt, %r1, %three : i32
      %r2 = arith.select %rc, %r1, %zero : i32
      scf.yield %sum, %f2, %r2 : tensor<64xi32, #L>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    "tk.print"(%l#0) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @meets_before_the_wait(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %b = "tk.smem_alloc"() {offset = 0 : i32, stages = 3 : i32} : () -> tensor<64xi32, #S>
    %s0 = "tk.smem_slot"(%b, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s0, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %s1 = "tk.smem_slot"(%b, %one) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s1, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %l:3 = scf.for %i = %zero to %n step %one iter_args(%a = %v, %fill = %two, %read = %zero) -> (tensor<64xi32, #L>, i32, i32) : i32 {
      "tk.barrier"() : () -> ()
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      %to = "tk.smem_slot"(%b, %fill) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      "tk.async_copy"(%to, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
      "tk.async_commit"() : () -> ()
      %from = "tk.smem_slot"(%b, %read) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      %x = "tk.smem_load"(%from) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
      %sum = arith.addi %a, %x : tensor<64xi32, #L>
      %f1 = arith.addi %fill, %one : i32
      %fc = arith.cmpi slt, %f1, %three : i32
      %f2 = arith.select %fc, %f1, %zero : i32
      %r1 = arith.addi %read, %one : i32
      %rc = arith.cmpi slt, %r1, %three : i32
      %r2 = arith.select %rc, %r1, %zero : i32
      scf.yield %sum, %f2, %r2 : tensor<64xi32, #L>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    "tk.print"(%l#0) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @fills_the_slot_that_is_read(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %b = "tk.smem_alloc"() {offset = 0 : i32, stages = 3 : i32} : () -> tensor<64xi32, #S>
    %s0 = "tk.smem_slot"(%b, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s0, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %s1 = "tk.smem_slot"(%b, %one) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s1, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %l:3 = scf.for %i = %zero to %n step %one iter_args(%a = %v, %fill = %zero, %read = %zero) -> (tensor<64xi32, #L>, i32, i32) : i32 {
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %to = "tk.smem_slot"(%b, %fill) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      "tk.async_copy"(%to, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
      "tk.async_commit"() : () -> ()
      %from = "tk.smem_slot"(%b, %read) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      %x = "tk.smem_load"(%from) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
      %sum = arith.addi %a, %x : tensor<64xi32, #L>
      %f1 = arith.addi %fill, %one : i32
      %fc = arith.cmpi slt, %f1, %three : i32
      %f2 = arith.select %fc, %f1, %zero : i32
      %r1 = arith.addi %read, %one : i32
      %rc = arith.cmpi slt, %r1, %three : i32
      %r2 = arith.select %rc, %r1, %zero : i32
      scf.yield %sum, %f2, %r2 : tensor<64xi32, #L>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    "tk.print"(%l#0) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @numbers_beyond_the_slots(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %b = "tk.smem_alloc"() {offset = 0 : i32, stages = 2 : i32} : () -> tensor<64xi32, #S>
    %s0 = "tk.smem_slot"(%b, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s0, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %s1 = "tk.smem_slot"(%b, %one) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s1, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %l:3 = scf.for %i = %zero to %n step %one iter_args(%a = %v, %fill = %two, %read = %zero) -> (tensor<64xi32, #L>, i32, i32) : i32 {
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %to = "tk.smem_slot"(%b, %fill) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      "tk.async_copy"(%to, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
      "tk.async_commit"() : () -> ()
      %from = "tk.smem_slot"(%b, %read) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      %x = "tk.smem_load"(%from) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
      %sum = arith.addi %a, %x : tensor<64xi32, #L>
      %f1 = arith.addi %fill, %one : i32
      %fc = arith.cmpi slt, %f1, %three : i32
      %f2 = arith.select %fc, %f1, %zero : i32
      %r1 = arith.addi %read, %one : i32
      %rc = arith.cmpi slt, %r1, %three : i32
      %r2 = arith.select %rc, %r1, %zero : i32
      scf.yield %sum, %f2, %r2 : tensor<64xi32, #L>, i32, i32
    }
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    "tk.print"(%l#0) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @copies_left_under_way(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %b = "tk.smem_alloc"() {offset = 0 : i32, stages = 3 : i32} : () -> tensor<64xi32, #S>
    %s0 = "tk.smem_slot"(%b, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s0, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %s1 = "tk.smem_slot"(%b, %one) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.async_copy"(%s1, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    %l:3 = scf.for %i = %zero to %n step %one iter_args(%a = %v, %fill = %two, %read = %zero) -> (tensor<64xi32, #L>, i32, i32) : i32 {
      "tk.async_wait"() {pending = 1 : i32} : () -> ()
      "tk.barrier"() : () -> ()
      %to = "tk.smem_slot"(%b, %fill) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      "tk.async_copy"(%to, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
      "tk.async_commit"() : () -> ()
      %from = "tk.smem_slot"(%b, %read) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
      %x = "tk.smem_load"(%from) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
      %sum = arith.addi %a, %x : tensor<64xi32, #L>
      %f1 = arith.addi %fill, %one : i32
      %fc = arith.cmpi slt, %f1, %three : i32
      %f2 = arith.select %fc, %f1, %zero : i32
      %r1 = arith.addi %read, %one : i32
      %rc = arith.cmpi slt, %r1, %three : i32
      %r2 = arith.select %rc, %r1, %zero : i32
      scf.yield %sum, %f2, %r2 : tensor<64xi32, #L>, i32, i32
    }
    "tk.print"(%l#0) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    %t = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<64xi32, #L>) -> tensor<64xi32, #M>
    "tk.print"(%t) {prefix = ""} : (tensor<64xi32, #M>) -> ()
    return
  }
  func.func @barrier_without_a_wait(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.async_copy"(%k, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @wait_without_a_barrier(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.async_copy"(%k, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_commit"() : () -> ()
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @not_committed(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.async_copy"(%k, %p) {vector = 1 : i32} : (tensor<64xi32, #S>, tensor<64x!tk.ptr<i32>, #L>) -> ()
    "tk.async_wait"() {pending = 0 : i32} : () -> ()
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @buffers_share_bytes(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    %m = "tk.smem_alloc"() {offset = 128 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    "tk.smem_store"(%m, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @scratch_over_a_buffer(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    %t = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<64xi32, #L>) -> tensor<64xi32, #M>
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    "tk.print"(%t) {prefix = ""} : (tensor<64xi32, #M>) -> ()
    return
  }
  func.func @nothing_was_stored(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 2 : i32} : () -> tensor<64xi32, #S>
    %s = "tk.smem_slot"(%k, %one) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    %t = "tk.smem_slot"(%k, %zero) : (tensor<64xi32, #S>, i32) -> tensor<64xi32, #S>
    "tk.smem_store"(%s, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%t) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @stored_in_one_branch(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    scf.if %c {
      "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    }
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @stored_by_no_iteration(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 0 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    scf.for %i = %zero to %n step %one : i32 {
      "tk.barrier"() : () -> ()
      "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    }
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @beyond_what_is_asked_for(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %k = "tk.smem_alloc"() {offset = 896 : i32, stages = 1 : i32} : () -> tensor<64xi32, #S>
    "tk.smem_store"(%k, %v) : (tensor<64xi32, #S>, tensor<64xi32, #L>) -> ()
    "tk.barrier"() : () -> ()
    %x = "tk.smem_load"(%k) : (tensor<64xi32, #S>) -> tensor<64xi32, #L>
    "tk.print"(%x) {prefix = ""} : (tensor<64xi32, #L>) -> ()
    return
  }
  func.func @slices_that_meet_apart(%v: tensor<64xi32, #L>, %p: tensor<64x!tk.ptr<i32>, #L>, %n: i32, %c: i1) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 1024 : i32, tk.slices = 2 : i32} {
    "tk.specialise"() ({
      "tk.yield"() : () -> ()
    }, {
      scf.if %c {
        "tk.barrier"() : () -> ()
      } {tk.first_slice}
      "tk.barrier"() : () -> ()
      "tk.yield"() : () -> ()
    }) : () -> ()
    return
  }
  func.func @warps_read_and_write_their_bytes(%v: tensor<2048xi16, #A>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 8192 : i32} {
    %x = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    %y = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    "tk.print"(%x) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    "tk.print"(%y) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    return
  }
  func.func @warps_meet_for_bytes_of_others(%v: tensor<2048xi16, #A>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 8192 : i32} {
    %x = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    "tk.barrier"() {each_warp} : () -> ()
    %y = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #C>
    "tk.print"(%x) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    "tk.print"(%y) {prefix = ""} : (tensor<2048xi16, #C>) -> ()
    return
  }
  func.func @warps_have_other_bytes(%v: tensor<2048xi16, #A>) attributes {tk.num_warps = 2 : i32, tk.shared_bytes = 8192 : i32} {
    %x = "tk.convert_layout"(%v) {scratch = 0 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    "tk.barrier"() {each_warp} : () -> ()
    %y = "tk.convert_layout"(%v) {scratch = 2048 : i32} : (tensor<2048xi16, #A>) -> tensor<2048xi16, #B>
    "tk.print"(%x) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    "tk.print"(%y) {prefix = ""} : (tensor<2048xi16, #B>) -> ()
    return
  }
}
