// chip: sm_100a
// input: pairs/matmul.mlir
// after: pairs
// show: tk.specialise scf.while scf.condition scf.if tk.launch_* tk.mbarrier_wait tk.mbarrier_alloc
// The even block asks for both, waits for the readers of both, and at the end until they are done.
