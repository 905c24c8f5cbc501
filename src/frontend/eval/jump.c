// break, continue and return inside run-time loops; scf has no such jumps. All paths through the body meet at
// its end (branch.c moves the statements after an `if` into the branches that go on), and the loop carries
// how the path ended:
//
//   for i in range(n):                 i = 0; broken = returned = False; value = 0
//       if p(i): break          →      while not broken and i < n:
//       if q(i): return i                  if p(i):   broken = True
//   return -1                              elif q(i): broken = returned = True; value = i
//                                          i += 1
//                                      return value if returned else -1
//
// A loop without such jumps stays a plain scf.for or scf.while.
#include "frontend/eval/walk.h"

const char *jump_name(struct emitter *e, enum jump_name what, const struct stmt *loop) {
    static const char *const texts[] = {"broken", "returned", "value", "index"};
    return arena_printf(e->arena, "<%s of line %u, %u>", texts[what], loop->location.line,
                        loop->location.column);
}

static void set_flag(struct emitter *e, enum jump_name what) {
    scope_set(e, e->frame->scope, jump_name(e, what, e->frame->jump_loop),
              emit_int(e, DTYPE_OF(INT1), 0, NULL, 1));
}

enum flow finish_path(struct emitter *e, enum flow flow) {
    struct call_frame *frame = e->frame;
    switch (flow) {
    case FLOW_NEXT:
    case FLOW_CONTINUE:
    case FLOW_DONE:
        return FLOW_NEXT;
    case FLOW_BREAK:
        set_flag(e, JUMP_BROKEN);
        return FLOW_NEXT;
    case FLOW_RETURN:
        set_flag(e, JUMP_BROKEN);
        set_flag(e, JUMP_RETURNED);
        if (!value_is_none(frame->returned)) {
            frame->returned = decay(e, frame->returned, frame->jump_loop->location);
            frame->loop_value = frame->returned;
            scope_set(e, frame->scope, jump_name(e, JUMP_VALUE, frame->jump_loop), frame->returned);
        }
        return FLOW_NEXT;
    default:
        return FLOW_FAIL;
    }
}

// A zero of the given type: the carried value before anything has been returned.
struct value zero_like(struct emitter *e, struct value like) {
    struct value_list parts = value_parts(like);
    if (like.kind == VALUE_TENSOR) {
        return emit_int(e, like.tensor.dtype, like.tensor.rank, like.tensor.shape, 0);
    }
    if (parts.count == 0) {
        return like;
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, parts.count);
    for (size_t i = 0; i < parts.count; i++) {
        items[i] = zero_like(e, parts.items[i]);
    }
    return value_with_parts(like, (struct value_list){.items = items, .count = parts.count});
}
