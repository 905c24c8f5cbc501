// chip: sm_90
// show: scf.* tk.async_* tk.barrier tk.dot tk.smem_* tk.load tk.convert_layout tk.store tk.reduce tk.yield
// input: plan/more_slots.mlir
// after: plan
// A product alone takes six slots for the three that it asks for, and four where it has four steps.
