// Integer arithmetic of every width.
module {
  func.func @arith_int(%xi8: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %yi8: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %oi8: !tk.ptr<i8> {tk.divisibility = 16 : i32}, %xi16: !tk.ptr<i16> {tk.divisibility = 16 : i32}, %yi16: !tk.ptr<i16> {tk.divisibility = 16 : i32}, %oi16: !tk.ptr<i16> {tk.divisibility = 16 : i32}, %xi32: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %yi32: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %oi32: !tk.ptr<i32> {tk.divisibility = 16 : i32}, %xi64: !tk.ptr<i64> {tk.divisibility = 16 : i32}, %yi64: !tk.ptr<i64> {tk.divisibility = 16 : i32}, %oi64: !tk.ptr<i64> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {
    %0 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %1 = "tk.splat"(%xi8) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %2 = "tk.addptr"(%1, %0) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %3 = "tk.load"(%2) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %4 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %5 = "tk.splat"(%yi8) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %6 = "tk.addptr"(%5, %4) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    %7 = "tk.load"(%6) : (tensor<256x!tk.ptr<i8>>) -> tensor<256xi8>
    %8 = arith.addi %3, %7 : tensor<256xi8>
    %9 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %10 = "tk.splat"(%oi8) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %11 = "tk.addptr"(%10, %9) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%11, %8) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %12 = arith.subi %3, %7 : tensor<256xi8>
    %13 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %14 = arith.constant 256 : i32
    %15 = "tk.addptr"(%oi8, %14) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %16 = "tk.splat"(%15) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %17 = "tk.addptr"(%16, %13) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%17, %12) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %18 = arith.muli %3, %7 : tensor<256xi8>
    %19 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %20 = arith.constant 512 : i32
    %21 = "tk.addptr"(%oi8, %20) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %22 = "tk.splat"(%21) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %23 = "tk.addptr"(%22, %19) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%23, %18) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %24 = arith.divsi %3, %7 : tensor<256xi8>
    %25 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %26 = arith.constant 768 : i32
    %27 = "tk.addptr"(%oi8, %26) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %28 = "tk.splat"(%27) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %29 = "tk.addptr"(%28, %25) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%29, %24) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %30 = arith.divui %3, %7 : tensor<256xi8>
    %31 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %32 = arith.constant 1024 : i32
    %33 = "tk.addptr"(%oi8, %32) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %34 = "tk.splat"(%33) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %35 = "tk.addptr"(%34, %31) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%35, %30) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %36 = arith.remsi %3, %7 : tensor<256xi8>
    %37 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %38 = arith.constant 1280 : i32
    %39 = "tk.addptr"(%oi8, %38) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %40 = "tk.splat"(%39) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %41 = "tk.addptr"(%40, %37) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%41, %36) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %42 = arith.remui %3, %7 : tensor<256xi8>
    %43 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %44 = arith.constant 1536 : i32
    %45 = "tk.addptr"(%oi8, %44) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %46 = "tk.splat"(%45) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %47 = "tk.addptr"(%46, %43) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%47, %42) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %48 = arith.andi %3, %7 : tensor<256xi8>
    %49 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %50 = arith.constant 1792 : i32
    %51 = "tk.addptr"(%oi8, %50) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %52 = "tk.splat"(%51) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %53 = "tk.addptr"(%52, %49) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%53, %48) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %54 = arith.ori %3, %7 : tensor<256xi8>
    %55 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %56 = arith.constant 2048 : i32
    %57 = "tk.addptr"(%oi8, %56) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %58 = "tk.splat"(%57) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %59 = "tk.addptr"(%58, %55) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%59, %54) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %60 = arith.xori %3, %7 : tensor<256xi8>
    %61 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %62 = arith.constant 2304 : i32
    %63 = "tk.addptr"(%oi8, %62) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %64 = "tk.splat"(%63) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %65 = "tk.addptr"(%64, %61) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%65, %60) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %66 = arith.minsi %3, %7 : tensor<256xi8>
    %67 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %68 = arith.constant 2560 : i32
    %69 = "tk.addptr"(%oi8, %68) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %70 = "tk.splat"(%69) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %71 = "tk.addptr"(%70, %67) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%71, %66) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %72 = arith.maxsi %3, %7 : tensor<256xi8>
    %73 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %74 = arith.constant 2816 : i32
    %75 = "tk.addptr"(%oi8, %74) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %76 = "tk.splat"(%75) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %77 = "tk.addptr"(%76, %73) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%77, %72) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %78 = arith.minui %3, %7 : tensor<256xi8>
    %79 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %80 = arith.constant 3072 : i32
    %81 = "tk.addptr"(%oi8, %80) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %82 = "tk.splat"(%81) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %83 = "tk.addptr"(%82, %79) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%83, %78) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %84 = arith.maxui %3, %7 : tensor<256xi8>
    %85 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %86 = arith.constant 3328 : i32
    %87 = "tk.addptr"(%oi8, %86) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %88 = "tk.splat"(%87) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %89 = "tk.addptr"(%88, %85) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%89, %84) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %90 = arith.constant dense<7> : tensor<256xi8>
    %91 = arith.andi %7, %90 : tensor<256xi8>
    %92 = arith.shli %3, %91 : tensor<256xi8>
    %93 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %94 = arith.constant 3584 : i32
    %95 = "tk.addptr"(%oi8, %94) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %96 = "tk.splat"(%95) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %97 = "tk.addptr"(%96, %93) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%97, %92) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %98 = arith.shrsi %3, %91 : tensor<256xi8>
    %99 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %100 = arith.constant 3840 : i32
    %101 = "tk.addptr"(%oi8, %100) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %102 = "tk.splat"(%101) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %103 = "tk.addptr"(%102, %99) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%103, %98) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %104 = arith.shrui %3, %91 : tensor<256xi8>
    %105 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %106 = arith.constant 4096 : i32
    %107 = "tk.addptr"(%oi8, %106) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %108 = "tk.splat"(%107) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %109 = "tk.addptr"(%108, %105) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%109, %104) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %110 = "math.absi"(%3) : (tensor<256xi8>) -> tensor<256xi8>
    %111 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %112 = arith.constant 4352 : i32
    %113 = "tk.addptr"(%oi8, %112) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %114 = "tk.splat"(%113) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %115 = "tk.addptr"(%114, %111) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%115, %110) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %116 = "math.ctlz"(%3) : (tensor<256xi8>) -> tensor<256xi8>
    %117 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %118 = arith.constant 4608 : i32
    %119 = "tk.addptr"(%oi8, %118) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %120 = "tk.splat"(%119) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %121 = "tk.addptr"(%120, %117) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%121, %116) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %122 = "math.ctpop"(%3) : (tensor<256xi8>) -> tensor<256xi8>
    %123 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %124 = arith.constant 4864 : i32
    %125 = "tk.addptr"(%oi8, %124) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %126 = "tk.splat"(%125) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %127 = "tk.addptr"(%126, %123) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%127, %122) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %128 = arith.cmpi eq, %3, %7 : tensor<256xi8>
    %129 = arith.extui %128 : tensor<256xi1> to tensor<256xi8>
    %130 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %131 = arith.constant 5376 : i32
    %132 = "tk.addptr"(%oi8, %131) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %133 = "tk.splat"(%132) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %134 = "tk.addptr"(%133, %130) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%134, %129) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %135 = arith.cmpi ne, %3, %7 : tensor<256xi8>
    %136 = arith.extui %135 : tensor<256xi1> to tensor<256xi8>
    %137 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %138 = arith.constant 5632 : i32
    %139 = "tk.addptr"(%oi8, %138) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %140 = "tk.splat"(%139) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %141 = "tk.addptr"(%140, %137) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%141, %136) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %142 = arith.cmpi slt, %3, %7 : tensor<256xi8>
    %143 = arith.extui %142 : tensor<256xi1> to tensor<256xi8>
    %144 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %145 = arith.constant 5888 : i32
    %146 = "tk.addptr"(%oi8, %145) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %147 = "tk.splat"(%146) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %148 = "tk.addptr"(%147, %144) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%148, %143) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %149 = arith.cmpi sle, %3, %7 : tensor<256xi8>
    %150 = arith.extui %149 : tensor<256xi1> to tensor<256xi8>
    %151 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %152 = arith.constant 6144 : i32
    %153 = "tk.addptr"(%oi8, %152) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %154 = "tk.splat"(%153) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %155 = "tk.addptr"(%154, %151) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%155, %150) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %156 = arith.cmpi sgt, %3, %7 : tensor<256xi8>
    %157 = arith.extui %156 : tensor<256xi1> to tensor<256xi8>
    %158 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %159 = arith.constant 6400 : i32
    %160 = "tk.addptr"(%oi8, %159) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %161 = "tk.splat"(%160) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %162 = "tk.addptr"(%161, %158) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%162, %157) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %163 = arith.cmpi sge, %3, %7 : tensor<256xi8>
    %164 = arith.extui %163 : tensor<256xi1> to tensor<256xi8>
    %165 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %166 = arith.constant 6656 : i32
    %167 = "tk.addptr"(%oi8, %166) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %168 = "tk.splat"(%167) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %169 = "tk.addptr"(%168, %165) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%169, %164) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %170 = arith.cmpi ult, %3, %7 : tensor<256xi8>
    %171 = arith.extui %170 : tensor<256xi1> to tensor<256xi8>
    %172 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %173 = arith.constant 6912 : i32
    %174 = "tk.addptr"(%oi8, %173) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %175 = "tk.splat"(%174) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %176 = "tk.addptr"(%175, %172) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%176, %171) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %177 = arith.cmpi ule, %3, %7 : tensor<256xi8>
    %178 = arith.extui %177 : tensor<256xi1> to tensor<256xi8>
    %179 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %180 = arith.constant 7168 : i32
    %181 = "tk.addptr"(%oi8, %180) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %182 = "tk.splat"(%181) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %183 = "tk.addptr"(%182, %179) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%183, %178) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %184 = arith.cmpi ugt, %3, %7 : tensor<256xi8>
    %185 = arith.extui %184 : tensor<256xi1> to tensor<256xi8>
    %186 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %187 = arith.constant 7424 : i32
    %188 = "tk.addptr"(%oi8, %187) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %189 = "tk.splat"(%188) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %190 = "tk.addptr"(%189, %186) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%190, %185) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %191 = arith.cmpi uge, %3, %7 : tensor<256xi8>
    %192 = arith.extui %191 : tensor<256xi1> to tensor<256xi8>
    %193 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %194 = arith.constant 7680 : i32
    %195 = "tk.addptr"(%oi8, %194) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %196 = "tk.splat"(%195) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %197 = "tk.addptr"(%196, %193) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%197, %192) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %198 = arith.cmpi slt, %3, %7 : tensor<256xi8>
    %199 = arith.select %198, %3, %7 : tensor<256xi1>, tensor<256xi8>
    %200 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %201 = arith.constant 7936 : i32
    %202 = "tk.addptr"(%oi8, %201) : (!tk.ptr<i8>, i32) -> !tk.ptr<i8>
    %203 = "tk.splat"(%202) : (!tk.ptr<i8>) -> tensor<256x!tk.ptr<i8>>
    %204 = "tk.addptr"(%203, %200) : (tensor<256x!tk.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i8>>
    "tk.store"(%204, %199) : (tensor<256x!tk.ptr<i8>>, tensor<256xi8>) -> ()
    %205 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %206 = "tk.splat"(%xi16) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %207 = "tk.addptr"(%206, %205) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    %208 = "tk.load"(%207) : (tensor<256x!tk.ptr<i16>>) -> tensor<256xi16>
    %209 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %210 = "tk.splat"(%yi16) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %211 = "tk.addptr"(%210, %209) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    %212 = "tk.load"(%211) : (tensor<256x!tk.ptr<i16>>) -> tensor<256xi16>
    %213 = arith.addi %208, %212 : tensor<256xi16>
    %214 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %215 = "tk.splat"(%oi16) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %216 = "tk.addptr"(%215, %214) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%216, %213) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %217 = arith.subi %208, %212 : tensor<256xi16>
    %218 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %219 = arith.constant 256 : i32
    %220 = "tk.addptr"(%oi16, %219) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %221 = "tk.splat"(%220) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %222 = "tk.addptr"(%221, %218) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%222, %217) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %223 = arith.muli %208, %212 : tensor<256xi16>
    %224 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %225 = arith.constant 512 : i32
    %226 = "tk.addptr"(%oi16, %225) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %227 = "tk.splat"(%226) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %228 = "tk.addptr"(%227, %224) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%228, %223) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %229 = arith.divsi %208, %212 : tensor<256xi16>
    %230 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %231 = arith.constant 768 : i32
    %232 = "tk.addptr"(%oi16, %231) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %233 = "tk.splat"(%232) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %234 = "tk.addptr"(%233, %230) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%234, %229) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %235 = arith.divui %208, %212 : tensor<256xi16>
    %236 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %237 = arith.constant 1024 : i32
    %238 = "tk.addptr"(%oi16, %237) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %239 = "tk.splat"(%238) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %240 = "tk.addptr"(%239, %236) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%240, %235) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %241 = arith.remsi %208, %212 : tensor<256xi16>
    %242 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %243 = arith.constant 1280 : i32
    %244 = "tk.addptr"(%oi16, %243) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %245 = "tk.splat"(%244) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %246 = "tk.addptr"(%245, %242) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%246, %241) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %247 = arith.remui %208, %212 : tensor<256xi16>
    %248 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %249 = arith.constant 1536 : i32
    %250 = "tk.addptr"(%oi16, %249) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %251 = "tk.splat"(%250) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %252 = "tk.addptr"(%251, %248) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%252, %247) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %253 = arith.andi %208, %212 : tensor<256xi16>
    %254 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %255 = arith.constant 1792 : i32
    %256 = "tk.addptr"(%oi16, %255) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %257 = "tk.splat"(%256) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %258 = "tk.addptr"(%257, %254) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%258, %253) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %259 = arith.ori %208, %212 : tensor<256xi16>
    %260 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %261 = arith.constant 2048 : i32
    %262 = "tk.addptr"(%oi16, %261) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %263 = "tk.splat"(%262) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %264 = "tk.addptr"(%263, %260) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%264, %259) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %265 = arith.xori %208, %212 : tensor<256xi16>
    %266 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %267 = arith.constant 2304 : i32
    %268 = "tk.addptr"(%oi16, %267) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %269 = "tk.splat"(%268) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %270 = "tk.addptr"(%269, %266) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%270, %265) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %271 = arith.minsi %208, %212 : tensor<256xi16>
    %272 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %273 = arith.constant 2560 : i32
    %274 = "tk.addptr"(%oi16, %273) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %275 = "tk.splat"(%274) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %276 = "tk.addptr"(%275, %272) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%276, %271) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %277 = arith.maxsi %208, %212 : tensor<256xi16>
    %278 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %279 = arith.constant 2816 : i32
    %280 = "tk.addptr"(%oi16, %279) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %281 = "tk.splat"(%280) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %282 = "tk.addptr"(%281, %278) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%282, %277) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %283 = arith.minui %208, %212 : tensor<256xi16>
    %284 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %285 = arith.constant 3072 : i32
    %286 = "tk.addptr"(%oi16, %285) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %287 = "tk.splat"(%286) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %288 = "tk.addptr"(%287, %284) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%288, %283) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %289 = arith.maxui %208, %212 : tensor<256xi16>
    %290 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %291 = arith.constant 3328 : i32
    %292 = "tk.addptr"(%oi16, %291) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %293 = "tk.splat"(%292) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %294 = "tk.addptr"(%293, %290) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%294, %289) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %295 = arith.constant dense<7> : tensor<256xi16>
    %296 = arith.andi %212, %295 : tensor<256xi16>
    %297 = arith.shli %208, %296 : tensor<256xi16>
    %298 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %299 = arith.constant 3584 : i32
    %300 = "tk.addptr"(%oi16, %299) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %301 = "tk.splat"(%300) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %302 = "tk.addptr"(%301, %298) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%302, %297) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %303 = arith.shrsi %208, %296 : tensor<256xi16>
    %304 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %305 = arith.constant 3840 : i32
    %306 = "tk.addptr"(%oi16, %305) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %307 = "tk.splat"(%306) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %308 = "tk.addptr"(%307, %304) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%308, %303) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %309 = arith.shrui %208, %296 : tensor<256xi16>
    %310 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %311 = arith.constant 4096 : i32
    %312 = "tk.addptr"(%oi16, %311) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %313 = "tk.splat"(%312) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %314 = "tk.addptr"(%313, %310) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%314, %309) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %315 = "math.absi"(%208) : (tensor<256xi16>) -> tensor<256xi16>
    %316 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %317 = arith.constant 4352 : i32
    %318 = "tk.addptr"(%oi16, %317) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %319 = "tk.splat"(%318) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %320 = "tk.addptr"(%319, %316) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%320, %315) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %321 = "math.ctlz"(%208) : (tensor<256xi16>) -> tensor<256xi16>
    %322 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %323 = arith.constant 4608 : i32
    %324 = "tk.addptr"(%oi16, %323) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %325 = "tk.splat"(%324) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %326 = "tk.addptr"(%325, %322) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%326, %321) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %327 = "math.ctpop"(%208) : (tensor<256xi16>) -> tensor<256xi16>
    %328 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %329 = arith.constant 4864 : i32
    %330 = "tk.addptr"(%oi16, %329) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %331 = "tk.splat"(%330) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %332 = "tk.addptr"(%331, %328) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%332, %327) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %333 = arith.cmpi eq, %208, %212 : tensor<256xi16>
    %334 = arith.extui %333 : tensor<256xi1> to tensor<256xi16>
    %335 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %336 = arith.constant 5376 : i32
    %337 = "tk.addptr"(%oi16, %336) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %338 = "tk.splat"(%337) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %339 = "tk.addptr"(%338, %335) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%339, %334) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %340 = arith.cmpi ne, %208, %212 : tensor<256xi16>
    %341 = arith.extui %340 : tensor<256xi1> to tensor<256xi16>
    %342 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %343 = arith.constant 5632 : i32
    %344 = "tk.addptr"(%oi16, %343) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %345 = "tk.splat"(%344) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %346 = "tk.addptr"(%345, %342) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%346, %341) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %347 = arith.cmpi slt, %208, %212 : tensor<256xi16>
    %348 = arith.extui %347 : tensor<256xi1> to tensor<256xi16>
    %349 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %350 = arith.constant 5888 : i32
    %351 = "tk.addptr"(%oi16, %350) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %352 = "tk.splat"(%351) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %353 = "tk.addptr"(%352, %349) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%353, %348) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %354 = arith.cmpi sle, %208, %212 : tensor<256xi16>
    %355 = arith.extui %354 : tensor<256xi1> to tensor<256xi16>
    %356 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %357 = arith.constant 6144 : i32
    %358 = "tk.addptr"(%oi16, %357) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %359 = "tk.splat"(%358) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %360 = "tk.addptr"(%359, %356) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%360, %355) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %361 = arith.cmpi sgt, %208, %212 : tensor<256xi16>
    %362 = arith.extui %361 : tensor<256xi1> to tensor<256xi16>
    %363 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %364 = arith.constant 6400 : i32
    %365 = "tk.addptr"(%oi16, %364) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %366 = "tk.splat"(%365) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %367 = "tk.addptr"(%366, %363) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%367, %362) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %368 = arith.cmpi sge, %208, %212 : tensor<256xi16>
    %369 = arith.extui %368 : tensor<256xi1> to tensor<256xi16>
    %370 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %371 = arith.constant 6656 : i32
    %372 = "tk.addptr"(%oi16, %371) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %373 = "tk.splat"(%372) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %374 = "tk.addptr"(%373, %370) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%374, %369) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %375 = arith.cmpi ult, %208, %212 : tensor<256xi16>
    %376 = arith.extui %375 : tensor<256xi1> to tensor<256xi16>
    %377 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %378 = arith.constant 6912 : i32
    %379 = "tk.addptr"(%oi16, %378) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %380 = "tk.splat"(%379) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %381 = "tk.addptr"(%380, %377) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%381, %376) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %382 = arith.cmpi ule, %208, %212 : tensor<256xi16>
    %383 = arith.extui %382 : tensor<256xi1> to tensor<256xi16>
    %384 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %385 = arith.constant 7168 : i32
    %386 = "tk.addptr"(%oi16, %385) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %387 = "tk.splat"(%386) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %388 = "tk.addptr"(%387, %384) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%388, %383) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %389 = arith.cmpi ugt, %208, %212 : tensor<256xi16>
    %390 = arith.extui %389 : tensor<256xi1> to tensor<256xi16>
    %391 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %392 = arith.constant 7424 : i32
    %393 = "tk.addptr"(%oi16, %392) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %394 = "tk.splat"(%393) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %395 = "tk.addptr"(%394, %391) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%395, %390) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %396 = arith.cmpi uge, %208, %212 : tensor<256xi16>
    %397 = arith.extui %396 : tensor<256xi1> to tensor<256xi16>
    %398 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %399 = arith.constant 7680 : i32
    %400 = "tk.addptr"(%oi16, %399) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %401 = "tk.splat"(%400) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %402 = "tk.addptr"(%401, %398) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%402, %397) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %403 = arith.cmpi slt, %208, %212 : tensor<256xi16>
    %404 = arith.select %403, %208, %212 : tensor<256xi1>, tensor<256xi16>
    %405 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %406 = arith.constant 7936 : i32
    %407 = "tk.addptr"(%oi16, %406) : (!tk.ptr<i16>, i32) -> !tk.ptr<i16>
    %408 = "tk.splat"(%407) : (!tk.ptr<i16>) -> tensor<256x!tk.ptr<i16>>
    %409 = "tk.addptr"(%408, %405) : (tensor<256x!tk.ptr<i16>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i16>>
    "tk.store"(%409, %404) : (tensor<256x!tk.ptr<i16>>, tensor<256xi16>) -> ()
    %410 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %411 = "tk.splat"(%xi32) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %412 = "tk.addptr"(%411, %410) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    %413 = "tk.load"(%412) : (tensor<256x!tk.ptr<i32>>) -> tensor<256xi32>
    %414 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %415 = "tk.splat"(%yi32) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %416 = "tk.addptr"(%415, %414) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    %417 = "tk.load"(%416) : (tensor<256x!tk.ptr<i32>>) -> tensor<256xi32>
    %418 = arith.addi %413, %417 : tensor<256xi32>
    %419 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %420 = "tk.splat"(%oi32) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %421 = "tk.addptr"(%420, %419) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%421, %418) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %422 = arith.subi %413, %417 : tensor<256xi32>
    %423 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %424 = arith.constant 256 : i32
    %425 = "tk.addptr"(%oi32, %424) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %426 = "tk.splat"(%425) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %427 = "tk.addptr"(%426, %423) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%427, %422) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %428 = arith.muli %413, %417 : tensor<256xi32>
    %429 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %430 = arith.constant 512 : i32
    %431 = "tk.addptr"(%oi32, %430) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %432 = "tk.splat"(%431) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %433 = "tk.addptr"(%432, %429) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%433, %428) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %434 = arith.divsi %413, %417 : tensor<256xi32>
    %435 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %436 = arith.constant 768 : i32
    %437 = "tk.addptr"(%oi32, %436) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %438 = "tk.splat"(%437) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %439 = "tk.addptr"(%438, %435) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%439, %434) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %440 = arith.divui %413, %417 : tensor<256xi32>
    %441 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %442 = arith.constant 1024 : i32
    %443 = "tk.addptr"(%oi32, %442) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %444 = "tk.splat"(%443) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %445 = "tk.addptr"(%444, %441) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%445, %440) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %446 = arith.remsi %413, %417 : tensor<256xi32>
    %447 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %448 = arith.constant 1280 : i32
    %449 = "tk.addptr"(%oi32, %448) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %450 = "tk.splat"(%449) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %451 = "tk.addptr"(%450, %447) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%451, %446) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %452 = arith.remui %413, %417 : tensor<256xi32>
    %453 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %454 = arith.constant 1536 : i32
    %455 = "tk.addptr"(%oi32, %454) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %456 = "tk.splat"(%455) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %457 = "tk.addptr"(%456, %453) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%457, %452) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %458 = arith.andi %413, %417 : tensor<256xi32>
    %459 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %460 = arith.constant 1792 : i32
    %461 = "tk.addptr"(%oi32, %460) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %462 = "tk.splat"(%461) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %463 = "tk.addptr"(%462, %459) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%463, %458) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %464 = arith.ori %413, %417 : tensor<256xi32>
    %465 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %466 = arith.constant 2048 : i32
    %467 = "tk.addptr"(%oi32, %466) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %468 = "tk.splat"(%467) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %469 = "tk.addptr"(%468, %465) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%469, %464) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %470 = arith.xori %413, %417 : tensor<256xi32>
    %471 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %472 = arith.constant 2304 : i32
    %473 = "tk.addptr"(%oi32, %472) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %474 = "tk.splat"(%473) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %475 = "tk.addptr"(%474, %471) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%475, %470) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %476 = arith.minsi %413, %417 : tensor<256xi32>
    %477 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %478 = arith.constant 2560 : i32
    %479 = "tk.addptr"(%oi32, %478) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %480 = "tk.splat"(%479) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %481 = "tk.addptr"(%480, %477) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%481, %476) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %482 = arith.maxsi %413, %417 : tensor<256xi32>
    %483 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %484 = arith.constant 2816 : i32
    %485 = "tk.addptr"(%oi32, %484) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %486 = "tk.splat"(%485) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %487 = "tk.addptr"(%486, %483) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%487, %482) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %488 = arith.minui %413, %417 : tensor<256xi32>
    %489 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %490 = arith.constant 3072 : i32
    %491 = "tk.addptr"(%oi32, %490) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %492 = "tk.splat"(%491) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %493 = "tk.addptr"(%492, %489) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%493, %488) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %494 = arith.maxui %413, %417 : tensor<256xi32>
    %495 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %496 = arith.constant 3328 : i32
    %497 = "tk.addptr"(%oi32, %496) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %498 = "tk.splat"(%497) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %499 = "tk.addptr"(%498, %495) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%499, %494) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %500 = arith.constant dense<7> : tensor<256xi32>
    %501 = arith.andi %417, %500 : tensor<256xi32>
    %502 = arith.shli %413, %501 : tensor<256xi32>
    %503 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %504 = arith.constant 3584 : i32
    %505 = "tk.addptr"(%oi32, %504) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %506 = "tk.splat"(%505) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %507 = "tk.addptr"(%506, %503) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%507, %502) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %508 = arith.shrsi %413, %501 : tensor<256xi32>
    %509 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %510 = arith.constant 3840 : i32
    %511 = "tk.addptr"(%oi32, %510) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %512 = "tk.splat"(%511) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %513 = "tk.addptr"(%512, %509) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%513, %508) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %514 = arith.shrui %413, %501 : tensor<256xi32>
    %515 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %516 = arith.constant 4096 : i32
    %517 = "tk.addptr"(%oi32, %516) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %518 = "tk.splat"(%517) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %519 = "tk.addptr"(%518, %515) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%519, %514) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %520 = "math.absi"(%413) : (tensor<256xi32>) -> tensor<256xi32>
    %521 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %522 = arith.constant 4352 : i32
    %523 = "tk.addptr"(%oi32, %522) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %524 = "tk.splat"(%523) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %525 = "tk.addptr"(%524, %521) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%525, %520) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %526 = "math.ctlz"(%413) : (tensor<256xi32>) -> tensor<256xi32>
    %527 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %528 = arith.constant 4608 : i32
    %529 = "tk.addptr"(%oi32, %528) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %530 = "tk.splat"(%529) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %531 = "tk.addptr"(%530, %527) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%531, %526) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %532 = "math.ctpop"(%413) : (tensor<256xi32>) -> tensor<256xi32>
    %533 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %534 = arith.constant 4864 : i32
    %535 = "tk.addptr"(%oi32, %534) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %536 = "tk.splat"(%535) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %537 = "tk.addptr"(%536, %533) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%537, %532) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %538 = "tk.mulhi"(%413, %417) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %539 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %540 = arith.constant 5120 : i32
    %541 = "tk.addptr"(%oi32, %540) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %542 = "tk.splat"(%541) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %543 = "tk.addptr"(%542, %539) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%543, %538) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %544 = arith.cmpi eq, %413, %417 : tensor<256xi32>
    %545 = arith.extui %544 : tensor<256xi1> to tensor<256xi32>
    %546 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %547 = arith.constant 5376 : i32
    %548 = "tk.addptr"(%oi32, %547) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %549 = "tk.splat"(%548) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %550 = "tk.addptr"(%549, %546) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%550, %545) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %551 = arith.cmpi ne, %413, %417 : tensor<256xi32>
    %552 = arith.extui %551 : tensor<256xi1> to tensor<256xi32>
    %553 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %554 = arith.constant 5632 : i32
    %555 = "tk.addptr"(%oi32, %554) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %556 = "tk.splat"(%555) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %557 = "tk.addptr"(%556, %553) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%557, %552) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %558 = arith.cmpi slt, %413, %417 : tensor<256xi32>
    %559 = arith.extui %558 : tensor<256xi1> to tensor<256xi32>
    %560 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %561 = arith.constant 5888 : i32
    %562 = "tk.addptr"(%oi32, %561) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %563 = "tk.splat"(%562) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %564 = "tk.addptr"(%563, %560) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%564, %559) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %565 = arith.cmpi sle, %413, %417 : tensor<256xi32>
    %566 = arith.extui %565 : tensor<256xi1> to tensor<256xi32>
    %567 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %568 = arith.constant 6144 : i32
    %569 = "tk.addptr"(%oi32, %568) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %570 = "tk.splat"(%569) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %571 = "tk.addptr"(%570, %567) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%571, %566) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %572 = arith.cmpi sgt, %413, %417 : tensor<256xi32>
    %573 = arith.extui %572 : tensor<256xi1> to tensor<256xi32>
    %574 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %575 = arith.constant 6400 : i32
    %576 = "tk.addptr"(%oi32, %575) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %577 = "tk.splat"(%576) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %578 = "tk.addptr"(%577, %574) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%578, %573) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %579 = arith.cmpi sge, %413, %417 : tensor<256xi32>
    %580 = arith.extui %579 : tensor<256xi1> to tensor<256xi32>
    %581 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %582 = arith.constant 6656 : i32
    %583 = "tk.addptr"(%oi32, %582) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %584 = "tk.splat"(%583) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %585 = "tk.addptr"(%584, %581) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%585, %580) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %586 = arith.cmpi ult, %413, %417 : tensor<256xi32>
    %587 = arith.extui %586 : tensor<256xi1> to tensor<256xi32>
    %588 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %589 = arith.constant 6912 : i32
    %590 = "tk.addptr"(%oi32, %589) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %591 = "tk.splat"(%590) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %592 = "tk.addptr"(%591, %588) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%592, %587) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %593 = arith.cmpi ule, %413, %417 : tensor<256xi32>
    %594 = arith.extui %593 : tensor<256xi1> to tensor<256xi32>
    %595 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %596 = arith.constant 7168 : i32
    %597 = "tk.addptr"(%oi32, %596) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %598 = "tk.splat"(%597) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %599 = "tk.addptr"(%598, %595) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%599, %594) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %600 = arith.cmpi ugt, %413, %417 : tensor<256xi32>
    %601 = arith.extui %600 : tensor<256xi1> to tensor<256xi32>
    %602 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %603 = arith.constant 7424 : i32
    %604 = "tk.addptr"(%oi32, %603) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %605 = "tk.splat"(%604) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %606 = "tk.addptr"(%605, %602) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%606, %601) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %607 = arith.cmpi uge, %413, %417 : tensor<256xi32>
    %608 = arith.extui %607 : tensor<256xi1> to tensor<256xi32>
    %609 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %610 = arith.constant 7680 : i32
    %611 = "tk.addptr"(%oi32, %610) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %612 = "tk.splat"(%611) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %613 = "tk.addptr"(%612, %609) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%613, %608) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %614 = arith.cmpi slt, %413, %417 : tensor<256xi32>
    %615 = arith.select %614, %413, %417 : tensor<256xi1>, tensor<256xi32>
    %616 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %617 = arith.constant 7936 : i32
    %618 = "tk.addptr"(%oi32, %617) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>
    %619 = "tk.splat"(%618) : (!tk.ptr<i32>) -> tensor<256x!tk.ptr<i32>>
    %620 = "tk.addptr"(%619, %616) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i32>>
    "tk.store"(%620, %615) : (tensor<256x!tk.ptr<i32>>, tensor<256xi32>) -> ()
    %621 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %622 = "tk.splat"(%xi64) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %623 = "tk.addptr"(%622, %621) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    %624 = "tk.load"(%623) : (tensor<256x!tk.ptr<i64>>) -> tensor<256xi64>
    %625 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %626 = "tk.splat"(%yi64) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %627 = "tk.addptr"(%626, %625) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    %628 = "tk.load"(%627) : (tensor<256x!tk.ptr<i64>>) -> tensor<256xi64>
    %629 = arith.addi %624, %628 : tensor<256xi64>
    %630 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %631 = "tk.splat"(%oi64) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %632 = "tk.addptr"(%631, %630) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%632, %629) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %633 = arith.subi %624, %628 : tensor<256xi64>
    %634 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %635 = arith.constant 256 : i32
    %636 = "tk.addptr"(%oi64, %635) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %637 = "tk.splat"(%636) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %638 = "tk.addptr"(%637, %634) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%638, %633) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %639 = arith.muli %624, %628 : tensor<256xi64>
    %640 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %641 = arith.constant 512 : i32
    %642 = "tk.addptr"(%oi64, %641) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %643 = "tk.splat"(%642) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %644 = "tk.addptr"(%643, %640) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%644, %639) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %645 = arith.divsi %624, %628 : tensor<256xi64>
    %646 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %647 = arith.constant 768 : i32
    %648 = "tk.addptr"(%oi64, %647) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %649 = "tk.splat"(%648) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %650 = "tk.addptr"(%649, %646) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%650, %645) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %651 = arith.divui %624, %628 : tensor<256xi64>
    %652 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %653 = arith.constant 1024 : i32
    %654 = "tk.addptr"(%oi64, %653) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %655 = "tk.splat"(%654) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %656 = "tk.addptr"(%655, %652) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%656, %651) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %657 = arith.remsi %624, %628 : tensor<256xi64>
    %658 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %659 = arith.constant 1280 : i32
    %660 = "tk.addptr"(%oi64, %659) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %661 = "tk.splat"(%660) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %662 = "tk.addptr"(%661, %658) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%662, %657) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %663 = arith.remui %624, %628 : tensor<256xi64>
    %664 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %665 = arith.constant 1536 : i32
    %666 = "tk.addptr"(%oi64, %665) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %667 = "tk.splat"(%666) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %668 = "tk.addptr"(%667, %664) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%668, %663) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %669 = arith.andi %624, %628 : tensor<256xi64>
    %670 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %671 = arith.constant 1792 : i32
    %672 = "tk.addptr"(%oi64, %671) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %673 = "tk.splat"(%672) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %674 = "tk.addptr"(%673, %670) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%674, %669) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %675 = arith.ori %624, %628 : tensor<256xi64>
    %676 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %677 = arith.constant 2048 : i32
    %678 = "tk.addptr"(%oi64, %677) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %679 = "tk.splat"(%678) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %680 = "tk.addptr"(%679, %676) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%680, %675) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %681 = arith.xori %624, %628 : tensor<256xi64>
    %682 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %683 = arith.constant 2304 : i32
    %684 = "tk.addptr"(%oi64, %683) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %685 = "tk.splat"(%684) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %686 = "tk.addptr"(%685, %682) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%686, %681) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %687 = arith.minsi %624, %628 : tensor<256xi64>
    %688 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %689 = arith.constant 2560 : i32
    %690 = "tk.addptr"(%oi64, %689) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %691 = "tk.splat"(%690) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %692 = "tk.addptr"(%691, %688) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%692, %687) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %693 = arith.maxsi %624, %628 : tensor<256xi64>
    %694 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %695 = arith.constant 2816 : i32
    %696 = "tk.addptr"(%oi64, %695) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %697 = "tk.splat"(%696) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %698 = "tk.addptr"(%697, %694) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%698, %693) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %699 = arith.minui %624, %628 : tensor<256xi64>
    %700 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %701 = arith.constant 3072 : i32
    %702 = "tk.addptr"(%oi64, %701) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %703 = "tk.splat"(%702) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %704 = "tk.addptr"(%703, %700) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%704, %699) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %705 = arith.maxui %624, %628 : tensor<256xi64>
    %706 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %707 = arith.constant 3328 : i32
    %708 = "tk.addptr"(%oi64, %707) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %709 = "tk.splat"(%708) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %710 = "tk.addptr"(%709, %706) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%710, %705) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %711 = arith.constant dense<7> : tensor<256xi64>
    %712 = arith.andi %628, %711 : tensor<256xi64>
    %713 = arith.shli %624, %712 : tensor<256xi64>
    %714 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %715 = arith.constant 3584 : i32
    %716 = "tk.addptr"(%oi64, %715) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %717 = "tk.splat"(%716) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %718 = "tk.addptr"(%717, %714) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%718, %713) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %719 = arith.shrsi %624, %712 : tensor<256xi64>
    %720 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %721 = arith.constant 3840 : i32
    %722 = "tk.addptr"(%oi64, %721) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %723 = "tk.splat"(%722) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %724 = "tk.addptr"(%723, %720) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%724, %719) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %725 = arith.shrui %624, %712 : tensor<256xi64>
    %726 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %727 = arith.constant 4096 : i32
    %728 = "tk.addptr"(%oi64, %727) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %729 = "tk.splat"(%728) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %730 = "tk.addptr"(%729, %726) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%730, %725) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %731 = "math.absi"(%624) : (tensor<256xi64>) -> tensor<256xi64>
    %732 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %733 = arith.constant 4352 : i32
    %734 = "tk.addptr"(%oi64, %733) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %735 = "tk.splat"(%734) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %736 = "tk.addptr"(%735, %732) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%736, %731) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %737 = "math.ctlz"(%624) : (tensor<256xi64>) -> tensor<256xi64>
    %738 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %739 = arith.constant 4608 : i32
    %740 = "tk.addptr"(%oi64, %739) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %741 = "tk.splat"(%740) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %742 = "tk.addptr"(%741, %738) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%742, %737) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %743 = "math.ctpop"(%624) : (tensor<256xi64>) -> tensor<256xi64>
    %744 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %745 = arith.constant 4864 : i32
    %746 = "tk.addptr"(%oi64, %745) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %747 = "tk.splat"(%746) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %748 = "tk.addptr"(%747, %744) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%748, %743) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %749 = "tk.mulhi"(%624, %628) : (tensor<256xi64>, tensor<256xi64>) -> tensor<256xi64>
    %750 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %751 = arith.constant 5120 : i32
    %752 = "tk.addptr"(%oi64, %751) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %753 = "tk.splat"(%752) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %754 = "tk.addptr"(%753, %750) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%754, %749) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %755 = arith.cmpi eq, %624, %628 : tensor<256xi64>
    %756 = arith.extui %755 : tensor<256xi1> to tensor<256xi64>
    %757 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %758 = arith.constant 5376 : i32
    %759 = "tk.addptr"(%oi64, %758) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %760 = "tk.splat"(%759) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %761 = "tk.addptr"(%760, %757) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%761, %756) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %762 = arith.cmpi ne, %624, %628 : tensor<256xi64>
    %763 = arith.extui %762 : tensor<256xi1> to tensor<256xi64>
    %764 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %765 = arith.constant 5632 : i32
    %766 = "tk.addptr"(%oi64, %765) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %767 = "tk.splat"(%766) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %768 = "tk.addptr"(%767, %764) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%768, %763) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %769 = arith.cmpi slt, %624, %628 : tensor<256xi64>
    %770 = arith.extui %769 : tensor<256xi1> to tensor<256xi64>
    %771 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %772 = arith.constant 5888 : i32
    %773 = "tk.addptr"(%oi64, %772) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %774 = "tk.splat"(%773) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %775 = "tk.addptr"(%774, %771) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%775, %770) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %776 = arith.cmpi sle, %624, %628 : tensor<256xi64>
    %777 = arith.extui %776 : tensor<256xi1> to tensor<256xi64>
    %778 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %779 = arith.constant 6144 : i32
    %780 = "tk.addptr"(%oi64, %779) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %781 = "tk.splat"(%780) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %782 = "tk.addptr"(%781, %778) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%782, %777) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %783 = arith.cmpi sgt, %624, %628 : tensor<256xi64>
    %784 = arith.extui %783 : tensor<256xi1> to tensor<256xi64>
    %785 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %786 = arith.constant 6400 : i32
    %787 = "tk.addptr"(%oi64, %786) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %788 = "tk.splat"(%787) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %789 = "tk.addptr"(%788, %785) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%789, %784) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %790 = arith.cmpi sge, %624, %628 : tensor<256xi64>
    %791 = arith.extui %790 : tensor<256xi1> to tensor<256xi64>
    %792 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %793 = arith.constant 6656 : i32
    %794 = "tk.addptr"(%oi64, %793) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %795 = "tk.splat"(%794) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %796 = "tk.addptr"(%795, %792) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%796, %791) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %797 = arith.cmpi ult, %624, %628 : tensor<256xi64>
    %798 = arith.extui %797 : tensor<256xi1> to tensor<256xi64>
    %799 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %800 = arith.constant 6912 : i32
    %801 = "tk.addptr"(%oi64, %800) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %802 = "tk.splat"(%801) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %803 = "tk.addptr"(%802, %799) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%803, %798) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %804 = arith.cmpi ule, %624, %628 : tensor<256xi64>
    %805 = arith.extui %804 : tensor<256xi1> to tensor<256xi64>
    %806 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %807 = arith.constant 7168 : i32
    %808 = "tk.addptr"(%oi64, %807) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %809 = "tk.splat"(%808) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %810 = "tk.addptr"(%809, %806) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%810, %805) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %811 = arith.cmpi ugt, %624, %628 : tensor<256xi64>
    %812 = arith.extui %811 : tensor<256xi1> to tensor<256xi64>
    %813 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %814 = arith.constant 7424 : i32
    %815 = "tk.addptr"(%oi64, %814) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %816 = "tk.splat"(%815) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %817 = "tk.addptr"(%816, %813) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%817, %812) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %818 = arith.cmpi uge, %624, %628 : tensor<256xi64>
    %819 = arith.extui %818 : tensor<256xi1> to tensor<256xi64>
    %820 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %821 = arith.constant 7680 : i32
    %822 = "tk.addptr"(%oi64, %821) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %823 = "tk.splat"(%822) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %824 = "tk.addptr"(%823, %820) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%824, %819) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    %825 = arith.cmpi slt, %624, %628 : tensor<256xi64>
    %826 = arith.select %825, %624, %628 : tensor<256xi1>, tensor<256xi64>
    %827 = "tk.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
    %828 = arith.constant 7936 : i32
    %829 = "tk.addptr"(%oi64, %828) : (!tk.ptr<i64>, i32) -> !tk.ptr<i64>
    %830 = "tk.splat"(%829) : (!tk.ptr<i64>) -> tensor<256x!tk.ptr<i64>>
    %831 = "tk.addptr"(%830, %827) : (tensor<256x!tk.ptr<i64>>, tensor<256xi32>) -> tensor<256x!tk.ptr<i64>>
    "tk.store"(%831, %826) : (tensor<256x!tk.ptr<i64>>, tensor<256xi64>) -> ()
    func.return
  }
}
