// chip: sm_80
// show: scf.* tk.load tk.store tk.barrier tk.atomic_*
// Loads of an array of addresses are marked: of pointers (%arg0), and of integers that only become pointers to other elements
// (%arg1). Not of integers that are summed too (%arg2), that become pointers to integers of 64 bits (%arg3), or of an array that the
// kernel writes (%arg4).
module {
  func.func @k(%arg0: !tk.ptr<!tk.ptr<f16>>, %arg1: !tk.ptr<i64>, %arg2: !tk.ptr<i64>, %arg3: !tk.ptr<i64>, %arg4: !tk.ptr<i64>, %arg5: i32) {
    %0 = "tk.addptr"(%arg0, %arg5) : (!tk.ptr<!tk.ptr<f16>>, i32) -> !tk.ptr<!tk.ptr<f16>>
    %1 = "tk.load"(%0) : (!tk.ptr<!tk.ptr<f16>>) -> !tk.ptr<f16>
    %2 = "tk.load"(%1) : (!tk.ptr<f16>) -> f16
    %3 = "tk.load"(%arg1) : (!tk.ptr<i64>) -> i64
    %4 = "tk.int_to_ptr"(%3) : (i64) -> !tk.ptr<f16>
    "tk.store"(%4, %2) : (!tk.ptr<f16>, f16) -> ()
    %5 = "tk.load"(%arg2) : (!tk.ptr<i64>) -> i64
    %6 = "tk.int_to_ptr"(%5) : (i64) -> !tk.ptr<f16>
    "tk.store"(%6, %2) : (!tk.ptr<f16>, f16) -> ()
    %7 = arith.addi %5, %5 : i64
    %8 = "tk.load"(%arg3) : (!tk.ptr<i64>) -> i64
    %9 = "tk.int_to_ptr"(%8) : (i64) -> !tk.ptr<i64>
    "tk.store"(%9, %7) : (!tk.ptr<i64>, i64) -> ()
    %10 = "tk.load"(%arg4) : (!tk.ptr<i64>) -> i64
    %11 = "tk.int_to_ptr"(%10) : (i64) -> !tk.ptr<f16>
    "tk.store"(%11, %2) : (!tk.ptr<f16>, f16) -> ()
    "tk.store"(%arg4, %7) : (!tk.ptr<i64>, i64) -> ()
    return
  }
}
