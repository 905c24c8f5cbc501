// chip: sm_90a
// show: func.func scf.for tk.load tk.dot tk.store scf.yield
// input: joined_loops/joined.mlir
// with: {tk.handed = "none"} => {tk.divisibility = 16 : i32}
// The second loop's loads pass a store through another argument at other offsets, and the function says so.
