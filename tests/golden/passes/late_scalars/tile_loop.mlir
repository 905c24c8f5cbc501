// chip: sm_90a
// The tile's head is wanted by the store alone: its divisions go behind the loop. Its row bounds the loop, and stays.
module {
  func.func @tiles(%arg0: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    "tk.specialise"() ({
    }, {
      %c1_i32 = arith.constant 1 : i32
      %0 = "tk.program_id"() {axis = 0 : i32} : () -> i32
      %1 = "tk.num_programs"() {axis = 0 : i32} : () -> i32
      scf.for %arg4 = %0 to %arg1 step %1  : i32 {
        %2 = arith.divui %arg4, %arg2 : i32
        %3 = arith.remui %arg4, %arg2 : i32
        %4 = arith.divsi %2, %arg3 : i32
        %5 = arith.remsi %2, %arg3 : i32
        %6 = arith.addi %4, %5 : i32
        %7 = scf.for %arg5 = %c1_i32 to %3 step %c1_i32 iter_args(%arg6 = %c1_i32) -> (i32)  : i32 {
          %10 = arith.muli %arg6, %arg5 : i32
          scf.yield %10 : i32
        }
        %8 = "tk.addptr"(%arg0, %6) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
        %9 = arith.addi %7, %3 : i32
        "tk.store"(%8, %9) : (!tk.ptr<i32>, i32) -> ()
      }
    }) : () -> ()
    return
  }
}
