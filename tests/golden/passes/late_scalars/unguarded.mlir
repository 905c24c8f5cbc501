// chip: sm_90a
// input: late_scalars/beside.mlir
// with: %4 = arith.cmpi slt, %c1_i32 => %c0_i32 = arith.constant 0 : i32 %4 = arith.cmpi slt, %c0_i32
// The branch is taken where the loop does not run, too, as behind an iteration that was taken out of it: the divisions stay.
