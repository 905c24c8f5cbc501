// chip: sm_80
// show: func.func tk.load tk.store
// What a program loads behind its own store, by equal addresses and masks; and reasons against it.
module {
  func.func @equal(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @same_mask(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v, %m) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp, %m) : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @narrower_mask(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v, %m) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp, %both) : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @wider_mask(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v, %m) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @other_mask(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v, %m) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp, %half) : (tensor<128x!tk.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @next_element(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    %gs = "tk.addptr"(%h, %next) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @under_a_condition(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %some = arith.cmpi slt, %p, %n : i32
    scf.if %some {
      "tk.store"(%hp, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    }
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @twice(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    "tk.store"(%hp, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
  func.func @barrier(%x: !tk.ptr<f32>, %y: !tk.ptr<f32>, %n: i32, %h: !tk.ptr<f32> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %p = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %q = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %c = "tk.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32>
    %size = arith.constant 128 : i32
    %a = arith.muli %p, %size : i32
    %b = arith.muli %q, %size : i32
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %bound = "tk.splat"(%n) : (i32) -> tensor<128xi32>
    %m = arith.cmpi slt, %c, %bound : tensor<128xi32>
    %even = arith.constant dense<64> : tensor<128xi32>
    %half = arith.cmpi slt, %c, %even : tensor<128xi32>
    %both = arith.andi %half, %m : tensor<128xi1>
    %xs = "tk.addptr"(%x, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %xt = "tk.splat"(%xs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %xp = "tk.addptr"(%xt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %v = "tk.load"(%xp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %hs = "tk.addptr"(%h, %a) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %ht = "tk.splat"(%hs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %hp = "tk.addptr"(%ht, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.store"(%hp, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    %gs = "tk.addptr"(%h, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %gt = "tk.splat"(%gs) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %gp = "tk.addptr"(%gt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    %w = "tk.load"(%gp) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>
    %ys = "tk.addptr"(%y, %b) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %yt = "tk.splat"(%ys) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>
    %yp = "tk.addptr"(%yt, %c) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tk.ptr<f32>>
    "tk.barrier"() : () -> ()
    "tk.store"(%yp, %w) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()
    return
  }
}
