// chip: sm_90a
// show: scf.for tk.park tk.parked tk.load
// input: beside/row_factor.mlir
// after: beside roles specialise plan pipeline warpgroup
// A factor of each row is loaded ahead of the products, and multiplies the sums before they are put aside.
