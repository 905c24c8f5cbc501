// chip: sm_90a
// The branch is taken where the loop does not run, too, as behind an iteration that was taken out of it: the divisions stay.
module {
  func.func @tiles(%arg0: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    "tk.specialise"() ({
    }, {
      %c1_i32 = arith.constant 1 : i32
      %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %1 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      scf.for %arg4 = %0 to %arg1 step %1  : i32 {
        %2 = arith.divui %arg4, %arg2 : i32
        %3 = arith.remui %2, %arg3 : i32
        %c0_i32 = arith.constant 0 : i32
        %4 = arith.cmpi slt, %c0_i32, %arg3 : i32
        %5 = scf.if %4 -> (i32) {
          %8 = scf.for %arg5 = %c1_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %c1_i32) -> (i32)  : i32 {
            %9 = arith.muli %arg6, %arg5 : i32
            %10 = "tk.dot_wait"(%9) {pending = 1 : i32} : (i32) -> i32
            scf.yield %10 : i32
          }
          "tk.dot_wait"() {pending = 0 : i32} : () -> ()
          scf.yield %8 : i32
        } else {
          scf.yield %c1_i32 : i32
        }
        %6 = "tk.addptr"(%arg0, %3) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %7 = arith.divui %5, %2 : i32
        "tk.store"(%6, %7) : (!tk.ptr<i32>, i32) -> ()
      }
    }) : () -> ()
    return
  }
}
