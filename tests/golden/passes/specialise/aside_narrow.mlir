// chip: sm_90a
// show: tk.specialise tk.mbarrier_wait tk.bulk_store tk.dot
// input: roles/aside_narrow.mlir
// after: roles
// Heads of 64: the exponentials take longer than the product beside them, so no second wait for the slot stands ahead of the slopes'.
