// tk.dot.
#include "target/lower_internal.h"

void lower_dot(struct lowering *l, MlirOperation op) {
    if (op_has(op, "instruction")) {
        MlirStringRef name = op_string(op, "instruction");
        lower_error(l, "matrix instruction %.*s is not supported on %s", (int)name.length, name.data,
                    l->target->name);
        return;
    }
    lower_dot_fma(l, op);
}
