// chip: sm_90a
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/element_wise.mlir
// after: plan
// Rows that no hint aligns are loaded element by element, which cp.async cannot: the next step's tiles wait in registers while
// the warpgroup multiplies.
