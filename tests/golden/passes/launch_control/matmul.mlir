// chip: sm_100a
// input: pairs/matmul.mlir
// show: tk.specialise scf.while scf.condition scf.if tk.launch_* tk.mbarrier_wait tk.mbarrier_alloc
// A block asks for the next program as it begins one; three roles read the answer and give it back, and a request for the same place waits for that.
