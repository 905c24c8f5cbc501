// Every f8 value to f32 (as bits), and f32 values back to f8, in four formats.
module {
  func.func @f8(%in: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %fin: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%in) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %2 = "tk.addptr"(%1, %0) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %3 = "tk.load"(%2) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %4 = "arith.bitcast"(%3) : (tensor<256xi8>) -> tensor<256xf8E4M3FN>
    %5 = "tk.fp_to_fp"(%4) : (tensor<256xf8E4M3FN>) -> tensor<256xf32>
    %6 = "arith.bitcast"(%5) : (tensor<256xf32>) -> tensor<256xi32>
    %7 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %8 = "tk.splat"(%out) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %9 = "tk.addptr"(%8, %7) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%9, %6) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %10 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %11 = "tk.splat"(%fin) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %12 = "tk.addptr"(%11, %10) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %13 = "tk.load"(%12) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %14 = "tk.fp_to_fp"(%13) {rounding = "rtne"} : (tensor<1024xf32>) -> tensor<1024xf8E4M3FN>
    %15 = "arith.bitcast"(%14) : (tensor<1024xf8E4M3FN>) -> tensor<1024xi8>
    %16 = "arith.extui"(%15) : (tensor<1024xi8>) -> tensor<1024xi32>
    %17 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %18 = arith.constant 1024 : i32
    %19 = "tk.addptr"(%out, %18) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %20 = "tk.splat"(%19) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %21 = "tk.addptr"(%20, %17) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    "tk.store"(%21, %16) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> ()
    %22 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %23 = "tk.splat"(%in) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %24 = "tk.addptr"(%23, %22) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %25 = "tk.load"(%24) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %26 = "arith.bitcast"(%25) : (tensor<256xi8>) -> tensor<256xf8E5M2>
    %27 = "tk.fp_to_fp"(%26) : (tensor<256xf8E5M2>) -> tensor<256xf32>
    %28 = "arith.bitcast"(%27) : (tensor<256xf32>) -> tensor<256xi32>
    %29 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %30 = arith.constant 256 : i32
    %31 = "tk.addptr"(%out, %30) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %32 = "tk.splat"(%31) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %33 = "tk.addptr"(%32, %29) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%33, %28) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %34 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %35 = "tk.splat"(%fin) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %36 = "tk.addptr"(%35, %34) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %37 = "tk.load"(%36) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %38 = "tk.fp_to_fp"(%37) {rounding = "rtne"} : (tensor<1024xf32>) -> tensor<1024xf8E5M2>
    %39 = "arith.bitcast"(%38) : (tensor<1024xf8E5M2>) -> tensor<1024xi8>
    %40 = "arith.extui"(%39) : (tensor<1024xi8>) -> tensor<1024xi32>
    %41 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %42 = arith.constant 2048 : i32
    %43 = "tk.addptr"(%out, %42) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %44 = "tk.splat"(%43) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %45 = "tk.addptr"(%44, %41) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    "tk.store"(%45, %40) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> ()
    %46 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %47 = "tk.splat"(%in) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %48 = "tk.addptr"(%47, %46) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %49 = "tk.load"(%48) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %50 = "arith.bitcast"(%49) : (tensor<256xi8>) -> tensor<256xf8E4M3FNUZ>
    %51 = "tk.fp_to_fp"(%50) : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf32>
    %52 = "arith.bitcast"(%51) : (tensor<256xf32>) -> tensor<256xi32>
    %53 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %54 = arith.constant 512 : i32
    %55 = "tk.addptr"(%out, %54) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %56 = "tk.splat"(%55) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %57 = "tk.addptr"(%56, %53) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%57, %52) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %58 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %59 = "tk.splat"(%fin) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %60 = "tk.addptr"(%59, %58) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %61 = "tk.load"(%60) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %62 = "tk.fp_to_fp"(%61) {rounding = "rtne"} : (tensor<1024xf32>) -> tensor<1024xf8E4M3FNUZ>
    %63 = "arith.bitcast"(%62) : (tensor<1024xf8E4M3FNUZ>) -> tensor<1024xi8>
    %64 = "arith.extui"(%63) : (tensor<1024xi8>) -> tensor<1024xi32>
    %65 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %66 = arith.constant 3072 : i32
    %67 = "tk.addptr"(%out, %66) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %68 = "tk.splat"(%67) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %69 = "tk.addptr"(%68, %65) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    "tk.store"(%69, %64) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> ()
    %70 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %71 = "tk.splat"(%in) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %72 = "tk.addptr"(%71, %70) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %73 = "tk.load"(%72) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %74 = "arith.bitcast"(%73) : (tensor<256xi8>) -> tensor<256xf8E5M2FNUZ>
    %75 = "tk.fp_to_fp"(%74) : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf32>
    %76 = "arith.bitcast"(%75) : (tensor<256xf32>) -> tensor<256xi32>
    %77 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %78 = arith.constant 768 : i32
    %79 = "tk.addptr"(%out, %78) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %80 = "tk.splat"(%79) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %81 = "tk.addptr"(%80, %77) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%81, %76) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %82 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %83 = "tk.splat"(%fin) : (!tk.ptr<f32>) -> tensor<1024x!tk.ptr<f32>>
    %84 = "tk.addptr"(%83, %82) : (tensor<1024x!tk.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<f32>>
    %85 = "tk.load"(%84) : (tensor<1024x!tk.ptr<f32>>) -> tensor<1024xf32>
    %86 = "tk.fp_to_fp"(%85) {rounding = "rtne"} : (tensor<1024xf32>) -> tensor<1024xf8E5M2FNUZ>
    %87 = "arith.bitcast"(%86) : (tensor<1024xf8E5M2FNUZ>) -> tensor<1024xi8>
    %88 = "arith.extui"(%87) : (tensor<1024xi8>) -> tensor<1024xi32>
    %89 = "tk.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
    %90 = arith.constant 4096 : i32
    %91 = "tk.addptr"(%out, %90) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %92 = "tk.splat"(%91) : (!tk.ptr<i32>) -> tensor<1024x!tk.ptr<i32>>
    %93 = "tk.addptr"(%92, %89) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tk.ptr<i32>>
    "tk.store"(%93, %88) : (tensor<1024x!tk.ptr<i32>>, tensor<1024xi32>) -> ()
    func.return
  }
}
