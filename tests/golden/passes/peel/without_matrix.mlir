// chip: gfx1030
// show: scf.* tk.load tk.dot tk.store tk.reduce tk.yield
// input: peel/carry.mlir
// A chip without matrix instructions multiplies one by one: its loops stay whole.
