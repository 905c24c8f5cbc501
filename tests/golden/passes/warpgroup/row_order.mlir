// chip: sm_90a
// show: tk.warpgroup_dot
// input: warpgroup/matmul.mlir
// with: in_flight = 1 : i32 => in_flight = 1 : i32, row_order = array<i32: 1, 0, 2, 3, 4, 5>
// A product with its rows in another order keeps the order when it gets an operand that says whether it adds.
