// chip: sm_80
// show: scf.while scf.for
// Loops that are left alone: a condition that asks for more, that loads or that is unsigned; a bound that the loop changes; a counter that steps
// under a condition, by what it is or not at all; steps that lead away from the bound, or may, or past it.
module {
  func.func @k(%p: !tk.ptr<i32>, %a: i32, %n: i32) attributes {tk.num_warps = 2 : i32} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %more:2 = scf.while (%k = %zero, %x = %a) : (i32, i32) -> (i32, i32) {
      %below = arith.cmpi slt, %k, %n : i32
      %goes = arith.cmpi ne, %x, %zero : i32
      %c = arith.andi %below, %goes : i1
      scf.condition(%c) %k, %x : i32, i32
    } do {
    ^bb0(%k: i32, %x: i32):
      %next = arith.addi %k, %one : i32
      %y = arith.xori %x, %k : i32
      scf.yield %next, %y : i32, i32
    }
    %loads = scf.while (%k = %zero) : (i32) -> i32 {
      %bound = "tk.load"(%p) : (!tk.ptr<i32>) -> i32
      %c = arith.cmpi slt, %k, %bound : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    %unsigned = scf.while (%k = %zero) : (i32) -> i32 {
      %c = arith.cmpi ult, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    %meet:2 = scf.while (%k = %zero, %end = %n) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi slt, %k, %end : i32
      scf.condition(%c) %k, %end : i32, i32
    } do {
    ^bb0(%k: i32, %end: i32):
      %next = arith.addi %k, %one : i32
      %before = arith.subi %end, %one : i32
      scf.yield %next, %before : i32, i32
    }
    %sometimes = scf.while (%k = %zero) : (i32) -> i32 {
      %c = arith.cmpi slt, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %is = arith.cmpi eq, %k, %a : i32
      %next = scf.if %is -> (i32) {
        scf.yield %n : i32
      } else {
        %step = arith.addi %k, %one : i32
        scf.yield %step : i32
      }
      scf.yield %next : i32
    }
    %doubles = scf.while (%k = %one) : (i32) -> i32 {
      %c = arith.cmpi slt, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %k : i32
      scf.yield %next : i32
    }
    %away = scf.while (%k = %zero) : (i32) -> i32 {
      %c = arith.cmpi sgt, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    %stands = scf.while (%k = %zero) : (i32) -> i32 {
      %c = arith.cmpi slt, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      scf.yield %k : i32
    }
    %unknown = scf.while (%k = %zero) : (i32) -> i32 {
      %c = arith.cmpi slt, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %a : i32
      scf.yield %next : i32
    }
    %unequal = scf.while (%k = %zero) : (i32) -> i32 {
      %c = arith.cmpi ne, %k, %n : i32
      scf.condition(%c) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    func.return
  }
}
