// chip: sm_90a
// show: func.func scf.for tk.load tk.dot tk.store scf.yield
// input: joined_loops/joined.mlir
// with: %u = scf.for => %between = "tk.load"(%t) : (!tk.ptr<f16>) -> f16 %u = scf.for
// A load between the loops goes behind the joined one, and stays behind the store that it stood behind.
