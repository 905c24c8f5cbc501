// chip: gfx1100
// show: scf.for tk.load
// input: peel/kept_rows.mlir
// after: peel layouts
// A load that keeps a mask is not guarded, and its loop takes two steps a turn: the mask costs no branch.
