// Float arithmetic of every type.
module {
  func.func @arith_float(%xf16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %yf16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %of16: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %xbf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %ybf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %obf16: !tk.ptr<bf16> {tk.divisibility = 16 : i32}, %xf32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %yf32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %of32: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %xf64: !tk.ptr<f64> {tk.divisibility = 16 : i32}, %yf64: !tk.ptr<f64> {tk.divisibility = 16 : i32}, %of64: !tk.ptr<f64> {tk.divisibility = 16 : i32}, %oi: !tk.ptr<i32> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%xf16) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %2 = "tk.addptr"(%1, %0) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %3 = "tk.load"(%2) : (tensor<256x!tk.ptr<f16>>) -> tensor<256xf16>
    %4 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %5 = "tk.splat"(%yf16) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %6 = "tk.addptr"(%5, %4) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    %7 = "tk.load"(%6) : (tensor<256x!tk.ptr<f16>>) -> tensor<256xf16>
    %8 = arith.addf %3, %7 : tensor<256xf16>
    %9 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %10 = "tk.splat"(%of16) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %11 = "tk.addptr"(%10, %9) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%11, %8) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %12 = arith.subf %3, %7 : tensor<256xf16>
    %13 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %14 = arith.constant 256 : i32
    %15 = "tk.addptr"(%of16, %14) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %16 = "tk.splat"(%15) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %17 = "tk.addptr"(%16, %13) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%17, %12) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %18 = arith.mulf %3, %7 : tensor<256xf16>
    %19 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %20 = arith.constant 512 : i32
    %21 = "tk.addptr"(%of16, %20) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %22 = "tk.splat"(%21) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %23 = "tk.addptr"(%22, %19) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%23, %18) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %24 = arith.divf %3, %7 : tensor<256xf16>
    %25 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %26 = arith.constant 768 : i32
    %27 = "tk.addptr"(%of16, %26) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %28 = "tk.splat"(%27) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %29 = "tk.addptr"(%28, %25) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%29, %24) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %30 = arith.minimumf %3, %7 : tensor<256xf16>
    %31 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %32 = arith.constant 1024 : i32
    %33 = "tk.addptr"(%of16, %32) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %34 = "tk.splat"(%33) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %35 = "tk.addptr"(%34, %31) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%35, %30) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %36 = arith.maximumf %3, %7 : tensor<256xf16>
    %37 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %38 = arith.constant 1280 : i32
    %39 = "tk.addptr"(%of16, %38) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %40 = "tk.splat"(%39) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %41 = "tk.addptr"(%40, %37) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%41, %36) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %42 = arith.minnumf %3, %7 : tensor<256xf16>
    %43 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %44 = arith.constant 1536 : i32
    %45 = "tk.addptr"(%of16, %44) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %46 = "tk.splat"(%45) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %47 = "tk.addptr"(%46, %43) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%47, %42) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %48 = arith.maxnumf %3, %7 : tensor<256xf16>
    %49 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %50 = arith.constant 1792 : i32
    %51 = "tk.addptr"(%of16, %50) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %52 = "tk.splat"(%51) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %53 = "tk.addptr"(%52, %49) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%53, %48) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %54 = arith.remf %3, %7 : tensor<256xf16>
    %55 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %56 = arith.constant 2048 : i32
    %57 = "tk.addptr"(%of16, %56) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %58 = "tk.splat"(%57) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %59 = "tk.addptr"(%58, %55) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%59, %54) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %60 = "arith.negf"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %61 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %62 = arith.constant 2304 : i32
    %63 = "tk.addptr"(%of16, %62) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %64 = "tk.splat"(%63) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %65 = "tk.addptr"(%64, %61) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%65, %60) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %66 = "math.absf"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %67 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %68 = arith.constant 2560 : i32
    %69 = "tk.addptr"(%of16, %68) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %70 = "tk.splat"(%69) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %71 = "tk.addptr"(%70, %67) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%71, %66) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %72 = "math.floor"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %73 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %74 = arith.constant 2816 : i32
    %75 = "tk.addptr"(%of16, %74) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %76 = "tk.splat"(%75) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %77 = "tk.addptr"(%76, %73) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%77, %72) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %78 = "math.ceil"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %79 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %80 = arith.constant 3072 : i32
    %81 = "tk.addptr"(%of16, %80) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %82 = "tk.splat"(%81) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %83 = "tk.addptr"(%82, %79) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%83, %78) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %84 = "math.trunc"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %85 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %86 = arith.constant 3328 : i32
    %87 = "tk.addptr"(%of16, %86) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %88 = "tk.splat"(%87) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %89 = "tk.addptr"(%88, %85) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%89, %84) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %90 = "math.roundeven"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %91 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %92 = arith.constant 3584 : i32
    %93 = "tk.addptr"(%of16, %92) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %94 = "tk.splat"(%93) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %95 = "tk.addptr"(%94, %91) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%95, %90) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %96 = "math.sqrt"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %97 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %98 = arith.constant 3840 : i32
    %99 = "tk.addptr"(%of16, %98) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %100 = "tk.splat"(%99) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %101 = "tk.addptr"(%100, %97) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%101, %96) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %102 = "math.rsqrt"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %103 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %104 = arith.constant 4096 : i32
    %105 = "tk.addptr"(%of16, %104) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %106 = "tk.splat"(%105) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %107 = "tk.addptr"(%106, %103) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%107, %102) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %108 = "math.exp2"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %109 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %110 = arith.constant 4352 : i32
    %111 = "tk.addptr"(%of16, %110) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %112 = "tk.splat"(%111) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %113 = "tk.addptr"(%112, %109) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%113, %108) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %114 = "math.log2"(%3) : (tensor<256xf16>) -> tensor<256xf16>
    %115 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %116 = arith.constant 4608 : i32
    %117 = "tk.addptr"(%of16, %116) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %118 = "tk.splat"(%117) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %119 = "tk.addptr"(%118, %115) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%119, %114) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %120 = "math.copysign"(%3, %7) : (tensor<256xf16>, tensor<256xf16>) -> tensor<256xf16>
    %121 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %122 = arith.constant 4864 : i32
    %123 = "tk.addptr"(%of16, %122) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %124 = "tk.splat"(%123) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %125 = "tk.addptr"(%124, %121) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%125, %120) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %126 = "math.fma"(%3, %7, %3) : (tensor<256xf16>, tensor<256xf16>, tensor<256xf16>) -> tensor<256xf16>
    %127 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %128 = arith.constant 5120 : i32
    %129 = "tk.addptr"(%of16, %128) : (!tk.ptr<f16>, i32) -> !tk.ptr<f16>
    %130 = "tk.splat"(%129) : (!tk.ptr<f16>) -> tensor<256x!tk.ptr<f16>>
    %131 = "tk.addptr"(%130, %127) : (tensor<256x!tk.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f16>>
    "tk.store"(%131, %126) : (tensor<256x!tk.ptr<f16>>, tensor<256xf16>) -> ()
    %132 = arith.cmpf oeq, %3, %7 : tensor<256xf16>
    %133 = arith.extui %132 : tensor<256xi1> to tensor<256xi32>
    %134 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %135 = "tk.splat"(%oi) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %136 = "tk.addptr"(%135, %134) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%136, %133) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %137 = arith.cmpf ogt, %3, %7 : tensor<256xf16>
    %138 = arith.extui %137 : tensor<256xi1> to tensor<256xi32>
    %139 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %140 = arith.constant 256 : i32
    %141 = "tk.addptr"(%oi, %140) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %142 = "tk.splat"(%141) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %143 = "tk.addptr"(%142, %139) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%143, %138) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %144 = arith.cmpf oge, %3, %7 : tensor<256xf16>
    %145 = arith.extui %144 : tensor<256xi1> to tensor<256xi32>
    %146 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %147 = arith.constant 512 : i32
    %148 = "tk.addptr"(%oi, %147) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %149 = "tk.splat"(%148) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %150 = "tk.addptr"(%149, %146) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%150, %145) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %151 = arith.cmpf olt, %3, %7 : tensor<256xf16>
    %152 = arith.extui %151 : tensor<256xi1> to tensor<256xi32>
    %153 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %154 = arith.constant 768 : i32
    %155 = "tk.addptr"(%oi, %154) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %156 = "tk.splat"(%155) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %157 = "tk.addptr"(%156, %153) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%157, %152) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %158 = arith.cmpf ole, %3, %7 : tensor<256xf16>
    %159 = arith.extui %158 : tensor<256xi1> to tensor<256xi32>
    %160 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %161 = arith.constant 1024 : i32
    %162 = "tk.addptr"(%oi, %161) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %163 = "tk.splat"(%162) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %164 = "tk.addptr"(%163, %160) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%164, %159) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %165 = arith.cmpf one, %3, %7 : tensor<256xf16>
    %166 = arith.extui %165 : tensor<256xi1> to tensor<256xi32>
    %167 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %168 = arith.constant 1280 : i32
    %169 = "tk.addptr"(%oi, %168) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %170 = "tk.splat"(%169) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %171 = "tk.addptr"(%170, %167) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%171, %166) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %172 = arith.cmpf ord, %3, %7 : tensor<256xf16>
    %173 = arith.extui %172 : tensor<256xi1> to tensor<256xi32>
    %174 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %175 = arith.constant 1536 : i32
    %176 = "tk.addptr"(%oi, %175) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %177 = "tk.splat"(%176) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %178 = "tk.addptr"(%177, %174) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%178, %173) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %179 = arith.cmpf ueq, %3, %7 : tensor<256xf16>
    %180 = arith.extui %179 : tensor<256xi1> to tensor<256xi32>
    %181 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %182 = arith.constant 1792 : i32
    %183 = "tk.addptr"(%oi, %182) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %184 = "tk.splat"(%183) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %185 = "tk.addptr"(%184, %181) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%185, %180) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %186 = arith.cmpf ugt, %3, %7 : tensor<256xf16>
    %187 = arith.extui %186 : tensor<256xi1> to tensor<256xi32>
    %188 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %189 = arith.constant 2048 : i32
    %190 = "tk.addptr"(%oi, %189) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %191 = "tk.splat"(%190) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %192 = "tk.addptr"(%191, %188) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%192, %187) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %193 = arith.cmpf uge, %3, %7 : tensor<256xf16>
    %194 = arith.extui %193 : tensor<256xi1> to tensor<256xi32>
    %195 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %196 = arith.constant 2304 : i32
    %197 = "tk.addptr"(%oi, %196) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %198 = "tk.splat"(%197) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %199 = "tk.addptr"(%198, %195) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%199, %194) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %200 = arith.cmpf ult, %3, %7 : tensor<256xf16>
    %201 = arith.extui %200 : tensor<256xi1> to tensor<256xi32>
    %202 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %203 = arith.constant 2560 : i32
    %204 = "tk.addptr"(%oi, %203) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %205 = "tk.splat"(%204) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %206 = "tk.addptr"(%205, %202) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%206, %201) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %207 = arith.cmpf ule, %3, %7 : tensor<256xf16>
    %208 = arith.extui %207 : tensor<256xi1> to tensor<256xi32>
    %209 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %210 = arith.constant 2816 : i32
    %211 = "tk.addptr"(%oi, %210) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %212 = "tk.splat"(%211) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %213 = "tk.addptr"(%212, %209) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%213, %208) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %214 = arith.cmpf une, %3, %7 : tensor<256xf16>
    %215 = arith.extui %214 : tensor<256xi1> to tensor<256xi32>
    %216 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %217 = arith.constant 3072 : i32
    %218 = "tk.addptr"(%oi, %217) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %219 = "tk.splat"(%218) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %220 = "tk.addptr"(%219, %216) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%220, %215) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %221 = arith.cmpf uno, %3, %7 : tensor<256xf16>
    %222 = arith.extui %221 : tensor<256xi1> to tensor<256xi32>
    %223 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %224 = arith.constant 3328 : i32
    %225 = "tk.addptr"(%oi, %224) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %226 = "tk.splat"(%225) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %227 = "tk.addptr"(%226, %223) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%227, %222) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %228 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %229 = "tk.splat"(%xbf16) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %230 = "tk.addptr"(%229, %228) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    %231 = "tk.load"(%230) : (tensor<256x!tk.ptr<bf16>>) -> tensor<256xbf16>
    %232 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %233 = "tk.splat"(%ybf16) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %234 = "tk.addptr"(%233, %232) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    %235 = "tk.load"(%234) : (tensor<256x!tk.ptr<bf16>>) -> tensor<256xbf16>
    %236 = arith.addf %231, %235 : tensor<256xbf16>
    %237 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %238 = "tk.splat"(%obf16) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %239 = "tk.addptr"(%238, %237) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%239, %236) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %240 = arith.subf %231, %235 : tensor<256xbf16>
    %241 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %242 = arith.constant 256 : i32
    %243 = "tk.addptr"(%obf16, %242) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %244 = "tk.splat"(%243) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %245 = "tk.addptr"(%244, %241) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%245, %240) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %246 = arith.mulf %231, %235 : tensor<256xbf16>
    %247 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %248 = arith.constant 512 : i32
    %249 = "tk.addptr"(%obf16, %248) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %250 = "tk.splat"(%249) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %251 = "tk.addptr"(%250, %247) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%251, %246) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %252 = arith.divf %231, %235 : tensor<256xbf16>
    %253 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %254 = arith.constant 768 : i32
    %255 = "tk.addptr"(%obf16, %254) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %256 = "tk.splat"(%255) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %257 = "tk.addptr"(%256, %253) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%257, %252) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %258 = arith.minimumf %231, %235 : tensor<256xbf16>
    %259 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %260 = arith.constant 1024 : i32
    %261 = "tk.addptr"(%obf16, %260) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %262 = "tk.splat"(%261) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %263 = "tk.addptr"(%262, %259) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%263, %258) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %264 = arith.maximumf %231, %235 : tensor<256xbf16>
    %265 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %266 = arith.constant 1280 : i32
    %267 = "tk.addptr"(%obf16, %266) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %268 = "tk.splat"(%267) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %269 = "tk.addptr"(%268, %265) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%269, %264) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %270 = arith.minnumf %231, %235 : tensor<256xbf16>
    %271 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %272 = arith.constant 1536 : i32
    %273 = "tk.addptr"(%obf16, %272) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %274 = "tk.splat"(%273) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %275 = "tk.addptr"(%274, %271) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%275, %270) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %276 = arith.maxnumf %231, %235 : tensor<256xbf16>
    %277 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %278 = arith.constant 1792 : i32
    %279 = "tk.addptr"(%obf16, %278) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %280 = "tk.splat"(%279) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %281 = "tk.addptr"(%280, %277) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%281, %276) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %282 = arith.remf %231, %235 : tensor<256xbf16>
    %283 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %284 = arith.constant 2048 : i32
    %285 = "tk.addptr"(%obf16, %284) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %286 = "tk.splat"(%285) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %287 = "tk.addptr"(%286, %283) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%287, %282) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %288 = "arith.negf"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %289 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %290 = arith.constant 2304 : i32
    %291 = "tk.addptr"(%obf16, %290) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %292 = "tk.splat"(%291) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %293 = "tk.addptr"(%292, %289) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%293, %288) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %294 = "math.absf"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %295 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %296 = arith.constant 2560 : i32
    %297 = "tk.addptr"(%obf16, %296) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %298 = "tk.splat"(%297) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %299 = "tk.addptr"(%298, %295) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%299, %294) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %300 = "math.floor"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %301 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %302 = arith.constant 2816 : i32
    %303 = "tk.addptr"(%obf16, %302) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %304 = "tk.splat"(%303) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %305 = "tk.addptr"(%304, %301) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%305, %300) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %306 = "math.ceil"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %307 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %308 = arith.constant 3072 : i32
    %309 = "tk.addptr"(%obf16, %308) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %310 = "tk.splat"(%309) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %311 = "tk.addptr"(%310, %307) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%311, %306) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %312 = "math.trunc"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %313 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %314 = arith.constant 3328 : i32
    %315 = "tk.addptr"(%obf16, %314) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %316 = "tk.splat"(%315) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %317 = "tk.addptr"(%316, %313) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%317, %312) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %318 = "math.roundeven"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %319 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %320 = arith.constant 3584 : i32
    %321 = "tk.addptr"(%obf16, %320) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %322 = "tk.splat"(%321) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %323 = "tk.addptr"(%322, %319) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%323, %318) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %324 = "math.sqrt"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %325 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %326 = arith.constant 3840 : i32
    %327 = "tk.addptr"(%obf16, %326) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %328 = "tk.splat"(%327) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %329 = "tk.addptr"(%328, %325) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%329, %324) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %330 = "math.rsqrt"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %331 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %332 = arith.constant 4096 : i32
    %333 = "tk.addptr"(%obf16, %332) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %334 = "tk.splat"(%333) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %335 = "tk.addptr"(%334, %331) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%335, %330) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %336 = "math.exp2"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %337 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %338 = arith.constant 4352 : i32
    %339 = "tk.addptr"(%obf16, %338) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %340 = "tk.splat"(%339) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %341 = "tk.addptr"(%340, %337) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%341, %336) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %342 = "math.log2"(%231) : (tensor<256xbf16>) -> tensor<256xbf16>
    %343 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %344 = arith.constant 4608 : i32
    %345 = "tk.addptr"(%obf16, %344) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %346 = "tk.splat"(%345) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %347 = "tk.addptr"(%346, %343) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%347, %342) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %348 = "math.copysign"(%231, %235) : (tensor<256xbf16>, tensor<256xbf16>) -> tensor<256xbf16>
    %349 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %350 = arith.constant 4864 : i32
    %351 = "tk.addptr"(%obf16, %350) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %352 = "tk.splat"(%351) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %353 = "tk.addptr"(%352, %349) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%353, %348) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %354 = "math.fma"(%231, %235, %231) : (tensor<256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<256xbf16>
    %355 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %356 = arith.constant 5120 : i32
    %357 = "tk.addptr"(%obf16, %356) : (!tk.ptr<bf16>, i32) -> !tk.ptr<bf16>
    %358 = "tk.splat"(%357) : (!tk.ptr<bf16>) -> tensor<256x!tk.ptr<bf16>>
    %359 = "tk.addptr"(%358, %355) : (tensor<256x!tk.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<bf16>>
    "tk.store"(%359, %354) : (tensor<256x!tk.ptr<bf16>>, tensor<256xbf16>) -> ()
    %360 = arith.cmpf oeq, %231, %235 : tensor<256xbf16>
    %361 = arith.extui %360 : tensor<256xi1> to tensor<256xi32>
    %362 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %363 = arith.constant 3584 : i32
    %364 = "tk.addptr"(%oi, %363) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %365 = "tk.splat"(%364) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %366 = "tk.addptr"(%365, %362) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%366, %361) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %367 = arith.cmpf ogt, %231, %235 : tensor<256xbf16>
    %368 = arith.extui %367 : tensor<256xi1> to tensor<256xi32>
    %369 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %370 = arith.constant 3840 : i32
    %371 = "tk.addptr"(%oi, %370) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %372 = "tk.splat"(%371) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %373 = "tk.addptr"(%372, %369) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%373, %368) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %374 = arith.cmpf oge, %231, %235 : tensor<256xbf16>
    %375 = arith.extui %374 : tensor<256xi1> to tensor<256xi32>
    %376 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %377 = arith.constant 4096 : i32
    %378 = "tk.addptr"(%oi, %377) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %379 = "tk.splat"(%378) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %380 = "tk.addptr"(%379, %376) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%380, %375) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %381 = arith.cmpf olt, %231, %235 : tensor<256xbf16>
    %382 = arith.extui %381 : tensor<256xi1> to tensor<256xi32>
    %383 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %384 = arith.constant 4352 : i32
    %385 = "tk.addptr"(%oi, %384) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %386 = "tk.splat"(%385) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %387 = "tk.addptr"(%386, %383) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%387, %382) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %388 = arith.cmpf ole, %231, %235 : tensor<256xbf16>
    %389 = arith.extui %388 : tensor<256xi1> to tensor<256xi32>
    %390 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %391 = arith.constant 4608 : i32
    %392 = "tk.addptr"(%oi, %391) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %393 = "tk.splat"(%392) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %394 = "tk.addptr"(%393, %390) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%394, %389) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %395 = arith.cmpf one, %231, %235 : tensor<256xbf16>
    %396 = arith.extui %395 : tensor<256xi1> to tensor<256xi32>
    %397 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %398 = arith.constant 4864 : i32
    %399 = "tk.addptr"(%oi, %398) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %400 = "tk.splat"(%399) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %401 = "tk.addptr"(%400, %397) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%401, %396) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %402 = arith.cmpf ord, %231, %235 : tensor<256xbf16>
    %403 = arith.extui %402 : tensor<256xi1> to tensor<256xi32>
    %404 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %405 = arith.constant 5120 : i32
    %406 = "tk.addptr"(%oi, %405) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %407 = "tk.splat"(%406) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %408 = "tk.addptr"(%407, %404) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%408, %403) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %409 = arith.cmpf ueq, %231, %235 : tensor<256xbf16>
    %410 = arith.extui %409 : tensor<256xi1> to tensor<256xi32>
    %411 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %412 = arith.constant 5376 : i32
    %413 = "tk.addptr"(%oi, %412) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %414 = "tk.splat"(%413) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %415 = "tk.addptr"(%414, %411) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%415, %410) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %416 = arith.cmpf ugt, %231, %235 : tensor<256xbf16>
    %417 = arith.extui %416 : tensor<256xi1> to tensor<256xi32>
    %418 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %419 = arith.constant 5632 : i32
    %420 = "tk.addptr"(%oi, %419) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %421 = "tk.splat"(%420) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %422 = "tk.addptr"(%421, %418) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%422, %417) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %423 = arith.cmpf uge, %231, %235 : tensor<256xbf16>
    %424 = arith.extui %423 : tensor<256xi1> to tensor<256xi32>
    %425 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %426 = arith.constant 5888 : i32
    %427 = "tk.addptr"(%oi, %426) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %428 = "tk.splat"(%427) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %429 = "tk.addptr"(%428, %425) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%429, %424) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %430 = arith.cmpf ult, %231, %235 : tensor<256xbf16>
    %431 = arith.extui %430 : tensor<256xi1> to tensor<256xi32>
    %432 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %433 = arith.constant 6144 : i32
    %434 = "tk.addptr"(%oi, %433) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %435 = "tk.splat"(%434) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %436 = "tk.addptr"(%435, %432) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%436, %431) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %437 = arith.cmpf ule, %231, %235 : tensor<256xbf16>
    %438 = arith.extui %437 : tensor<256xi1> to tensor<256xi32>
    %439 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %440 = arith.constant 6400 : i32
    %441 = "tk.addptr"(%oi, %440) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %442 = "tk.splat"(%441) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %443 = "tk.addptr"(%442, %439) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%443, %438) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %444 = arith.cmpf une, %231, %235 : tensor<256xbf16>
    %445 = arith.extui %444 : tensor<256xi1> to tensor<256xi32>
    %446 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %447 = arith.constant 6656 : i32
    %448 = "tk.addptr"(%oi, %447) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %449 = "tk.splat"(%448) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %450 = "tk.addptr"(%449, %446) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%450, %445) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %451 = arith.cmpf uno, %231, %235 : tensor<256xbf16>
    %452 = arith.extui %451 : tensor<256xi1> to tensor<256xi32>
    %453 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %454 = arith.constant 6912 : i32
    %455 = "tk.addptr"(%oi, %454) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %456 = "tk.splat"(%455) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %457 = "tk.addptr"(%456, %453) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%457, %452) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %458 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %459 = "tk.splat"(%xf32) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %460 = "tk.addptr"(%459, %458) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %461 = "tk.load"(%460) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %462 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %463 = "tk.splat"(%yf32) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %464 = "tk.addptr"(%463, %462) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    %465 = "tk.load"(%464) : (tensor<256x!tk.ptr<f32>>) -> tensor<256xf32>
    %466 = arith.addf %461, %465 : tensor<256xf32>
    %467 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %468 = "tk.splat"(%of32) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %469 = "tk.addptr"(%468, %467) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%469, %466) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %470 = arith.subf %461, %465 : tensor<256xf32>
    %471 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %472 = arith.constant 256 : i32
    %473 = "tk.addptr"(%of32, %472) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %474 = "tk.splat"(%473) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %475 = "tk.addptr"(%474, %471) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%475, %470) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %476 = arith.mulf %461, %465 : tensor<256xf32>
    %477 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %478 = arith.constant 512 : i32
    %479 = "tk.addptr"(%of32, %478) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %480 = "tk.splat"(%479) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %481 = "tk.addptr"(%480, %477) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%481, %476) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %482 = arith.divf %461, %465 : tensor<256xf32>
    %483 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %484 = arith.constant 768 : i32
    %485 = "tk.addptr"(%of32, %484) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %486 = "tk.splat"(%485) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %487 = "tk.addptr"(%486, %483) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%487, %482) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %488 = arith.minimumf %461, %465 : tensor<256xf32>
    %489 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %490 = arith.constant 1024 : i32
    %491 = "tk.addptr"(%of32, %490) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %492 = "tk.splat"(%491) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %493 = "tk.addptr"(%492, %489) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%493, %488) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %494 = arith.maximumf %461, %465 : tensor<256xf32>
    %495 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %496 = arith.constant 1280 : i32
    %497 = "tk.addptr"(%of32, %496) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %498 = "tk.splat"(%497) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %499 = "tk.addptr"(%498, %495) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%499, %494) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %500 = arith.minnumf %461, %465 : tensor<256xf32>
    %501 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %502 = arith.constant 1536 : i32
    %503 = "tk.addptr"(%of32, %502) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %504 = "tk.splat"(%503) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %505 = "tk.addptr"(%504, %501) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%505, %500) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %506 = arith.maxnumf %461, %465 : tensor<256xf32>
    %507 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %508 = arith.constant 1792 : i32
    %509 = "tk.addptr"(%of32, %508) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %510 = "tk.splat"(%509) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %511 = "tk.addptr"(%510, %507) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%511, %506) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %512 = arith.remf %461, %465 : tensor<256xf32>
    %513 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %514 = arith.constant 2048 : i32
    %515 = "tk.addptr"(%of32, %514) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %516 = "tk.splat"(%515) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %517 = "tk.addptr"(%516, %513) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%517, %512) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %518 = "arith.negf"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %519 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %520 = arith.constant 2304 : i32
    %521 = "tk.addptr"(%of32, %520) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %522 = "tk.splat"(%521) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %523 = "tk.addptr"(%522, %519) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%523, %518) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %524 = "math.absf"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %525 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %526 = arith.constant 2560 : i32
    %527 = "tk.addptr"(%of32, %526) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %528 = "tk.splat"(%527) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %529 = "tk.addptr"(%528, %525) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%529, %524) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %530 = "math.floor"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %531 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %532 = arith.constant 2816 : i32
    %533 = "tk.addptr"(%of32, %532) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %534 = "tk.splat"(%533) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %535 = "tk.addptr"(%534, %531) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%535, %530) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %536 = "math.ceil"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %537 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %538 = arith.constant 3072 : i32
    %539 = "tk.addptr"(%of32, %538) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %540 = "tk.splat"(%539) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %541 = "tk.addptr"(%540, %537) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%541, %536) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %542 = "math.trunc"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %543 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %544 = arith.constant 3328 : i32
    %545 = "tk.addptr"(%of32, %544) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %546 = "tk.splat"(%545) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %547 = "tk.addptr"(%546, %543) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%547, %542) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %548 = "math.roundeven"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %549 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %550 = arith.constant 3584 : i32
    %551 = "tk.addptr"(%of32, %550) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %552 = "tk.splat"(%551) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %553 = "tk.addptr"(%552, %549) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%553, %548) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %554 = "math.sqrt"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %555 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %556 = arith.constant 3840 : i32
    %557 = "tk.addptr"(%of32, %556) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %558 = "tk.splat"(%557) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %559 = "tk.addptr"(%558, %555) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%559, %554) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %560 = "math.rsqrt"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %561 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %562 = arith.constant 4096 : i32
    %563 = "tk.addptr"(%of32, %562) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %564 = "tk.splat"(%563) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %565 = "tk.addptr"(%564, %561) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%565, %560) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %566 = "math.exp2"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %567 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %568 = arith.constant 4352 : i32
    %569 = "tk.addptr"(%of32, %568) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %570 = "tk.splat"(%569) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %571 = "tk.addptr"(%570, %567) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%571, %566) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %572 = "math.log2"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %573 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %574 = arith.constant 4608 : i32
    %575 = "tk.addptr"(%of32, %574) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %576 = "tk.splat"(%575) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %577 = "tk.addptr"(%576, %573) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%577, %572) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %578 = "math.copysign"(%461, %465) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %579 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %580 = arith.constant 4864 : i32
    %581 = "tk.addptr"(%of32, %580) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %582 = "tk.splat"(%581) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %583 = "tk.addptr"(%582, %579) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%583, %578) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %584 = "math.fma"(%461, %465, %461) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %585 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %586 = arith.constant 5120 : i32
    %587 = "tk.addptr"(%of32, %586) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %588 = "tk.splat"(%587) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %589 = "tk.addptr"(%588, %585) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%589, %584) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %590 = "tk.div_rn"(%461, %465) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %591 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %592 = arith.constant 5376 : i32
    %593 = "tk.addptr"(%of32, %592) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %594 = "tk.splat"(%593) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %595 = "tk.addptr"(%594, %591) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%595, %590) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %596 = "tk.sqrt_rn"(%461) : (tensor<256xf32>) -> tensor<256xf32>
    %597 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %598 = arith.constant 5632 : i32
    %599 = "tk.addptr"(%of32, %598) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>
    %600 = "tk.splat"(%599) : (!tk.ptr<f32>) -> tensor<256x!tk.ptr<f32>>
    %601 = "tk.addptr"(%600, %597) : (tensor<256x!tk.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f32>>
    "tk.store"(%601, %596) : (tensor<256x!tk.ptr<f32>>, tensor<256xf32>) -> ()
    %602 = arith.cmpf oeq, %461, %465 : tensor<256xf32>
    %603 = arith.extui %602 : tensor<256xi1> to tensor<256xi32>
    %604 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %605 = arith.constant 7168 : i32
    %606 = "tk.addptr"(%oi, %605) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %607 = "tk.splat"(%606) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %608 = "tk.addptr"(%607, %604) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%608, %603) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %609 = arith.cmpf ogt, %461, %465 : tensor<256xf32>
    %610 = arith.extui %609 : tensor<256xi1> to tensor<256xi32>
    %611 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %612 = arith.constant 7424 : i32
    %613 = "tk.addptr"(%oi, %612) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %614 = "tk.splat"(%613) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %615 = "tk.addptr"(%614, %611) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%615, %610) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %616 = arith.cmpf oge, %461, %465 : tensor<256xf32>
    %617 = arith.extui %616 : tensor<256xi1> to tensor<256xi32>
    %618 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %619 = arith.constant 7680 : i32
    %620 = "tk.addptr"(%oi, %619) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %621 = "tk.splat"(%620) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %622 = "tk.addptr"(%621, %618) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%622, %617) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %623 = arith.cmpf olt, %461, %465 : tensor<256xf32>
    %624 = arith.extui %623 : tensor<256xi1> to tensor<256xi32>
    %625 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %626 = arith.constant 7936 : i32
    %627 = "tk.addptr"(%oi, %626) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %628 = "tk.splat"(%627) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %629 = "tk.addptr"(%628, %625) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%629, %624) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %630 = arith.cmpf ole, %461, %465 : tensor<256xf32>
    %631 = arith.extui %630 : tensor<256xi1> to tensor<256xi32>
    %632 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %633 = arith.constant 8192 : i32
    %634 = "tk.addptr"(%oi, %633) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %635 = "tk.splat"(%634) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %636 = "tk.addptr"(%635, %632) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%636, %631) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %637 = arith.cmpf one, %461, %465 : tensor<256xf32>
    %638 = arith.extui %637 : tensor<256xi1> to tensor<256xi32>
    %639 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %640 = arith.constant 8448 : i32
    %641 = "tk.addptr"(%oi, %640) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %642 = "tk.splat"(%641) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %643 = "tk.addptr"(%642, %639) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%643, %638) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %644 = arith.cmpf ord, %461, %465 : tensor<256xf32>
    %645 = arith.extui %644 : tensor<256xi1> to tensor<256xi32>
    %646 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %647 = arith.constant 8704 : i32
    %648 = "tk.addptr"(%oi, %647) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %649 = "tk.splat"(%648) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %650 = "tk.addptr"(%649, %646) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%650, %645) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %651 = arith.cmpf ueq, %461, %465 : tensor<256xf32>
    %652 = arith.extui %651 : tensor<256xi1> to tensor<256xi32>
    %653 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %654 = arith.constant 8960 : i32
    %655 = "tk.addptr"(%oi, %654) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %656 = "tk.splat"(%655) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %657 = "tk.addptr"(%656, %653) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%657, %652) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %658 = arith.cmpf ugt, %461, %465 : tensor<256xf32>
    %659 = arith.extui %658 : tensor<256xi1> to tensor<256xi32>
    %660 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %661 = arith.constant 9216 : i32
    %662 = "tk.addptr"(%oi, %661) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %663 = "tk.splat"(%662) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %664 = "tk.addptr"(%663, %660) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%664, %659) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %665 = arith.cmpf uge, %461, %465 : tensor<256xf32>
    %666 = arith.extui %665 : tensor<256xi1> to tensor<256xi32>
    %667 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %668 = arith.constant 9472 : i32
    %669 = "tk.addptr"(%oi, %668) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %670 = "tk.splat"(%669) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %671 = "tk.addptr"(%670, %667) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%671, %666) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %672 = arith.cmpf ult, %461, %465 : tensor<256xf32>
    %673 = arith.extui %672 : tensor<256xi1> to tensor<256xi32>
    %674 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %675 = arith.constant 9728 : i32
    %676 = "tk.addptr"(%oi, %675) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %677 = "tk.splat"(%676) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %678 = "tk.addptr"(%677, %674) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%678, %673) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %679 = arith.cmpf ule, %461, %465 : tensor<256xf32>
    %680 = arith.extui %679 : tensor<256xi1> to tensor<256xi32>
    %681 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %682 = arith.constant 9984 : i32
    %683 = "tk.addptr"(%oi, %682) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %684 = "tk.splat"(%683) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %685 = "tk.addptr"(%684, %681) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%685, %680) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %686 = arith.cmpf une, %461, %465 : tensor<256xf32>
    %687 = arith.extui %686 : tensor<256xi1> to tensor<256xi32>
    %688 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %689 = arith.constant 10240 : i32
    %690 = "tk.addptr"(%oi, %689) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %691 = "tk.splat"(%690) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %692 = "tk.addptr"(%691, %688) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%692, %687) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %693 = arith.cmpf uno, %461, %465 : tensor<256xf32>
    %694 = arith.extui %693 : tensor<256xi1> to tensor<256xi32>
    %695 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %696 = arith.constant 10496 : i32
    %697 = "tk.addptr"(%oi, %696) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %698 = "tk.splat"(%697) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %699 = "tk.addptr"(%698, %695) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%699, %694) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %700 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %701 = "tk.splat"(%xf64) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %702 = "tk.addptr"(%701, %700) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    %703 = "tk.load"(%702) : (tensor<256x!tk.ptr<f64>>) -> tensor<256xf64>
    %704 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %705 = "tk.splat"(%yf64) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %706 = "tk.addptr"(%705, %704) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    %707 = "tk.load"(%706) : (tensor<256x!tk.ptr<f64>>) -> tensor<256xf64>
    %708 = arith.addf %703, %707 : tensor<256xf64>
    %709 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %710 = "tk.splat"(%of64) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %711 = "tk.addptr"(%710, %709) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%711, %708) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %712 = arith.subf %703, %707 : tensor<256xf64>
    %713 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %714 = arith.constant 256 : i32
    %715 = "tk.addptr"(%of64, %714) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %716 = "tk.splat"(%715) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %717 = "tk.addptr"(%716, %713) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%717, %712) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %718 = arith.mulf %703, %707 : tensor<256xf64>
    %719 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %720 = arith.constant 512 : i32
    %721 = "tk.addptr"(%of64, %720) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %722 = "tk.splat"(%721) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %723 = "tk.addptr"(%722, %719) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%723, %718) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %724 = arith.divf %703, %707 : tensor<256xf64>
    %725 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %726 = arith.constant 768 : i32
    %727 = "tk.addptr"(%of64, %726) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %728 = "tk.splat"(%727) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %729 = "tk.addptr"(%728, %725) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%729, %724) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %730 = arith.minimumf %703, %707 : tensor<256xf64>
    %731 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %732 = arith.constant 1024 : i32
    %733 = "tk.addptr"(%of64, %732) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %734 = "tk.splat"(%733) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %735 = "tk.addptr"(%734, %731) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%735, %730) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %736 = arith.maximumf %703, %707 : tensor<256xf64>
    %737 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %738 = arith.constant 1280 : i32
    %739 = "tk.addptr"(%of64, %738) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %740 = "tk.splat"(%739) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %741 = "tk.addptr"(%740, %737) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%741, %736) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %742 = arith.minnumf %703, %707 : tensor<256xf64>
    %743 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %744 = arith.constant 1536 : i32
    %745 = "tk.addptr"(%of64, %744) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %746 = "tk.splat"(%745) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %747 = "tk.addptr"(%746, %743) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%747, %742) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %748 = arith.maxnumf %703, %707 : tensor<256xf64>
    %749 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %750 = arith.constant 1792 : i32
    %751 = "tk.addptr"(%of64, %750) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %752 = "tk.splat"(%751) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %753 = "tk.addptr"(%752, %749) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%753, %748) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %754 = arith.remf %703, %707 : tensor<256xf64>
    %755 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %756 = arith.constant 2048 : i32
    %757 = "tk.addptr"(%of64, %756) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %758 = "tk.splat"(%757) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %759 = "tk.addptr"(%758, %755) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%759, %754) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %760 = "arith.negf"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %761 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %762 = arith.constant 2304 : i32
    %763 = "tk.addptr"(%of64, %762) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %764 = "tk.splat"(%763) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %765 = "tk.addptr"(%764, %761) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%765, %760) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %766 = "math.absf"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %767 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %768 = arith.constant 2560 : i32
    %769 = "tk.addptr"(%of64, %768) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %770 = "tk.splat"(%769) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %771 = "tk.addptr"(%770, %767) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%771, %766) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %772 = "math.floor"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %773 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %774 = arith.constant 2816 : i32
    %775 = "tk.addptr"(%of64, %774) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %776 = "tk.splat"(%775) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %777 = "tk.addptr"(%776, %773) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%777, %772) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %778 = "math.ceil"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %779 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %780 = arith.constant 3072 : i32
    %781 = "tk.addptr"(%of64, %780) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %782 = "tk.splat"(%781) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %783 = "tk.addptr"(%782, %779) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%783, %778) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %784 = "math.trunc"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %785 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %786 = arith.constant 3328 : i32
    %787 = "tk.addptr"(%of64, %786) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %788 = "tk.splat"(%787) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %789 = "tk.addptr"(%788, %785) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%789, %784) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %790 = "math.roundeven"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %791 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %792 = arith.constant 3584 : i32
    %793 = "tk.addptr"(%of64, %792) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %794 = "tk.splat"(%793) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %795 = "tk.addptr"(%794, %791) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%795, %790) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %796 = "math.sqrt"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %797 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %798 = arith.constant 3840 : i32
    %799 = "tk.addptr"(%of64, %798) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %800 = "tk.splat"(%799) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %801 = "tk.addptr"(%800, %797) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%801, %796) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %802 = "math.rsqrt"(%703) : (tensor<256xf64>) -> tensor<256xf64>
    %803 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %804 = arith.constant 4096 : i32
    %805 = "tk.addptr"(%of64, %804) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %806 = "tk.splat"(%805) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %807 = "tk.addptr"(%806, %803) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%807, %802) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %808 = "math.copysign"(%703, %707) : (tensor<256xf64>, tensor<256xf64>) -> tensor<256xf64>
    %809 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %810 = arith.constant 4864 : i32
    %811 = "tk.addptr"(%of64, %810) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %812 = "tk.splat"(%811) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %813 = "tk.addptr"(%812, %809) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%813, %808) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %814 = "math.fma"(%703, %707, %703) : (tensor<256xf64>, tensor<256xf64>, tensor<256xf64>) -> tensor<256xf64>
    %815 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %816 = arith.constant 5120 : i32
    %817 = "tk.addptr"(%of64, %816) : (!tk.ptr<f64>, i32) -> !tk.ptr<f64>
    %818 = "tk.splat"(%817) : (!tk.ptr<f64>) -> tensor<256x!tk.ptr<f64>>
    %819 = "tk.addptr"(%818, %815) : (tensor<256x!tk.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<f64>>
    "tk.store"(%819, %814) : (tensor<256x!tk.ptr<f64>>, tensor<256xf64>) -> ()
    %820 = arith.cmpf oeq, %703, %707 : tensor<256xf64>
    %821 = arith.extui %820 : tensor<256xi1> to tensor<256xi32>
    %822 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %823 = arith.constant 10752 : i32
    %824 = "tk.addptr"(%oi, %823) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %825 = "tk.splat"(%824) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %826 = "tk.addptr"(%825, %822) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%826, %821) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %827 = arith.cmpf ogt, %703, %707 : tensor<256xf64>
    %828 = arith.extui %827 : tensor<256xi1> to tensor<256xi32>
    %829 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %830 = arith.constant 11008 : i32
    %831 = "tk.addptr"(%oi, %830) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %832 = "tk.splat"(%831) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %833 = "tk.addptr"(%832, %829) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%833, %828) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %834 = arith.cmpf oge, %703, %707 : tensor<256xf64>
    %835 = arith.extui %834 : tensor<256xi1> to tensor<256xi32>
    %836 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %837 = arith.constant 11264 : i32
    %838 = "tk.addptr"(%oi, %837) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %839 = "tk.splat"(%838) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %840 = "tk.addptr"(%839, %836) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%840, %835) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %841 = arith.cmpf olt, %703, %707 : tensor<256xf64>
    %842 = arith.extui %841 : tensor<256xi1> to tensor<256xi32>
    %843 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %844 = arith.constant 11520 : i32
    %845 = "tk.addptr"(%oi, %844) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %846 = "tk.splat"(%845) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %847 = "tk.addptr"(%846, %843) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%847, %842) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %848 = arith.cmpf ole, %703, %707 : tensor<256xf64>
    %849 = arith.extui %848 : tensor<256xi1> to tensor<256xi32>
    %850 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %851 = arith.constant 11776 : i32
    %852 = "tk.addptr"(%oi, %851) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %853 = "tk.splat"(%852) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %854 = "tk.addptr"(%853, %850) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%854, %849) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %855 = arith.cmpf one, %703, %707 : tensor<256xf64>
    %856 = arith.extui %855 : tensor<256xi1> to tensor<256xi32>
    %857 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %858 = arith.constant 12032 : i32
    %859 = "tk.addptr"(%oi, %858) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %860 = "tk.splat"(%859) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %861 = "tk.addptr"(%860, %857) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%861, %856) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %862 = arith.cmpf ord, %703, %707 : tensor<256xf64>
    %863 = arith.extui %862 : tensor<256xi1> to tensor<256xi32>
    %864 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %865 = arith.constant 12288 : i32
    %866 = "tk.addptr"(%oi, %865) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %867 = "tk.splat"(%866) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %868 = "tk.addptr"(%867, %864) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%868, %863) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %869 = arith.cmpf ueq, %703, %707 : tensor<256xf64>
    %870 = arith.extui %869 : tensor<256xi1> to tensor<256xi32>
    %871 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %872 = arith.constant 12544 : i32
    %873 = "tk.addptr"(%oi, %872) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %874 = "tk.splat"(%873) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %875 = "tk.addptr"(%874, %871) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%875, %870) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %876 = arith.cmpf ugt, %703, %707 : tensor<256xf64>
    %877 = arith.extui %876 : tensor<256xi1> to tensor<256xi32>
    %878 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %879 = arith.constant 12800 : i32
    %880 = "tk.addptr"(%oi, %879) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %881 = "tk.splat"(%880) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %882 = "tk.addptr"(%881, %878) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%882, %877) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %883 = arith.cmpf uge, %703, %707 : tensor<256xf64>
    %884 = arith.extui %883 : tensor<256xi1> to tensor<256xi32>
    %885 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %886 = arith.constant 13056 : i32
    %887 = "tk.addptr"(%oi, %886) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %888 = "tk.splat"(%887) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %889 = "tk.addptr"(%888, %885) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%889, %884) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %890 = arith.cmpf ult, %703, %707 : tensor<256xf64>
    %891 = arith.extui %890 : tensor<256xi1> to tensor<256xi32>
    %892 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %893 = arith.constant 13312 : i32
    %894 = "tk.addptr"(%oi, %893) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %895 = "tk.splat"(%894) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %896 = "tk.addptr"(%895, %892) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%896, %891) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %897 = arith.cmpf ule, %703, %707 : tensor<256xf64>
    %898 = arith.extui %897 : tensor<256xi1> to tensor<256xi32>
    %899 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %900 = arith.constant 13568 : i32
    %901 = "tk.addptr"(%oi, %900) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %902 = "tk.splat"(%901) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %903 = "tk.addptr"(%902, %899) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%903, %898) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %904 = arith.cmpf une, %703, %707 : tensor<256xf64>
    %905 = arith.extui %904 : tensor<256xi1> to tensor<256xi32>
    %906 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %907 = arith.constant 13824 : i32
    %908 = "tk.addptr"(%oi, %907) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %909 = "tk.splat"(%908) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %910 = "tk.addptr"(%909, %906) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%910, %905) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %911 = arith.cmpf uno, %703, %707 : tensor<256xf64>
    %912 = arith.extui %911 : tensor<256xi1> to tensor<256xi32>
    %913 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %914 = arith.constant 14080 : i32
    %915 = "tk.addptr"(%oi, %914) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %916 = "tk.splat"(%915) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %917 = "tk.addptr"(%916, %913) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%917, %912) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    func.return
  }
}
