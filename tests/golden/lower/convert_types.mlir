// Every conversion between integer and float types.
module {
  func.func @convert_types(%xi8: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %oi8: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %xi16: !tk.ptr<i16> {tk.divisibility = 16 : i32}, %oi16: !tk.ptr<i16> {tk.divisibility = 16 : i32}, %xi32: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %oi32: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %xi64: !tk.ptr<i64> {tk.divisibility = 16 : i32}, %oi64: !tk.ptr<i64> {tk.divisibility = 16 : i32}, %xf16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %of16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %xbf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %obf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %xf32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %of32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %xf64: !tk.ptr<f64> {tk.divisibility = 16 : i32}, %of64: !tk.ptr<f64> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%xi8) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %2 = "tk.addptr"(%1, %0) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %3 = "tk.load"(%2) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %4 = arith.extsi %3 : tensor<256xi8> to tensor<256xi16>
    %5 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %6 = "tk.splat"(%oi16) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %7 = "tk.addptr"(%6, %5) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%7, %4) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %8 = arith.extui %3 : tensor<256xi8> to tensor<256xi16>
    %9 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %10 = arith.constant 256 : i32
    %11 = "tk.addptr"(%oi16, %10) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %12 = "tk.splat"(%11) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %13 = "tk.addptr"(%12, %9) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%13, %8) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %14 = arith.extsi %3 : tensor<256xi8> to tensor<256xi32>
    %15 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %16 = "tk.splat"(%oi32) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %17 = "tk.addptr"(%16, %15) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%17, %14) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %18 = arith.extui %3 : tensor<256xi8> to tensor<256xi32>
    %19 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %20 = arith.constant 256 : i32
    %21 = "tk.addptr"(%oi32, %20) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %22 = "tk.splat"(%21) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %23 = "tk.addptr"(%22, %19) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%23, %18) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %24 = arith.extsi %3 : tensor<256xi8> to tensor<256xi64>
    %25 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %26 = "tk.splat"(%oi64) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %27 = "tk.addptr"(%26, %25) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%27, %24) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %28 = arith.extui %3 : tensor<256xi8> to tensor<256xi64>
    %29 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %30 = arith.constant 256 : i32
    %31 = "tk.addptr"(%oi64, %30) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %32 = "tk.splat"(%31) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %33 = "tk.addptr"(%32, %29) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%33, %28) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %34 = arith.sitofp %3 : tensor<256xi8> to tensor<256xf16>
    %35 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %36 = "tk.splat"(%of16) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %37 = "tk.addptr"(%36, %35) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%37, %34) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %38 = arith.uitofp %3 : tensor<256xi8> to tensor<256xf16>
    %39 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %40 = arith.constant 256 : i32
    %41 = "tk.addptr"(%of16, %40) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %42 = "tk.splat"(%41) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %43 = "tk.addptr"(%42, %39) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%43, %38) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %44 = arith.sitofp %3 : tensor<256xi8> to tensor<256xbf16>
    %45 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %46 = "tk.splat"(%obf16) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %47 = "tk.addptr"(%46, %45) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%47, %44) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %48 = arith.uitofp %3 : tensor<256xi8> to tensor<256xbf16>
    %49 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %50 = arith.constant 256 : i32
    %51 = "tk.addptr"(%obf16, %50) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %52 = "tk.splat"(%51) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %53 = "tk.addptr"(%52, %49) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%53, %48) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %54 = arith.sitofp %3 : tensor<256xi8> to tensor<256xf32>
    %55 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %56 = "tk.splat"(%of32) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %57 = "tk.addptr"(%56, %55) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%57, %54) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %58 = arith.uitofp %3 : tensor<256xi8> to tensor<256xf32>
    %59 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %60 = arith.constant 256 : i32
    %61 = "tk.addptr"(%of32, %60) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %62 = "tk.splat"(%61) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %63 = "tk.addptr"(%62, %59) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%63, %58) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %64 = arith.sitofp %3 : tensor<256xi8> to tensor<256xf64>
    %65 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %66 = "tk.splat"(%of64) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %67 = "tk.addptr"(%66, %65) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%67, %64) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %68 = arith.uitofp %3 : tensor<256xi8> to tensor<256xf64>
    %69 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %70 = arith.constant 256 : i32
    %71 = "tk.addptr"(%of64, %70) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %72 = "tk.splat"(%71) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %73 = "tk.addptr"(%72, %69) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%73, %68) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %74 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %75 = "tk.splat"(%xi16) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %76 = "tk.addptr"(%75, %74) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    %77 = "tk.load"(%76) : (tensor<256x!tk.ptr<i16>>) -> tensor<256xi16>
    %78 = arith.trunci %77 : tensor<256xi16> to tensor<256xi8>
    %79 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %80 = "tk.splat"(%oi8) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %81 = "tk.addptr"(%80, %79) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%81, %78) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %82 = arith.extsi %77 : tensor<256xi16> to tensor<256xi32>
    %83 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %84 = arith.constant 512 : i32
    %85 = "tk.addptr"(%oi32, %84) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %86 = "tk.splat"(%85) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %87 = "tk.addptr"(%86, %83) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%87, %82) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %88 = arith.extui %77 : tensor<256xi16> to tensor<256xi32>
    %89 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %90 = arith.constant 768 : i32
    %91 = "tk.addptr"(%oi32, %90) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %92 = "tk.splat"(%91) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %93 = "tk.addptr"(%92, %89) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%93, %88) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %94 = arith.extsi %77 : tensor<256xi16> to tensor<256xi64>
    %95 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %96 = arith.constant 512 : i32
    %97 = "tk.addptr"(%oi64, %96) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %98 = "tk.splat"(%97) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %99 = "tk.addptr"(%98, %95) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%99, %94) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %100 = arith.extui %77 : tensor<256xi16> to tensor<256xi64>
    %101 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %102 = arith.constant 768 : i32
    %103 = "tk.addptr"(%oi64, %102) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %104 = "tk.splat"(%103) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %105 = "tk.addptr"(%104, %101) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%105, %100) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %106 = arith.sitofp %77 : tensor<256xi16> to tensor<256xf16>
    %107 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %108 = arith.constant 512 : i32
    %109 = "tk.addptr"(%of16, %108) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %110 = "tk.splat"(%109) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %111 = "tk.addptr"(%110, %107) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%111, %106) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %112 = arith.uitofp %77 : tensor<256xi16> to tensor<256xf16>
    %113 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %114 = arith.constant 768 : i32
    %115 = "tk.addptr"(%of16, %114) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %116 = "tk.splat"(%115) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %117 = "tk.addptr"(%116, %113) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%117, %112) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %118 = arith.bitcast %77 : tensor<256xi16> to tensor<256xf16>
    %119 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %120 = arith.constant 1024 : i32
    %121 = "tk.addptr"(%of16, %120) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %122 = "tk.splat"(%121) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %123 = "tk.addptr"(%122, %119) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%123, %118) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %124 = arith.sitofp %77 : tensor<256xi16> to tensor<256xbf16>
    %125 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %126 = arith.constant 512 : i32
    %127 = "tk.addptr"(%obf16, %126) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %128 = "tk.splat"(%127) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %129 = "tk.addptr"(%128, %125) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%129, %124) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %130 = arith.uitofp %77 : tensor<256xi16> to tensor<256xbf16>
    %131 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %132 = arith.constant 768 : i32
    %133 = "tk.addptr"(%obf16, %132) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %134 = "tk.splat"(%133) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %135 = "tk.addptr"(%134, %131) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%135, %130) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %136 = arith.bitcast %77 : tensor<256xi16> to tensor<256xbf16>
    %137 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %138 = arith.constant 1024 : i32
    %139 = "tk.addptr"(%obf16, %138) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %140 = "tk.splat"(%139) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %141 = "tk.addptr"(%140, %137) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%141, %136) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %142 = arith.sitofp %77 : tensor<256xi16> to tensor<256xf32>
    %143 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %144 = arith.constant 512 : i32
    %145 = "tk.addptr"(%of32, %144) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %146 = "tk.splat"(%145) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %147 = "tk.addptr"(%146, %143) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%147, %142) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %148 = arith.uitofp %77 : tensor<256xi16> to tensor<256xf32>
    %149 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %150 = arith.constant 768 : i32
    %151 = "tk.addptr"(%of32, %150) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %152 = "tk.splat"(%151) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %153 = "tk.addptr"(%152, %149) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%153, %148) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %154 = arith.sitofp %77 : tensor<256xi16> to tensor<256xf64>
    %155 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %156 = arith.constant 512 : i32
    %157 = "tk.addptr"(%of64, %156) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %158 = "tk.splat"(%157) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %159 = "tk.addptr"(%158, %155) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%159, %154) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %160 = arith.uitofp %77 : tensor<256xi16> to tensor<256xf64>
    %161 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %162 = arith.constant 768 : i32
    %163 = "tk.addptr"(%of64, %162) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %164 = "tk.splat"(%163) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %165 = "tk.addptr"(%164, %161) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%165, %160) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %166 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %167 = "tk.splat"(%xi32) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %168 = "tk.addptr"(%167, %166) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    %169 = "tk.load"(%168) : (tensor<256x!tk.ptr<i32>>) -> tensor<256xi32>
    %170 = arith.trunci %169 : tensor<256xi32> to tensor<256xi8>
    %171 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %172 = arith.constant 256 : i32
    %173 = "tk.addptr"(%oi8, %172) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %174 = "tk.splat"(%173) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %175 = "tk.addptr"(%174, %171) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%175, %170) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %176 = arith.trunci %169 : tensor<256xi32> to tensor<256xi16>
    %177 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %178 = arith.constant 512 : i32
    %179 = "tk.addptr"(%oi16, %178) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %180 = "tk.splat"(%179) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %181 = "tk.addptr"(%180, %177) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%181, %176) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %182 = arith.extsi %169 : tensor<256xi32> to tensor<256xi64>
    %183 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %184 = arith.constant 1024 : i32
    %185 = "tk.addptr"(%oi64, %184) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %186 = "tk.splat"(%185) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %187 = "tk.addptr"(%186, %183) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%187, %182) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %188 = arith.extui %169 : tensor<256xi32> to tensor<256xi64>
    %189 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %190 = arith.constant 1280 : i32
    %191 = "tk.addptr"(%oi64, %190) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %192 = "tk.splat"(%191) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %193 = "tk.addptr"(%192, %189) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%193, %188) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %194 = arith.sitofp %169 : tensor<256xi32> to tensor<256xf16>
    %195 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %196 = arith.constant 1280 : i32
    %197 = "tk.addptr"(%of16, %196) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %198 = "tk.splat"(%197) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %199 = "tk.addptr"(%198, %195) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%199, %194) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %200 = arith.uitofp %169 : tensor<256xi32> to tensor<256xf16>
    %201 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %202 = arith.constant 1536 : i32
    %203 = "tk.addptr"(%of16, %202) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %204 = "tk.splat"(%203) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %205 = "tk.addptr"(%204, %201) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%205, %200) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %206 = arith.sitofp %169 : tensor<256xi32> to tensor<256xbf16>
    %207 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %208 = arith.constant 1280 : i32
    %209 = "tk.addptr"(%obf16, %208) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %210 = "tk.splat"(%209) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %211 = "tk.addptr"(%210, %207) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%211, %206) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %212 = arith.uitofp %169 : tensor<256xi32> to tensor<256xbf16>
    %213 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %214 = arith.constant 1536 : i32
    %215 = "tk.addptr"(%obf16, %214) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %216 = "tk.splat"(%215) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %217 = "tk.addptr"(%216, %213) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%217, %212) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %218 = arith.sitofp %169 : tensor<256xi32> to tensor<256xf32>
    %219 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %220 = arith.constant 1024 : i32
    %221 = "tk.addptr"(%of32, %220) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %222 = "tk.splat"(%221) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %223 = "tk.addptr"(%222, %219) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%223, %218) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %224 = arith.uitofp %169 : tensor<256xi32> to tensor<256xf32>
    %225 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %226 = arith.constant 1280 : i32
    %227 = "tk.addptr"(%of32, %226) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %228 = "tk.splat"(%227) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %229 = "tk.addptr"(%228, %225) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%229, %224) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %230 = arith.bitcast %169 : tensor<256xi32> to tensor<256xf32>
    %231 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %232 = arith.constant 1536 : i32
    %233 = "tk.addptr"(%of32, %232) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %234 = "tk.splat"(%233) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %235 = "tk.addptr"(%234, %231) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%235, %230) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %236 = arith.sitofp %169 : tensor<256xi32> to tensor<256xf64>
    %237 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %238 = arith.constant 1024 : i32
    %239 = "tk.addptr"(%of64, %238) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %240 = "tk.splat"(%239) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %241 = "tk.addptr"(%240, %237) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%241, %236) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %242 = arith.uitofp %169 : tensor<256xi32> to tensor<256xf64>
    %243 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %244 = arith.constant 1280 : i32
    %245 = "tk.addptr"(%of64, %244) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %246 = "tk.splat"(%245) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %247 = "tk.addptr"(%246, %243) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%247, %242) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %248 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %249 = "tk.splat"(%xi64) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %250 = "tk.addptr"(%249, %248) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    %251 = "tk.load"(%250) : (tensor<256x!tk.ptr<i64>>) -> tensor<256xi64>
    %252 = arith.trunci %251 : tensor<256xi64> to tensor<256xi8>
    %253 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %254 = arith.constant 512 : i32
    %255 = "tk.addptr"(%oi8, %254) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %256 = "tk.splat"(%255) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %257 = "tk.addptr"(%256, %253) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%257, %252) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %258 = arith.trunci %251 : tensor<256xi64> to tensor<256xi16>
    %259 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %260 = arith.constant 768 : i32
    %261 = "tk.addptr"(%oi16, %260) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %262 = "tk.splat"(%261) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %263 = "tk.addptr"(%262, %259) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%263, %258) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %264 = arith.trunci %251 : tensor<256xi64> to tensor<256xi32>
    %265 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %266 = arith.constant 1024 : i32
    %267 = "tk.addptr"(%oi32, %266) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %268 = "tk.splat"(%267) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %269 = "tk.addptr"(%268, %265) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%269, %264) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %270 = arith.sitofp %251 : tensor<256xi64> to tensor<256xf16>
    %271 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %272 = arith.constant 1792 : i32
    %273 = "tk.addptr"(%of16, %272) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %274 = "tk.splat"(%273) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %275 = "tk.addptr"(%274, %271) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%275, %270) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %276 = arith.uitofp %251 : tensor<256xi64> to tensor<256xf16>
    %277 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %278 = arith.constant 2048 : i32
    %279 = "tk.addptr"(%of16, %278) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %280 = "tk.splat"(%279) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %281 = "tk.addptr"(%280, %277) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%281, %276) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %282 = arith.sitofp %251 : tensor<256xi64> to tensor<256xbf16>
    %283 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %284 = arith.constant 1792 : i32
    %285 = "tk.addptr"(%obf16, %284) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %286 = "tk.splat"(%285) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %287 = "tk.addptr"(%286, %283) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%287, %282) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %288 = arith.uitofp %251 : tensor<256xi64> to tensor<256xbf16>
    %289 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %290 = arith.constant 2048 : i32
    %291 = "tk.addptr"(%obf16, %290) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %292 = "tk.splat"(%291) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %293 = "tk.addptr"(%292, %289) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%293, %288) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %294 = arith.sitofp %251 : tensor<256xi64> to tensor<256xf32>
    %295 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %296 = arith.constant 1792 : i32
    %297 = "tk.addptr"(%of32, %296) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %298 = "tk.splat"(%297) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %299 = "tk.addptr"(%298, %295) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%299, %294) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %300 = arith.uitofp %251 : tensor<256xi64> to tensor<256xf32>
    %301 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %302 = arith.constant 2048 : i32
    %303 = "tk.addptr"(%of32, %302) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %304 = "tk.splat"(%303) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %305 = "tk.addptr"(%304, %301) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%305, %300) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %306 = arith.sitofp %251 : tensor<256xi64> to tensor<256xf64>
    %307 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %308 = arith.constant 1536 : i32
    %309 = "tk.addptr"(%of64, %308) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %310 = "tk.splat"(%309) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %311 = "tk.addptr"(%310, %307) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%311, %306) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %312 = arith.uitofp %251 : tensor<256xi64> to tensor<256xf64>
    %313 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %314 = arith.constant 1792 : i32
    %315 = "tk.addptr"(%of64, %314) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %316 = "tk.splat"(%315) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %317 = "tk.addptr"(%316, %313) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%317, %312) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %318 = arith.bitcast %251 : tensor<256xi64> to tensor<256xf64>
    %319 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %320 = arith.constant 2048 : i32
    %321 = "tk.addptr"(%of64, %320) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %322 = "tk.splat"(%321) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %323 = "tk.addptr"(%322, %319) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%323, %318) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %324 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %325 = "tk.splat"(%xf16) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %326 = "tk.addptr"(%325, %324) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %327 = "tk.load"(%326) : (tensor<256x!tk.ptr<f16>>) -> tensor<256xf16>
    %328 = arith.fptosi %327 : tensor<256xf16> to tensor<256xi8>
    %329 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %330 = arith.constant 768 : i32
    %331 = "tk.addptr"(%oi8, %330) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %332 = "tk.splat"(%331) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %333 = "tk.addptr"(%332, %329) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%333, %328) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %334 = arith.fptoui %327 : tensor<256xf16> to tensor<256xi8>
    %335 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %336 = arith.constant 1024 : i32
    %337 = "tk.addptr"(%oi8, %336) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %338 = "tk.splat"(%337) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %339 = "tk.addptr"(%338, %335) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%339, %334) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %340 = arith.fptosi %327 : tensor<256xf16> to tensor<256xi16>
    %341 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %342 = arith.constant 1024 : i32
    %343 = "tk.addptr"(%oi16, %342) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %344 = "tk.splat"(%343) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %345 = "tk.addptr"(%344, %341) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%345, %340) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %346 = arith.fptoui %327 : tensor<256xf16> to tensor<256xi16>
    %347 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %348 = arith.constant 1280 : i32
    %349 = "tk.addptr"(%oi16, %348) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %350 = "tk.splat"(%349) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %351 = "tk.addptr"(%350, %347) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%351, %346) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %352 = arith.bitcast %327 : tensor<256xf16> to tensor<256xi16>
    %353 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %354 = arith.constant 1536 : i32
    %355 = "tk.addptr"(%oi16, %354) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %356 = "tk.splat"(%355) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %357 = "tk.addptr"(%356, %353) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%357, %352) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %358 = arith.fptosi %327 : tensor<256xf16> to tensor<256xi32>
    %359 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %360 = arith.constant 1280 : i32
    %361 = "tk.addptr"(%oi32, %360) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %362 = "tk.splat"(%361) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %363 = "tk.addptr"(%362, %359) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%363, %358) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %364 = arith.fptoui %327 : tensor<256xf16> to tensor<256xi32>
    %365 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %366 = arith.constant 1536 : i32
    %367 = "tk.addptr"(%oi32, %366) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %368 = "tk.splat"(%367) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %369 = "tk.addptr"(%368, %365) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%369, %364) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %370 = arith.fptosi %327 : tensor<256xf16> to tensor<256xi64>
    %371 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %372 = arith.constant 1536 : i32
    %373 = "tk.addptr"(%oi64, %372) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %374 = "tk.splat"(%373) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %375 = "tk.addptr"(%374, %371) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%375, %370) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %376 = arith.fptoui %327 : tensor<256xf16> to tensor<256xi64>
    %377 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %378 = arith.constant 1792 : i32
    %379 = "tk.addptr"(%oi64, %378) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %380 = "tk.splat"(%379) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %381 = "tk.addptr"(%380, %377) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%381, %376) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %382 = "tk.fp_to_fp"(%327) {rounding = "rtne"} : (tensor<256xf16>) -> tensor<256xbf16>
    %383 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %384 = arith.constant 2304 : i32
    %385 = "tk.addptr"(%obf16, %384) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %386 = "tk.splat"(%385) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %387 = "tk.addptr"(%386, %383) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%387, %382) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %388 = arith.bitcast %327 : tensor<256xf16> to tensor<256xbf16>
    %389 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %390 = arith.constant 2560 : i32
    %391 = "tk.addptr"(%obf16, %390) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %392 = "tk.splat"(%391) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %393 = "tk.addptr"(%392, %389) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%393, %388) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %394 = arith.extf %327 : tensor<256xf16> to tensor<256xf32>
    %395 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %396 = arith.constant 2304 : i32
    %397 = "tk.addptr"(%of32, %396) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %398 = "tk.splat"(%397) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %399 = "tk.addptr"(%398, %395) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%399, %394) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %400 = arith.extf %327 : tensor<256xf16> to tensor<256xf64>
    %401 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %402 = arith.constant 2304 : i32
    %403 = "tk.addptr"(%of64, %402) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %404 = "tk.splat"(%403) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %405 = "tk.addptr"(%404, %401) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%405, %400) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %406 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %407 = "tk.splat"(%xbf16) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %408 = "tk.addptr"(%407, %406) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    %409 = "tk.load"(%408) : (tensor<256x!tk.ptr<bf16>>) -> tensor<256xbf16>
    %410 = arith.fptosi %409 : tensor<256xbf16> to tensor<256xi8>
    %411 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %412 = arith.constant 1280 : i32
    %413 = "tk.addptr"(%oi8, %412) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %414 = "tk.splat"(%413) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %415 = "tk.addptr"(%414, %411) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%415, %410) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %416 = arith.fptoui %409 : tensor<256xbf16> to tensor<256xi8>
    %417 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %418 = arith.constant 1536 : i32
    %419 = "tk.addptr"(%oi8, %418) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %420 = "tk.splat"(%419) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %421 = "tk.addptr"(%420, %417) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%421, %416) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %422 = arith.fptosi %409 : tensor<256xbf16> to tensor<256xi16>
    %423 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %424 = arith.constant 1792 : i32
    %425 = "tk.addptr"(%oi16, %424) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %426 = "tk.splat"(%425) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %427 = "tk.addptr"(%426, %423) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%427, %422) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %428 = arith.fptoui %409 : tensor<256xbf16> to tensor<256xi16>
    %429 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %430 = arith.constant 2048 : i32
    %431 = "tk.addptr"(%oi16, %430) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %432 = "tk.splat"(%431) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %433 = "tk.addptr"(%432, %429) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%433, %428) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %434 = arith.bitcast %409 : tensor<256xbf16> to tensor<256xi16>
    %435 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %436 = arith.constant 2304 : i32
    %437 = "tk.addptr"(%oi16, %436) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %438 = "tk.splat"(%437) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %439 = "tk.addptr"(%438, %435) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%439, %434) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %440 = arith.fptosi %409 : tensor<256xbf16> to tensor<256xi32>
    %441 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %442 = arith.constant 1792 : i32
    %443 = "tk.addptr"(%oi32, %442) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %444 = "tk.splat"(%443) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %445 = "tk.addptr"(%444, %441) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%445, %440) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %446 = arith.fptoui %409 : tensor<256xbf16> to tensor<256xi32>
    %447 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %448 = arith.constant 2048 : i32
    %449 = "tk.addptr"(%oi32, %448) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %450 = "tk.splat"(%449) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %451 = "tk.addptr"(%450, %447) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%451, %446) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %452 = arith.fptosi %409 : tensor<256xbf16> to tensor<256xi64>
    %453 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %454 = arith.constant 2048 : i32
    %455 = "tk.addptr"(%oi64, %454) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %456 = "tk.splat"(%455) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %457 = "tk.addptr"(%456, %453) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%457, %452) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %458 = arith.fptoui %409 : tensor<256xbf16> to tensor<256xi64>
    %459 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %460 = arith.constant 2304 : i32
    %461 = "tk.addptr"(%oi64, %460) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %462 = "tk.splat"(%461) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %463 = "tk.addptr"(%462, %459) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%463, %458) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %464 = "tk.fp_to_fp"(%409) {rounding = "rtne"} : (tensor<256xbf16>) -> tensor<256xf16>
    %465 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %466 = arith.constant 2304 : i32
    %467 = "tk.addptr"(%of16, %466) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %468 = "tk.splat"(%467) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %469 = "tk.addptr"(%468, %465) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%469, %464) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %470 = arith.bitcast %409 : tensor<256xbf16> to tensor<256xf16>
    %471 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %472 = arith.constant 2560 : i32
    %473 = "tk.addptr"(%of16, %472) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %474 = "tk.splat"(%473) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %475 = "tk.addptr"(%474, %471) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%475, %470) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %476 = arith.extf %409 : tensor<256xbf16> to tensor<256xf32>
    %477 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %478 = arith.constant 2560 : i32
    %479 = "tk.addptr"(%of32, %478) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %480 = "tk.splat"(%479) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %481 = "tk.addptr"(%480, %477) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%481, %476) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %482 = arith.extf %409 : tensor<256xbf16> to tensor<256xf64>
    %483 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %484 = arith.constant 2560 : i32
    %485 = "tk.addptr"(%of64, %484) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %486 = "tk.splat"(%485) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %487 = "tk.addptr"(%486, %483) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%487, %482) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %488 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %489 = "tk.splat"(%xf32) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %490 = "tk.addptr"(%489, %488) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %491 = "tk.load"(%490) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %492 = arith.fptosi %491 : tensor<256xf32> to tensor<256xi8>
    %493 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %494 = arith.constant 1792 : i32
    %495 = "tk.addptr"(%oi8, %494) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %496 = "tk.splat"(%495) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %497 = "tk.addptr"(%496, %493) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%497, %492) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %498 = arith.fptoui %491 : tensor<256xf32> to tensor<256xi8>
    %499 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %500 = arith.constant 2048 : i32
    %501 = "tk.addptr"(%oi8, %500) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %502 = "tk.splat"(%501) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %503 = "tk.addptr"(%502, %499) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%503, %498) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %504 = arith.fptosi %491 : tensor<256xf32> to tensor<256xi16>
    %505 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %506 = arith.constant 2560 : i32
    %507 = "tk.addptr"(%oi16, %506) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %508 = "tk.splat"(%507) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %509 = "tk.addptr"(%508, %505) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%509, %504) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %510 = arith.fptoui %491 : tensor<256xf32> to tensor<256xi16>
    %511 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %512 = arith.constant 2816 : i32
    %513 = "tk.addptr"(%oi16, %512) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %514 = "tk.splat"(%513) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %515 = "tk.addptr"(%514, %511) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%515, %510) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %516 = arith.fptosi %491 : tensor<256xf32> to tensor<256xi32>
    %517 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %518 = arith.constant 2304 : i32
    %519 = "tk.addptr"(%oi32, %518) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %520 = "tk.splat"(%519) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %521 = "tk.addptr"(%520, %517) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%521, %516) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %522 = arith.fptoui %491 : tensor<256xf32> to tensor<256xi32>
    %523 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %524 = arith.constant 2560 : i32
    %525 = "tk.addptr"(%oi32, %524) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %526 = "tk.splat"(%525) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %527 = "tk.addptr"(%526, %523) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%527, %522) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %528 = arith.bitcast %491 : tensor<256xf32> to tensor<256xi32>
    %529 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %530 = arith.constant 2816 : i32
    %531 = "tk.addptr"(%oi32, %530) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %532 = "tk.splat"(%531) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %533 = "tk.addptr"(%532, %529) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%533, %528) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %534 = arith.fptosi %491 : tensor<256xf32> to tensor<256xi64>
    %535 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %536 = arith.constant 2560 : i32
    %537 = "tk.addptr"(%oi64, %536) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %538 = "tk.splat"(%537) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %539 = "tk.addptr"(%538, %535) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%539, %534) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %540 = arith.fptoui %491 : tensor<256xf32> to tensor<256xi64>
    %541 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %542 = arith.constant 2816 : i32
    %543 = "tk.addptr"(%oi64, %542) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %544 = "tk.splat"(%543) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %545 = "tk.addptr"(%544, %541) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%545, %540) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %546 = arith.truncf %491 : tensor<256xf32> to tensor<256xf16>
    %547 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %548 = arith.constant 2816 : i32
    %549 = "tk.addptr"(%of16, %548) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %550 = "tk.splat"(%549) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %551 = "tk.addptr"(%550, %547) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%551, %546) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %552 = "tk.fp_to_fp"(%491) {rounding = "rtz"} : (tensor<256xf32>) -> tensor<256xf16>
    %553 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %554 = arith.constant 3072 : i32
    %555 = "tk.addptr"(%of16, %554) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %556 = "tk.splat"(%555) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %557 = "tk.addptr"(%556, %553) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%557, %552) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %558 = arith.truncf %491 : tensor<256xf32> to tensor<256xbf16>
    %559 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %560 = arith.constant 2816 : i32
    %561 = "tk.addptr"(%obf16, %560) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %562 = "tk.splat"(%561) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %563 = "tk.addptr"(%562, %559) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%563, %558) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %564 = "tk.fp_to_fp"(%491) {rounding = "rtz"} : (tensor<256xf32>) -> tensor<256xbf16>
    %565 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %566 = arith.constant 3072 : i32
    %567 = "tk.addptr"(%obf16, %566) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %568 = "tk.splat"(%567) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %569 = "tk.addptr"(%568, %565) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%569, %564) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %570 = arith.extf %491 : tensor<256xf32> to tensor<256xf64>
    %571 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %572 = arith.constant 2816 : i32
    %573 = "tk.addptr"(%of64, %572) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %574 = "tk.splat"(%573) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %575 = "tk.addptr"(%574, %571) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%575, %570) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %576 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %577 = "tk.splat"(%xf64) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %578 = "tk.addptr"(%577, %576) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    %579 = "tk.load"(%578) : (tensor<256x!tk.ptr<f64>>) -> tensor<256xf64>
    %580 = arith.fptosi %579 : tensor<256xf64> to tensor<256xi8>
    %581 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %582 = arith.constant 2304 : i32
    %583 = "tk.addptr"(%oi8, %582) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %584 = "tk.splat"(%583) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %585 = "tk.addptr"(%584, %581) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%585, %580) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %586 = arith.fptoui %579 : tensor<256xf64> to tensor<256xi8>
    %587 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %588 = arith.constant 2560 : i32
    %589 = "tk.addptr"(%oi8, %588) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %590 = "tk.splat"(%589) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %591 = "tk.addptr"(%590, %587) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%591, %586) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %592 = arith.fptosi %579 : tensor<256xf64> to tensor<256xi16>
    %593 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %594 = arith.constant 3072 : i32
    %595 = "tk.addptr"(%oi16, %594) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %596 = "tk.splat"(%595) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %597 = "tk.addptr"(%596, %593) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%597, %592) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %598 = arith.fptoui %579 : tensor<256xf64> to tensor<256xi16>
    %599 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %600 = arith.constant 3328 : i32
    %601 = "tk.addptr"(%oi16, %600) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %602 = "tk.splat"(%601) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %603 = "tk.addptr"(%602, %599) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%603, %598) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %604 = arith.fptosi %579 : tensor<256xf64> to tensor<256xi32>
    %605 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %606 = arith.constant 3072 : i32
    %607 = "tk.addptr"(%oi32, %606) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %608 = "tk.splat"(%607) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %609 = "tk.addptr"(%608, %605) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%609, %604) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %610 = arith.fptoui %579 : tensor<256xf64> to tensor<256xi32>
    %611 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %612 = arith.constant 3328 : i32
    %613 = "tk.addptr"(%oi32, %612) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %614 = "tk.splat"(%613) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %615 = "tk.addptr"(%614, %611) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%615, %610) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %616 = arith.fptosi %579 : tensor<256xf64> to tensor<256xi64>
    %617 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %618 = arith.constant 3072 : i32
    %619 = "tk.addptr"(%oi64, %618) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %620 = "tk.splat"(%619) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %621 = "tk.addptr"(%620, %617) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%621, %616) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %622 = arith.fptoui %579 : tensor<256xf64> to tensor<256xi64>
    %623 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %624 = arith.constant 3328 : i32
    %625 = "tk.addptr"(%oi64, %624) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %626 = "tk.splat"(%625) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %627 = "tk.addptr"(%626, %623) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%627, %622) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %628 = arith.bitcast %579 : tensor<256xf64> to tensor<256xi64>
    %629 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %630 = arith.constant 3584 : i32
    %631 = "tk.addptr"(%oi64, %630) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %632 = "tk.splat"(%631) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %633 = "tk.addptr"(%632, %629) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%633, %628) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %634 = arith.truncf %579 : tensor<256xf64> to tensor<256xf16>
    %635 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %636 = arith.constant 3328 : i32
    %637 = "tk.addptr"(%of16, %636) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %638 = "tk.splat"(%637) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %639 = "tk.addptr"(%638, %635) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%639, %634) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %640 = arith.truncf %579 : tensor<256xf64> to tensor<256xbf16>
    %641 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %642 = arith.constant 3328 : i32
    %643 = "tk.addptr"(%obf16, %642) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %644 = "tk.splat"(%643) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %645 = "tk.addptr"(%644, %641) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%645, %640) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %646 = arith.truncf %579 : tensor<256xf64> to tensor<256xf32>
    %647 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %648 = arith.constant 2816 : i32
    %649 = "tk.addptr"(%of32, %648) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %650 = "tk.splat"(%649) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %651 = "tk.addptr"(%650, %647) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%651, %646) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    func.return
  }
}
