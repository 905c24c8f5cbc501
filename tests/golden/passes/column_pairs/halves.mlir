// pair: the second half is read first, and its address comes from the first half's.
// seen, thirds: t has memory; N is not 2 F.
module {
  func.func @pair(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f16>, %arg3: i32, %arg4: i32 {tk.factors = array<i32: -3, 6>}, %arg5: i32, %arg6: i32, %arg7: !tk.ptr<f16> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.divsi %0, %c32_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = arith.divsi %2, %1 : i32
    %4 = arith.muli %3, %c32_i32 : i32
    %5 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %6 = "tk.splat"(%4) : (i32) -> tensor<32xi32>
    %7 = arith.addi %6, %5 : tensor<32xi32>
    %8 = arith.remsi %2, %1 : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = "tk.splat"(%9) : (i32) -> tensor<32xi32>
    %11 = arith.addi %10, %5 : tensor<32xi32>
    %12 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %13 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %14 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %15 = arith.muli %13, %14 : tensor<32x1xi32>
    %16 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %15) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %18 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %19 = "tk.broadcast"(%18) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %20 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %21 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %22 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %23 = "tk.expand_dims"(%11) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %24 = "tk.broadcast"(%23) : (tensor<1x32xi32>) -> tensor<16x32xi32>
    %25 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32>
    %26 = arith.cmpi slt, %23, %25 : tensor<1x32xi32>
    %27 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<16x32xi1>
    %28 = scf.for %arg8 = %c0_i32 to %arg5 step %c16_i32 iter_args(%arg9 = %cst) -> (tensor<32x32xf32>)  : i32 {
      %61 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32>
      %62 = "tk.addptr"(%17, %61) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %63 = "tk.broadcast"(%62) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x16x!tk.ptr<f16>>
      %64 = "tk.addptr"(%63, %19) : (tensor<32x16x!tk.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f16>>
      %65 = "tk.load"(%64) : (tensor<32x16x!tk.ptr<f16>>) -> tensor<32x16xf16>
      %66 = "tk.splat"(%arg8) : (i32) -> tensor<16x1xi32>
      %67 = arith.addi %66, %20 : tensor<16x1xi32>
      %68 = arith.muli %67, %21 : tensor<16x1xi32>
      %69 = "tk.addptr"(%22, %68) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %70 = "tk.broadcast"(%69) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x32x!tk.ptr<f16>>
      %71 = "tk.addptr"(%70, %24) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi32>) -> tensor<16x32x!tk.ptr<f16>>
      %72 = "tk.load"(%71, %27) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi1>) -> tensor<16x32xf16>
      %73 = "tk.dot"(%65, %72, %arg9) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %73 : tensor<32x32xf32>
    }
    %29 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %30 = arith.muli %13, %29 : tensor<32x1xi32>
    %31 = "tk.splat"(%arg7) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %32 = "tk.addptr"(%31, %30) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %33 = "tk.broadcast"(%32) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %34 = "tk.broadcast"(%23) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %35 = "tk.addptr"(%33, %34) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %36 = arith.truncf %28 : tensor<32x32xf32> to tensor<32x32xf16>
    %37 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<32x32xi1>
    "tk.store"(%35, %36, %37) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xf16>, tensor<32x32xi1>) -> ()
    %38 = "tk.program_id"() {axis = 0 : i32, tk.step = 1 : i32} : () -> i32
    %39 = "tk.program_id"() {axis = 1 : i32, tk.step = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %40 = arith.muli %39, %c64_i32 : i32
    %41 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %42 = "tk.splat"(%40) : (i32) -> tensor<64xi32>
    %43 = arith.addi %42, %41 : tensor<64xi32>
    %c2_i32 = arith.constant 2 : i32
    %44 = arith.muli %38, %c2_i32 : i32
    %45 = arith.muli %44, %arg6 : i32
    %46 = "tk.addptr"(%arg7, %45) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %47 = "tk.addptr"(%46, %arg6) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %48 = "tk.splat"(%47) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %49 = "tk.addptr"(%48, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %50 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
    %51 = arith.cmpi slt, %43, %50 : tensor<64xi32>
    %52 = "tk.load"(%49, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %53 = arith.muli %38, %arg6 : i32
    %54 = "tk.addptr"(%arg2, %53) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %55 = "tk.splat"(%54) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %56 = "tk.addptr"(%55, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %57 = "tk.splat"(%46) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %58 = "tk.addptr"(%57, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %59 = "tk.load"(%58, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %60 = arith.mulf %59, %52 : tensor<64xf16>
    "tk.store"(%56, %60, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>, tensor<64xi1>) -> ()
    return
  }
  func.func @seen(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f16>, %arg3: i32, %arg4: i32 {tk.factors = array<i32: -3, 6>}, %arg5: i32, %arg6: i32, %arg7: !tk.ptr<f16> {tk.handed = "memory"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.divsi %0, %c32_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = arith.divsi %2, %1 : i32
    %4 = arith.muli %3, %c32_i32 : i32
    %5 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %6 = "tk.splat"(%4) : (i32) -> tensor<32xi32>
    %7 = arith.addi %6, %5 : tensor<32xi32>
    %8 = arith.remsi %2, %1 : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = "tk.splat"(%9) : (i32) -> tensor<32xi32>
    %11 = arith.addi %10, %5 : tensor<32xi32>
    %12 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %13 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %14 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %15 = arith.muli %13, %14 : tensor<32x1xi32>
    %16 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %15) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %18 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %19 = "tk.broadcast"(%18) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %20 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %21 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %22 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %23 = "tk.expand_dims"(%11) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %24 = "tk.broadcast"(%23) : (tensor<1x32xi32>) -> tensor<16x32xi32>
    %25 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32>
    %26 = arith.cmpi slt, %23, %25 : tensor<1x32xi32>
    %27 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<16x32xi1>
    %28 = scf.for %arg8 = %c0_i32 to %arg5 step %c16_i32 iter_args(%arg9 = %cst) -> (tensor<32x32xf32>)  : i32 {
      %61 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32>
      %62 = "tk.addptr"(%17, %61) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %63 = "tk.broadcast"(%62) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x16x!tk.ptr<f16>>
      %64 = "tk.addptr"(%63, %19) : (tensor<32x16x!tk.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f16>>
      %65 = "tk.load"(%64) : (tensor<32x16x!tk.ptr<f16>>) -> tensor<32x16xf16>
      %66 = "tk.splat"(%arg8) : (i32) -> tensor<16x1xi32>
      %67 = arith.addi %66, %20 : tensor<16x1xi32>
      %68 = arith.muli %67, %21 : tensor<16x1xi32>
      %69 = "tk.addptr"(%22, %68) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %70 = "tk.broadcast"(%69) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x32x!tk.ptr<f16>>
      %71 = "tk.addptr"(%70, %24) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi32>) -> tensor<16x32x!tk.ptr<f16>>
      %72 = "tk.load"(%71, %27) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi1>) -> tensor<16x32xf16>
      %73 = "tk.dot"(%65, %72, %arg9) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %73 : tensor<32x32xf32>
    }
    %29 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %30 = arith.muli %13, %29 : tensor<32x1xi32>
    %31 = "tk.splat"(%arg7) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %32 = "tk.addptr"(%31, %30) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %33 = "tk.broadcast"(%32) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %34 = "tk.broadcast"(%23) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %35 = "tk.addptr"(%33, %34) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %36 = arith.truncf %28 : tensor<32x32xf32> to tensor<32x32xf16>
    %37 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<32x32xi1>
    "tk.store"(%35, %36, %37) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xf16>, tensor<32x32xi1>) -> ()
    %38 = "tk.program_id"() {axis = 0 : i32, tk.step = 1 : i32} : () -> i32
    %39 = "tk.program_id"() {axis = 1 : i32, tk.step = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %40 = arith.muli %39, %c64_i32 : i32
    %41 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %42 = "tk.splat"(%40) : (i32) -> tensor<64xi32>
    %43 = arith.addi %42, %41 : tensor<64xi32>
    %c2_i32 = arith.constant 2 : i32
    %44 = arith.muli %38, %c2_i32 : i32
    %45 = arith.muli %44, %arg6 : i32
    %46 = "tk.addptr"(%arg7, %45) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %47 = "tk.addptr"(%46, %arg6) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %48 = "tk.splat"(%47) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %49 = "tk.addptr"(%48, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %50 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
    %51 = arith.cmpi slt, %43, %50 : tensor<64xi32>
    %52 = "tk.load"(%49, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %53 = arith.muli %38, %arg6 : i32
    %54 = "tk.addptr"(%arg2, %53) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %55 = "tk.splat"(%54) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %56 = "tk.addptr"(%55, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %57 = "tk.splat"(%46) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %58 = "tk.addptr"(%57, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %59 = "tk.load"(%58, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %60 = arith.mulf %59, %52 : tensor<64xf16>
    "tk.store"(%56, %60, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>, tensor<64xi1>) -> ()
    return
  }
  func.func @thirds(%arg0: !tk.ptr<f16>, %arg1: !tk.ptr<f16>, %arg2: !tk.ptr<f16>, %arg3: i32, %arg4: i32 {tk.factors = array<i32: -4, 6>}, %arg5: i32, %arg6: i32, %arg7: !tk.ptr<f16> {tk.handed = "none"}) attributes {tk.chain = "merged", tk.num_stages = 3 : i32, tk.num_warps = 4 : i32, tk.programs = array<i32: -1, -1, -1>} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.addi %arg4, %c31_i32 : i32
    %c32_i32 = arith.constant 32 : i32
    %1 = arith.divsi %0, %c32_i32 : i32
    %2 = "tk.program_id"() {axis = 0 : i32} : () -> i32
    %3 = arith.divsi %2, %1 : i32
    %4 = arith.muli %3, %c32_i32 : i32
    %5 = "tk.range"() {end = 32 : i32, start = 0 : i32} : () -> tensor<32xi32>
    %6 = "tk.splat"(%4) : (i32) -> tensor<32xi32>
    %7 = arith.addi %6, %5 : tensor<32xi32>
    %8 = arith.remsi %2, %1 : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = "tk.splat"(%9) : (i32) -> tensor<32xi32>
    %11 = arith.addi %10, %5 : tensor<32xi32>
    %12 = "tk.range"() {end = 16 : i32, start = 0 : i32} : () -> tensor<16xi32>
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %13 = "tk.expand_dims"(%7) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
    %14 = "tk.splat"(%arg5) : (i32) -> tensor<32x1xi32>
    %15 = arith.muli %13, %14 : tensor<32x1xi32>
    %16 = "tk.splat"(%arg0) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %15) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %18 = "tk.expand_dims"(%12) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
    %19 = "tk.broadcast"(%18) : (tensor<1x16xi32>) -> tensor<32x16xi32>
    %20 = "tk.expand_dims"(%12) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
    %21 = "tk.splat"(%arg4) : (i32) -> tensor<16x1xi32>
    %22 = "tk.splat"(%arg1) : (!tk.ptr<f16>) -> tensor<16x1x!tk.ptr<f16>>
    %23 = "tk.expand_dims"(%11) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
    %24 = "tk.broadcast"(%23) : (tensor<1x32xi32>) -> tensor<16x32xi32>
    %25 = "tk.splat"(%arg4) : (i32) -> tensor<1x32xi32>
    %26 = arith.cmpi slt, %23, %25 : tensor<1x32xi32>
    %27 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<16x32xi1>
    %28 = scf.for %arg8 = %c0_i32 to %arg5 step %c16_i32 iter_args(%arg9 = %cst) -> (tensor<32x32xf32>)  : i32 {
      %61 = "tk.splat"(%arg8) : (i32) -> tensor<32x1xi32>
      %62 = "tk.addptr"(%17, %61) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
      %63 = "tk.broadcast"(%62) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x16x!tk.ptr<f16>>
      %64 = "tk.addptr"(%63, %19) : (tensor<32x16x!tk.ptr<f16>>, tensor<32x16xi32>) -> tensor<32x16x!tk.ptr<f16>>
      %65 = "tk.load"(%64) : (tensor<32x16x!tk.ptr<f16>>) -> tensor<32x16xf16>
      %66 = "tk.splat"(%arg8) : (i32) -> tensor<16x1xi32>
      %67 = arith.addi %66, %20 : tensor<16x1xi32>
      %68 = arith.muli %67, %21 : tensor<16x1xi32>
      %69 = "tk.addptr"(%22, %68) : (tensor<16x1x!tk.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tk.ptr<f16>>
      %70 = "tk.broadcast"(%69) : (tensor<16x1x!tk.ptr<f16>>) -> tensor<16x32x!tk.ptr<f16>>
      %71 = "tk.addptr"(%70, %24) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi32>) -> tensor<16x32x!tk.ptr<f16>>
      %72 = "tk.load"(%71, %27) : (tensor<16x32x!tk.ptr<f16>>, tensor<16x32xi1>) -> tensor<16x32xf16>
      %73 = "tk.dot"(%65, %72, %arg9) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %73 : tensor<32x32xf32>
    }
    %29 = "tk.splat"(%arg4) : (i32) -> tensor<32x1xi32>
    %30 = arith.muli %13, %29 : tensor<32x1xi32>
    %31 = "tk.splat"(%arg7) : (!tk.ptr<f16>) -> tensor<32x1x!tk.ptr<f16>>
    %32 = "tk.addptr"(%31, %30) : (tensor<32x1x!tk.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tk.ptr<f16>>
    %33 = "tk.broadcast"(%32) : (tensor<32x1x!tk.ptr<f16>>) -> tensor<32x32x!tk.ptr<f16>>
    %34 = "tk.broadcast"(%23) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %35 = "tk.addptr"(%33, %34) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tk.ptr<f16>>
    %36 = arith.truncf %28 : tensor<32x32xf32> to tensor<32x32xf16>
    %37 = "tk.broadcast"(%26) : (tensor<1x32xi1>) -> tensor<32x32xi1>
    "tk.store"(%35, %36, %37) : (tensor<32x32x!tk.ptr<f16>>, tensor<32x32xf16>, tensor<32x32xi1>) -> ()
    %38 = "tk.program_id"() {axis = 0 : i32, tk.step = 1 : i32} : () -> i32
    %39 = "tk.program_id"() {axis = 1 : i32, tk.step = 1 : i32} : () -> i32
    %c64_i32 = arith.constant 64 : i32
    %40 = arith.muli %39, %c64_i32 : i32
    %41 = "tk.range"() {end = 64 : i32, start = 0 : i32} : () -> tensor<64xi32>
    %42 = "tk.splat"(%40) : (i32) -> tensor<64xi32>
    %43 = arith.addi %42, %41 : tensor<64xi32>
    %c2_i32 = arith.constant 2 : i32
    %44 = arith.muli %38, %c2_i32 : i32
    %45 = arith.muli %44, %arg6 : i32
    %46 = "tk.addptr"(%arg7, %45) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %47 = "tk.addptr"(%46, %arg6) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %48 = "tk.splat"(%47) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %49 = "tk.addptr"(%48, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %50 = "tk.splat"(%arg6) : (i32) -> tensor<64xi32>
    %51 = arith.cmpi slt, %43, %50 : tensor<64xi32>
    %52 = "tk.load"(%49, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %53 = arith.muli %38, %arg6 : i32
    %54 = "tk.addptr"(%arg2, %53) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %55 = "tk.splat"(%54) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %56 = "tk.addptr"(%55, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %57 = "tk.splat"(%46) : (!tk.ptr<f16>) -> tensor<64x!tk.ptr<f16>>
    %58 = "tk.addptr"(%57, %43) : (tensor<64x!tk.ptr<f16>>, tensor<64xi32>) -> tensor<64x!tk.ptr<f16>>
    %59 = "tk.load"(%58, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xi1>) -> tensor<64xf16>
    %60 = arith.mulf %59, %52 : tensor<64xf16>
    "tk.store"(%56, %60, %51) {tk.step = 1 : i32} : (tensor<64x!tk.ptr<f16>>, tensor<64xf16>, tensor<64xi1>) -> ()
    return
  }
}
