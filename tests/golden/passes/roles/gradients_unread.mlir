// chip: sm_90a
// show: scf.* tk.load tk.dot tk.store
// input: roles/gradients.mlir
// with: %35 = => %unread = "tk.dot"(%11, %34, %cst_0) {instruction = "wgmma.f16", precision = "tf32"} : (tensor<64x64xf16, #L3>, tensor<64x64xf16, #L5>, tensor<64x64xf32, #L4>) -> tensor<64x64xf32, #L4> %35 =
// A result that nobody reads, the first of the dots that begin with nothing: all of them are ahead of the late one.
