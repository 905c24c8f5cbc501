// chip: sm_90a
// show: tk.warpgroup_dot tk.bulk_store scf.for
// input: roles/aside_narrow.mlir
// after: roles specialise plan pipeline warpgroup finish
// Heads of 64: the scores' left operand comes from registers, and so does that of the product that is only added to memory, which is turned
// around. The slopes' left operand finds no registers.
