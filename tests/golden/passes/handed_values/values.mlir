// chip: sm_80
// show: func.func tk.load tk.store select convert_layout
// The value instead of the load: in its layout, and zero where a mask without `other` leaves elements out.
#L0 = {lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 32, 64>}
#L1 = {lane = array<i32: 4, 8, 16, 32, 64>, register = array<i32: 1, 2>, warp = array<i32: 0, 0>}
module {
  func.func @same_layout(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.divisibility = 16 : i32, tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %d = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32, #L0>
    %m = arith.cmpi slt, %d, %bound : tensor<128xi32, #L0>
    %xt = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>, #L0>) -> tensor<128xf32, #L0>
    %ht = "tk.splat"(%h) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    "tk.store"(%hp, %v) {tk.edge = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    %gt = "tk.splat"(%h) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %gp = "tk.addptr"(%gt, %d) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %w = "tk.load"(%gp, %m) {tk.edge = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi1, #L0>) -> tensor<128xf32, #L0>
    %yt = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %yp = "tk.addptr"(%yt, %d) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    return
  }
  func.func @other_layout(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.divisibility = 16 : i32, tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %d = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L1>
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32, #L1>
    %m = arith.cmpi slt, %d, %bound : tensor<128xi32, #L1>
    %xt = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>, #L0>) -> tensor<128xf32, #L0>
    %ht = "tk.splat"(%h) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    "tk.store"(%hp, %v) {tk.edge = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    %gt = "tk.splat"(%h) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L1>
    %gp = "tk.addptr"(%gt, %d) : (tensor<128x!tk.ptr<f32>, #L1>, tensor<128xi32, #L1>) -> tensor<128x!tk.ptr<f32>, #L1>
    %w = "tk.load"(%gp, %m) {tk.edge = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L1>, tensor<128xi1, #L1>) -> tensor<128xf32, #L1>
    %yt = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L1>
    %yp = "tk.addptr"(%yt, %d) : (tensor<128x!tk.ptr<f32>, #L1>, tensor<128xi32, #L1>) -> tensor<128x!tk.ptr<f32>, #L1>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>, #L1>, tensor<128xf32, #L1>) -> ()
    return
  }
  func.func @kept(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.divisibility = 16 : i32, tk.handed = "memory"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %d = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #L0>
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32, #L0>
    %m = arith.cmpi slt, %d, %bound : tensor<128xi32, #L0>
    %xt = "tk.splat"(%x) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>, #L0>) -> tensor<128xf32, #L0>
    %ht = "tk.splat"(%h) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    "tk.store"(%hp, %v) {tk.edge = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    %gt = "tk.splat"(%h) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %gp = "tk.addptr"(%gt, %d) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    %w = "tk.load"(%gp, %m) {tk.edge = 1 : i32} : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi1, #L0>) -> tensor<128xf32, #L0>
    %yt = "tk.splat"(%y) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>, #L0>
    %yp = "tk.addptr"(%yt, %d) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xi32, #L0>) -> tensor<128x!tk.ptr<f32>, #L0>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>, #L0>, tensor<128xf32, #L0>) -> ()
    return
  }
  func.func @two_edges(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %h: !tk.ptr<f32> {tk.handed = "none"}, %g: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %v = "tk.load"(%x) : (!tk.ptr<f32>) -> f32
    "tk.store"(%h, %v) {tk.edge = 1 : i32} : (!tk.ptr<f32>, f32) -> ()
    %w = "tk.load"(%h) {tk.edge = 1 : i32} : (!tk.ptr<f32>) -> f32
    %d = arith.addf %w, %w : f32
    "tk.store"(%g, %d) {tk.edge = 2 : i32} : (!tk.ptr<f32>, f32) -> ()
    %u = "tk.load"(%g) {tk.edge = 2 : i32} : (!tk.ptr<f32>) -> f32
    "tk.store"(%y, %u) : (!tk.ptr<f32>, f32) -> ()
    return
  }
}
