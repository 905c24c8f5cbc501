// chip: sm_100a
// show: scf.if scf.yield
// input: beside/two.mlir
// with: tk.num_stages = 3 => tk.num_stages = 4
// after: roles specialise plan pipeline
// Behind the loop of two products that run on, the end of each is waited for: blocks in pairs do not end ahead of a commit (tcgen05).
