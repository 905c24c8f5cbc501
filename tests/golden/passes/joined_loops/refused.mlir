// chip: sm_90a
// show: func.func scf.for tk.load tk.dot tk.store scf.yield
// Loops that stay apart: of other bounds, without an operand in common, with a sum that the first one gives to the second, behind a store to
// an argument that the second loop loads, behind a store to a chain's array that it loads, and with too many sums for a thread,
// floats and integers.
module {
  func.func @bounds(%x: !tk.ptr<f16>, %w: !tk.ptr<f16>, %v: !tk.ptr<f16>, %y: !tk.ptr<f16>, %t: !tk.ptr<f16>, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %u = scf.for %k = %zero to %m step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%v, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %all = arith.addf %g, %u : tensor<64x64xf32>
    %es = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %ev = arith.truncf %all : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
  func.func @operands(%x: !tk.ptr<f16>, %w: !tk.ptr<f16>, %v: !tk.ptr<f16>, %y: !tk.ptr<f16>, %t: !tk.ptr<f16>, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %u = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%y, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%v, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %all = arith.addf %g, %u : tensor<64x64xf32>
    %es = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %ev = arith.truncf %all : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
  func.func @sums(%x: !tk.ptr<f16>, %w: !tk.ptr<f16>, %v: !tk.ptr<f16>, %y: !tk.ptr<f16>, %t: !tk.ptr<f16>, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %u = scf.for %k = %zero to %n step %step iter_args(%sum = %g) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%v, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %all = arith.addf %g, %u : tensor<64x64xf32>
    %es = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %ev = arith.truncf %all : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
  func.func @stored(%x: !tk.ptr<f16>, %w: !tk.ptr<f16>, %v: !tk.ptr<f16>, %y: !tk.ptr<f16>, %t: !tk.ptr<f16>, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %ts = "tk.splat"(%x) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %tp = "tk.addptr"(%ts, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %tv = arith.truncf %g : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%tp, %tv) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    %u = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%v, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %all = arith.addf %g, %u : tensor<64x64xf32>
    %es = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %ev = arith.truncf %all : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
  func.func @loaded(%x: !tk.ptr<f16>, %w: !tk.ptr<f16>, %v: !tk.ptr<f16>, %y: !tk.ptr<f16>, %t: !tk.ptr<f16> {tk.handed = "none"}, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 4 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %ts = "tk.splat"(%t) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %tp = "tk.addptr"(%ts, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %tv = arith.truncf %g : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%tp, %tv) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    %u = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%t, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %all = arith.addf %g, %u : tensor<64x64xf32>
    %es = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %ev = arith.truncf %all : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
  func.func @registers(%x: !tk.ptr<f16>, %w: !tk.ptr<f16>, %v: !tk.ptr<f16>, %y: !tk.ptr<f16>, %t: !tk.ptr<f16>, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 1 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %u = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xf32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %as = "tk.splat"(%al) : (!tk.ptr<f16>) -> tensor<64x1x!tk.ptr<f16>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<f16>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<f16>>) -> tensor<64x32x!tk.ptr<f16>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<f16>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<f16>>) -> tensor<64x32xf16>
      %bl = "tk.addptr"(%v, %k) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
      %bs = "tk.splat"(%bl) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x64x!tk.ptr<f16>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<f16>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<f16>>) -> tensor<32x64xf16>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %all = arith.addf %g, %u : tensor<64x64xf32>
    %es = "tk.splat"(%y) : (!tk.ptr<f16>) -> tensor<64x64x!tk.ptr<f16>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<f16>>
    %ev = arith.truncf %all : tensor<64x64xf32> to tensor<64x64xf16>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<f16>>, tensor<64x64xf16>) -> ()
    return
  }
  func.func @integers(%x: !tk.ptr<i8>, %w: !tk.ptr<i8>, %v: !tk.ptr<i8>, %y: !tk.ptr<i8>, %t: !tk.ptr<i8>, %n: i32, %m: i32) attributes {tk.num_stages = 3 : i32, tk.num_warps = 1 : i32} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %none = arith.constant dense<0> : tensor<64x64xi32>
    %rows = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %depth = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %column = "tk.expand_dims"(%rows) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %row = "tk.expand_dims"(%rows) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %across = "tk.expand_dims"(%depth) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %down = "tk.expand_dims"(%depth) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %wide = "tk.splat"(%n) : (i32) -> tensor<64x1xi32>
    %above = arith.muli %column, %wide : tensor<64x1xi32>
    %whole = "tk.broadcast"(%above) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %beside = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %place = arith.addi %whole, %beside : tensor<64x64xi32>
    %g = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xi32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
      %as = "tk.splat"(%al) : (!tk.ptr<i8>) -> tensor<64x1x!tk.ptr<i8>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<i8>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<i8>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<i8>>) -> tensor<64x32x!tk.ptr<i8>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<i8>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<i8>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<i8>>) -> tensor<64x32xi8>
      %bl = "tk.addptr"(%w, %k) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
      %bs = "tk.splat"(%bl) : (!tk.ptr<i8>) -> tensor<32x1x!tk.ptr<i8>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<i8>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<i8>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<i8>>) -> tensor<32x64x!tk.ptr<i8>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<i8>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i8>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<i8>>) -> tensor<32x64xi8>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>) -> tensor<64x64xi32>
      scf.yield %dot : tensor<64x64xi32>
    }
    %u = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> (tensor<64x64xi32>)  : i32 {
      %al = "tk.addptr"(%x, %k) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
      %as = "tk.splat"(%al) : (!tk.ptr<i8>) -> tensor<64x1x!tk.ptr<i8>>
      %ar = "tk.addptr"(%as, %above) : (tensor<64x1x!tk.ptr<i8>>, tensor<64x1xi32>) -> tensor<64x1x!tk.ptr<i8>>
      %ab = "tk.broadcast"(%ar) : (tensor<64x1x!tk.ptr<i8>>) -> tensor<64x32x!tk.ptr<i8>>
      %ai = "tk.broadcast"(%across) : (tensor<1x32xi32>) -> tensor<64x32xi32>
      %ap = "tk.addptr"(%ab, %ai) : (tensor<64x32x!tk.ptr<i8>>, tensor<64x32xi32>) -> tensor<64x32x!tk.ptr<i8>>
      %a = "tk.load"(%ap) : (tensor<64x32x!tk.ptr<i8>>) -> tensor<64x32xi8>
      %bl = "tk.addptr"(%v, %k) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
      %bs = "tk.splat"(%bl) : (!tk.ptr<i8>) -> tensor<32x1x!tk.ptr<i8>>
      %br = "tk.addptr"(%bs, %down) : (tensor<32x1x!tk.ptr<i8>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<i8>>
      %bb = "tk.broadcast"(%br) : (tensor<32x1x!tk.ptr<i8>>) -> tensor<32x64x!tk.ptr<i8>>
      %bi = "tk.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<32x64xi32>
      %bp = "tk.addptr"(%bb, %bi) : (tensor<32x64x!tk.ptr<i8>>, tensor<32x64xi32>) -> tensor<32x64x!tk.ptr<i8>>
      %b = "tk.load"(%bp) : (tensor<32x64x!tk.ptr<i8>>) -> tensor<32x64xi8>
      %dot = "tk.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>) -> tensor<64x64xi32>
      scf.yield %dot : tensor<64x64xi32>
    }
    %all = arith.addi %g, %u : tensor<64x64xi32>
    %es = "tk.splat"(%y) : (!tk.ptr<i8>) -> tensor<64x64x!tk.ptr<i8>>
    %ep = "tk.addptr"(%es, %place) : (tensor<64x64x!tk.ptr<i8>>, tensor<64x64xi32>) -> tensor<64x64x!tk.ptr<i8>>
    %ev = arith.trunci %all : tensor<64x64xi32> to tensor<64x64xi8>
    "tk.store"(%ep, %ev) : (tensor<64x64x!tk.ptr<i8>>, tensor<64x64xi8>) -> ()
    return
  }
}
