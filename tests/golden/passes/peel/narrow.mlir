// chip: gfx1200
// show: scf.* tk.load tk.dot tk.store tk.reduce tk.yield
// input: peel/masks.mlir
// Where an address takes two additions, the first loop runs no step unless all pointers are within 32 bits of their base.
