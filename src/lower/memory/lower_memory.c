// Global and shared memory at the widest accesses.
//
// A load or store of a tile is cut into accesses of `vector` consecutive registers (proved contiguous and
// aligned by the layouts pass), at most as wide as the chip's. Masked accesses, and those of 32 bytes, are
// predicated assembly on NVIDIA; masked ones are branches on AMD. Replicas may load again; only owners store (threads and registers with zero free bits).
#include "chip/llvm.h"
#include "lower/lower_internal.h"

#include <string.h>

unsigned lower_vector(struct lowering *l, MlirOperation op, const struct layout *layout,
                      unsigned element_bits) {
    enum { BYTES = 16 };
    enum op_kind kind = op_kind(l->ir, op);
    unsigned bytes = kind == OP_LOAD || kind == OP_STORE ? l->target->access_bytes : BYTES;
    unsigned vector = (unsigned)op_int(op, ATTR_VECTOR);
    while (vector > 1 && vector * element_bits > bytes * 8) {
        vector /= 2;
    }
    if (!layout) {
        return 1;
    }
    // The registers of an access must hold neighbours: bases 2^s, 2^(s+1), … from the lowest register bit on.
    unsigned bits = 0;
    uint32_t first = layout->basis[LAYOUT_REGISTER][0];
    while (bits < layout->bits[LAYOUT_REGISTER] && first &&
           layout->basis[LAYOUT_REGISTER][bits] == first << bits) {
        bits++;
    }
    return vector < 1u << bits ? vector : 1u << bits;
}

// ---- rows of asm.def by width and modifier ----

// B8, B16, B32, V2_B32, V4_B32, V8_B32 follow one another in the table.
enum { WIDE_BYTES = 32 };
static unsigned width_row(unsigned bytes) {
    return (unsigned)__builtin_ctz(bytes);
}

// PTX takes one of volatile, a cache operator and an eviction priority, in this order of weight; the last from sm_80 on.
static enum asm_id load_row(struct lowering *l, MlirOperation op, unsigned bytes) {
    static const enum asm_id caches[CACHE_COUNT] = {
        [CACHE_NONE] = ASM_LOAD_PLAIN_B8, [CACHE_CA] = ASM_LOAD_CA_B8, [CACHE_CG] = ASM_LOAD_CG_B8,
        [CACHE_CS] = ASM_LOAD_CS_B8,      [CACHE_CV] = ASM_LOAD_CV_B8, [CACHE_WB] = ASM_LOAD_PLAIN_B8,
        [CACHE_WT] = ASM_LOAD_PLAIN_B8,
    };
    static const enum asm_id evictions[] = {[EVICT_NORMAL] = ASM_LOAD_PLAIN_B8,
                                            [EVICT_FIRST] = ASM_LOAD_EVICT_FIRST_B8,
                                            [EVICT_LAST] = ASM_LOAD_EVICT_LAST_B8};
    enum asm_id cached = caches[op_cache_modifier(op)];
    enum asm_id first = op_has(op, ATTR_VOLATILE) ? ASM_LOAD_VOLATILE_B8
                        : cached != ASM_LOAD_PLAIN_B8 || l->target->compute_capability < 80
                            ? cached
                            : evictions[op_eviction_policy(op)];
    return first + width_row(bytes);
}

static enum asm_id store_row(MlirOperation op, unsigned bytes) {
    static const enum asm_id caches[CACHE_COUNT] = {
        [CACHE_NONE] = ASM_STORE_PLAIN_B8, [CACHE_CA] = ASM_STORE_PLAIN_B8, [CACHE_CG] = ASM_STORE_CG_B8,
        [CACHE_CS] = ASM_STORE_CS_B8,      [CACHE_CV] = ASM_STORE_PLAIN_B8, [CACHE_WB] = ASM_STORE_WB_B8,
        [CACHE_WT] = ASM_STORE_WT_B8,
    };
    static const enum asm_id evictions[] = {[EVICT_NORMAL] = ASM_STORE_PLAIN_B8,
                                            [EVICT_FIRST] = ASM_STORE_EVICT_FIRST_B8,
                                            [EVICT_LAST] = ASM_STORE_EVICT_LAST_B8};
    enum asm_id cached = caches[op_cache_modifier(op)];
    enum asm_id first = cached != ASM_STORE_PLAIN_B8 ? cached : evictions[op_eviction_policy(op)];
    return first + width_row(bytes);
}

// ---- words ----

// Cache behaviour of an LLVM load or store: on NVIDIA from volatile alone, the other modifiers being rows of asm.def.
static enum access_kind access_kind(struct lowering *l, MlirOperation op) {
    bool plain = lower_vendor(l)->predicated && !op_has(op, ATTR_VOLATILE);
    return plain ? ACCESS_PLAIN : access_kind_on_amd(op);
}

static void mark_access(struct lowering *l, LLVMValueRef access, enum access_kind kind) {
    LLVMSetVolatile(access, kind == ACCESS_VOLATILE);
    if (kind == ACCESS_NONTEMPORAL) {
        LLVMMetadataRef one = LLVMValueAsMetadata(lower_i32(l, 1));
        LLVMMetadataRef node = LLVMMDNodeInContext2(l->context, &one, 1);
        LLVMSetMetadata(access, LLVMGetMDKindIDInContext(l->context, "nontemporal", 11),
                        LLVMMetadataAsValue(l->context, node));
    }
}

static void read_words(struct lowering *l, LLVMValueRef address, LLVMTypeRef word, unsigned count,
                       enum access_kind kind, LLVMValueRef *words) {
    LLVMTypeRef type = count == 1 ? word : LLVMVectorType(word, count);
    LLVMValueRef load = LLVMBuildLoad2(l->b, type, address, "");
    LLVMSetAlignment(load, LLVMGetIntTypeWidth(word) / 8 * count);
    mark_access(l, load, kind);
    for (unsigned i = 0; i < count; i++) {
        words[i] = count == 1 ? load : LLVMBuildExtractElement(l->b, load, lower_i32(l, i), "");
    }
}

// Of words just read from memory that nobody writes while the kernel runs.
static void mark_invariant(struct lowering *l, const LLVMValueRef *words, unsigned count) {
    LLVMValueRef load = count == 1 ? words[0] : LLVMGetOperand(words[0], 0);
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(l->context, "invariant.load", 14),
                    LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0)));
}

static LLVMValueRef as_vector(struct lowering *l, LLVMValueRef *words, unsigned count) {
    LLVMValueRef value = words[0];
    if (count > 1) {
        value = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(words[0]), count));
        for (unsigned i = 0; i < count; i++) {
            value = LLVMBuildInsertElement(l->b, value, words[i], lower_i32(l, i), "");
        }
    }
    return value;
}

static void write_words(struct lowering *l, LLVMValueRef address, LLVMValueRef *words, unsigned count,
                        enum access_kind kind) {
    LLVMValueRef store = LLVMBuildStore(l->b, as_vector(l, words, count), address);
    LLVMSetAlignment(store, LLVMGetIntTypeWidth(LLVMTypeOf(words[0])) / 8 * count);
    mark_access(l, store, kind);
}

// Assembly has no 8-bit registers: a byte travels in 16 bits.
static LLVMTypeRef asm_word(struct lowering *l, LLVMTypeRef word) {
    return word == l->i8 ? l->i16 : word;
}

// The last operand of a row with an eviction priority; NULL for other rows, and for those of 32 bytes. The second-level
// cache has a policy of its own, and a load of rows that are read again, or never again, must set it as well.
static LLVMValueRef policy_of(struct lowering *l, enum asm_id row) {
    bool first = row >= ASM_LOAD_EVICT_FIRST_B8 && row <= ASM_LOAD_EVICT_FIRST_V4_B32;
    bool last = row >= ASM_LOAD_EVICT_LAST_B8 && row <= ASM_LOAD_EVICT_LAST_V4_B32;
    if (!first && !last) {
        return NULL;
    }
    LLVMValueRef *policy = &l->policies[first ? EVICT_FIRST : EVICT_LAST];
    if (!*policy) {
        LLVMBuilderRef here = l->b;
        l->b = l->entry;
        *policy = asm_call(l, first ? ASM_POLICY_EVICT_FIRST : ASM_POLICY_EVICT_LAST, l->i64, NULL, 0);
        l->b = here;
    }
    return *policy;
}

static void read_words_predicated(struct lowering *l, enum asm_id id, LLVMValueRef address,
                                  LLVMValueRef predicate, LLVMValueRef *words, unsigned count) {
    LLVMTypeRef word = LLVMTypeOf(words[0]), passed = asm_word(l, word);
    LLVMValueRef args[LOWER_WORDS + 3] = {address, predicate}, policy = policy_of(l, id);
    LLVMTypeRef members[LOWER_WORDS];
    for (unsigned i = 0; i < count; i++) {
        args[2 + i] = word == passed ? words[i] : LLVMBuildZExt(l->b, words[i], passed, "");
        members[i] = passed;
    }
    args[2 + count] = policy;
    LLVMTypeRef type = count == 1 ? passed : LLVMStructTypeInContext(l->context, members, count, 0);
    LLVMValueRef result = asm_call(l, id, type, args, 2 + count + (policy != NULL));
    for (unsigned i = 0; i < count; i++) {
        words[i] = count == 1 ? result : LLVMBuildExtractValue(l->b, result, i, "");
        words[i] = word == passed ? words[i] : LLVMBuildTrunc(l->b, words[i], word, "");
    }
}

static void write_words_predicated(struct lowering *l, enum asm_id id, LLVMValueRef address,
                                   LLVMValueRef predicate, LLVMValueRef *words, unsigned count) {
    LLVMTypeRef word = LLVMTypeOf(words[0]), passed = asm_word(l, word);
    LLVMValueRef args[LOWER_WORDS + 2] = {address, predicate};
    for (unsigned i = 0; i < count; i++) {
        args[2 + i] = word == passed ? words[i] : LLVMBuildZExt(l->b, words[i], passed, "");
    }
    asm_call(l, id, l->void_type, args, 2 + count);
}

// ---- load and store ----

// One access: `words` hold the values for masked-off threads, and then the result.
static void read_masked(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef mask,
                        LLVMValueRef *words, unsigned count) {
    LLVMTypeRef word = LLVMTypeOf(words[0]);
    unsigned bytes = LLVMGetIntTypeWidth(word) / 8 * count;
    if (lower_vendor(l)->predicated) {
        read_words_predicated(l, load_row(l, op, bytes), address, mask, words, count);
        return;
    }
    LLVMValueRef read[LOWER_WORDS], others[LOWER_WORDS];
    memcpy(others, words, sizeof(LLVMValueRef) * count);
    struct lower_if branch = lower_if_begin(l, mask);
    read_words(l, address, word, count, access_kind(l, op), read);
    lower_if_end(l, &branch);
    for (unsigned i = 0; i < count; i++) {
        words[i] = LLVMBuildPhi(l->b, word, "");
        LLVMAddIncoming(words[i], &read[i], &branch.then, 1);
        LLVMAddIncoming(words[i], &others[i], &branch.before, 1);
    }
}

// A buffer ends so far ahead of the greatest offset that an access beyond its end has an offset of 32 bits to its last byte. narrow.c's test
// leaves as many bytes.
#define BUFFER_BYTES (UINT32_MAX - 31u)

static bool is_narrow(MlirOperation pointers) {
    return !mlirOperationIsNull(pointers) && op_has(pointers, ATTR_NARROW);
}

struct lower_buffer lower_buffer_of(struct lowering *l, MlirOperation access, MlirValue pointers) {
    // The descriptor flags of a raw buffer of 32-bit numbers, checked against its size in bytes; RDNA needs
    // two more fields.
    enum { RAW_GFX9 = 0x27000, RAW_RDNA = 0x31004000 };
    MlirOperation op = value_op(pointers);
    if (!lower_vendor(l)->has_buffers || !is_narrow(op) || access_kind(l, access) != ACCESS_PLAIN) {
        return (struct lower_buffer){0};
    }
    struct lower_buffer narrow = {.added = lower_i32(l, 0), .offsets = lower_values(l, addptr_offset(op))};
    LLVMValueRef base = lower_scalar(l, addptr_pointer(op));
    MlirOperation splat = value_op(addptr_pointer(op)), from = {NULL};
    if (!mlirOperationIsNull(splat) && op_kind(l->ir, splat) == OP_SPLAT) {
        from = value_op(unary_source(splat));
    }
    if (is_narrow(from)) {
        base = lower_scalar(l, addptr_pointer(from));
        narrow.added = lower_scalar(l, addptr_offset(from));
    }
    // LLVM 22 counts the bytes in 64 bits, and the intrinsic is overloaded by its result too.
    LLVMTypeRef overloads[] = {LLVMPointerTypeInContext(l->context, SPACE_BUFFER), l->global_ptr};
    LLVMTypeRef bytes = LLVM_AT_LEAST(22) ? l->i64 : l->i32;
    LLVMValueRef arguments[] = {base, LLVMConstInt(l->i16, 0, 0), LLVMConstInt(bytes, BUFFER_BYTES, 0),
                                lower_i32(l, l->target->warp_size == 64 ? RAW_GFX9 : RAW_RDNA)};
    narrow.resource =
        LLVM_AT_LEAST(22)
            ? lower_intrinsic(l, "llvm.amdgcn.make.buffer.rsrc", overloads, 2, arguments, 4)
            : lower_intrinsic(l, "llvm.amdgcn.make.buffer.rsrc", overloads + 1, 1, arguments, 4);
    return narrow;
}

unsigned lower_copy_cache(struct lowering *l, MlirOperation op) {
    enum { NONTEMPORAL = 2 };
    return access_kind(l, op) == ACCESS_NONTEMPORAL ? NONTEMPORAL : 0;
}

// Lanes that the mask leaves out read beyond the buffer's end: zeros. mask: NULL if there is none.
static void read_buffer(struct lowering *l, const struct lower_buffer *narrow, unsigned r, LLVMValueRef mask,
                        LLVMTypeRef word, unsigned count, LLVMValueRef *words) {
    LLVMTypeRef type = count == 1 ? word : LLVMVectorType(word, count);
    LLVMValueRef offset = narrow->offsets->at[r];
    offset = mask ? LLVMBuildSelect(l->b, mask, offset, lower_i32(l, BUFFER_BYTES), "") : offset;
    LLVMValueRef arguments[] = {narrow->resource, offset, narrow->added, lower_i32(l, 0)};
    LLVMValueRef load = lower_intrinsic(l, "llvm.amdgcn.raw.ptr.buffer.load", &type, 1, arguments, 4);
    for (unsigned i = 0; i < count; i++) {
        words[i] = count == 1 ? load : LLVMBuildExtractElement(l->b, load, lower_i32(l, i), "");
    }
}

// Lanes that the predicate leaves out write beyond the buffer's end: nowhere. predicate: NULL if there is none.
static void write_buffer(struct lowering *l, const struct lower_buffer *narrow, unsigned r,
                         LLVMValueRef predicate, LLVMValueRef *words, unsigned count) {
    LLVMValueRef value = as_vector(l, words, count), offset = narrow->offsets->at[r];
    LLVMTypeRef type = LLVMTypeOf(value);
    offset = predicate ? LLVMBuildSelect(l->b, predicate, offset, lower_i32(l, BUFFER_BYTES), "") : offset;
    LLVMValueRef arguments[] = {value, narrow->resource, offset, narrow->added, lower_i32(l, 0)};
    lower_intrinsic(l, "llvm.amdgcn.raw.ptr.buffer.store", &type, 1, arguments, 5);
}

// The address of a number that is loaded beside a product. ptxas moves numbers that all threads of a warp have to a register of the warp,
// at once: the warp would wait for the load amid the product's instructions (H200, fp8 with scales, 128 x 256: 1,217 TFLOP/s, 1,265 so).
// An address differs between threads, as far as ptxas knows, if the highest bit of a thread's mask of lower lanes is added: it is 0 in all.
static LLVMValueRef of_each_thread(struct lowering *l, LLVMValueRef pointer) {
    LLVMValueRef below = INTRINSIC0(l, "llvm.nvvm.read.ptx.sreg.lanemask.lt");
    LLVMValueRef zero = LLVMBuildLShr(l->b, below, lower_i32(l, l->target->warp_size - 1), "");
    LLVMValueRef bytes = LLVMBuildZExt(l->b, zero, l->i64, "");
    return LLVMBuildGEP2(l->b, l->i8, pointer, &bytes, 1, "");
}

// True if all elements are +0, or none are given.
static bool are_zeros(const struct values *others) {
    for (unsigned r = 0; others && r < others->count; r++) {
        if (!LLVMIsConstant(others->at[r]) || !LLVMIsNull(others->at[r])) {
            return false;
        }
    }
    return true;
}

void lower_load(struct lowering *l, MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    const struct layout *layout = lower_layout(l, result);
    LLVMTypeRef type = lower_type(l, lower_element(result));
    struct values *pointers = lower_values(l, load_pointer(op)), *out = lower_result(l, op, 0);
    struct values *masks = lower_optional(l, load_mask(op));
    struct values *others = lower_optional(l, load_other(op));
    unsigned bits = lower_type_bits(type), vector = lower_vector(l, op, layout, bits), word_count;
    LLVMTypeRef word = lower_word_type(l, bits * vector / 8, &word_count);
    uint32_t repeated = 0; // register bits of replicas
    for (unsigned i = 0; layout && i < layout->bits[LAYOUT_REGISTER]; i++) {
        repeated |= layout->basis[LAYOUT_REGISTER][i] ? 0 : 1u << i;
    }
    repeated |= vector == 1 ? lower_alike(l, op) : 0;
    // Unconditional volatile loads LLVM has itself, of 16 bytes at most.
    bool modified =
        lower_vendor(l)->predicated &&
        ((load_row(l, op, 1) != ASM_LOAD_PLAIN_B8 && load_row(l, op, 1) != ASM_LOAD_VOLATILE_B8) ||
         bits * vector / 8 == WIDE_BYTES);
    struct lower_buffer narrow = lower_buffer_of(l, op, load_pointer(op));
    bool zeros = are_zeros(others);
    unsigned start = (unsigned)op_int(op, ATTR_START), end = (unsigned)op_int_or(op, ATTR_END, out->count);
    for (unsigned r = 0; r < out->count; r += vector) {
        if (r < start ||
            r >= end) { // no others: zeros, because ptxas reserves registers for undefined values
            for (unsigned i = 0; i < vector; i++) {
                out->at[r + i] = others ? others->at[r + i] : lower_zero(type);
            }
            continue;
        }
        if (r & repeated) {
            out->at[r] = out->at[r & ~repeated];
            continue;
        }
        LLVMValueRef words[LOWER_WORDS], mask = masks ? masks->at[r] : NULL;
        bool always = !mask || (LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask));
        if (narrow.resource) {
            read_buffer(l, &narrow, r, always ? NULL : mask, word, word_count, words);
            if (!always && !zeros) {
                LLVMValueRef other[LOWER_WORDS];
                lower_pack(l, &others->at[r], vector, other);
                for (unsigned i = 0; i < word_count; i++) {
                    words[i] = LLVMBuildSelect(l->b, mask, words[i], other[i], "");
                }
            }
        } else if (always && !modified) {
            read_words(l, pointers->at[r], word, word_count, access_kind(l, op), words);
            if (op_has(op, ATTR_ADDRESSES)) {
                mark_invariant(l, words, word_count);
            }
        } else {
            if (others) {
                lower_pack(l, &others->at[r], vector, words);
            }
            for (unsigned i = 0; !others && i < word_count; i++) {
                words[i] = lower_zero(word);
            }
            LLVMValueRef pointer =
                op_has(op, ATTR_BESIDE) ? of_each_thread(l, pointers->at[r]) : pointers->at[r];
            read_masked(l, op, pointer, always ? LLVMConstInt(l->i1, 1, 0) : mask, words, word_count);
        }
        lower_unpack(l, words, type, vector, &out->at[r]);
    }
    if (load_is_volatile(op)) {
        lower_share_result(l, op, out);
    }
}

// Keeps one branch open around consecutive writes under the same predicate.
struct guarded {
    LLVMValueRef predicate; // NULL: no branch is open
    struct lower_if branch;
};

static void guard_switch(struct lowering *l, struct guarded *guard, LLVMValueRef predicate) {
    if (guard->predicate == predicate) {
        return;
    }
    if (guard->predicate) {
        lower_if_end(l, &guard->branch);
    }
    guard->predicate = predicate;
    if (predicate) {
        guard->branch = lower_if_begin(l, predicate);
    }
}

void lower_store(struct lowering *l, MlirOperation op) {
    const struct layout *layout = lower_layout(l, store_pointer(op));
    struct values *pointers = lower_values(l, store_pointer(op)), *values = lower_values(l, store_value(op));
    struct values *masks = lower_optional(l, store_mask(op));
    unsigned bits = lower_type_bits(LLVMTypeOf(values->at[0])), vector = lower_vector(l, op, layout, bits);
    uint32_t free = lower_free_registers(layout);
    while (vector > 1 && (free & (vector - 1))) {
        vector /= 2;
    }
    LLVMValueRef owner = lower_owner(l, layout);
    bool predicated = lower_vendor(l)->predicated,
         modified = predicated && (store_row(op, 1) != ASM_STORE_PLAIN_B8 || bits * vector / 8 == WIDE_BYTES);
    struct lower_buffer narrow = lower_buffer_of(l, op, store_pointer(op));
    struct guarded guard = {0};
    for (unsigned r = 0; r < pointers->count; r += vector) {
        if (r & free) {
            continue;
        }
        LLVMValueRef words[LOWER_WORDS], mask = masks ? masks->at[r] : NULL;
        if (mask && LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask)) {
            mask = NULL;
        }
        if (!predicated && mask && owner) {
            guard_switch(l, &guard, NULL);
        }
        LLVMValueRef predicate = lower_and(l, owner, mask);
        if (narrow.resource) {
            unsigned count = lower_pack(l, &values->at[r], vector, words);
            write_buffer(l, &narrow, r, predicate, words, count);
            continue;
        }
        if (predicated && (predicate || modified)) {
            unsigned count = lower_pack(l, &values->at[r], vector, words);
            write_words_predicated(l, store_row(op, bits * vector / 8), pointers->at[r],
                                   predicate ? predicate : LLVMConstInt(l->i1, 1, 0), words, count);
            continue;
        }
        guard_switch(l, &guard, predicate);
        unsigned count = lower_pack(l, &values->at[r], vector, words);
        write_words(l, pointers->at[r], words, count, access_kind(l, op));
    }
    guard_switch(l, &guard, NULL);
}

// ---- shared memory ----

void lower_shared_read(struct lowering *l, LLVMValueRef address, LLVMTypeRef type, unsigned count,
                       LLVMValueRef *elements) {
    unsigned word_count;
    LLVMTypeRef word = lower_word_type(l, lower_type_bits(type) * count / 8, &word_count);
    LLVMValueRef words[4];
    read_words(l, address, word, word_count, ACCESS_PLAIN, words);
    lower_unpack(l, words, type, count, elements);
}

void lower_shared_write(struct lowering *l, LLVMValueRef address, const LLVMValueRef *elements,
                        unsigned count, LLVMValueRef predicate) {
    LLVMValueRef words[4];
    unsigned word_count = lower_pack(l, elements, count, words);
    unsigned bytes = lower_type_bits(LLVMTypeOf(elements[0])) * count / 8;
    if (!predicate) {
        write_words(l, address, words, word_count, ACCESS_PLAIN);
    } else if (lower_vendor(l)->predicated) {
        LLVMValueRef offset = LLVMBuildPtrToInt(l->b, address, l->i32, "");
        write_words_predicated(l, ASM_STORE_SHARED_B8 + width_row(bytes), offset, predicate, words,
                               word_count);
    } else {
        struct lower_if branch = lower_if_begin(l, predicate);
        write_words(l, address, words, word_count, ACCESS_PLAIN);
        lower_if_end(l, &branch);
    }
}

// The access of a distributed tile to a shared one: base address of the thread, constant parts of its
// registers, vectors.
struct tile_access {
    struct layout map; // (register, lane, warp) → element offset
    unsigned bytes;    // of an element
    unsigned vector;   // elements
    uint8_t register_bit[LAYOUT_MAX_BITS];
    uint32_t vector_mask; // register bits inside a vector
    LLVMValueRef base;    // i32 bytes: the tile
    LLVMValueRef thread;  // i32 bytes
    uint32_t span;        // mask of the possible bits of `thread`
};

static uint32_t register_offset(const struct tile_access *access, uint32_t r) {
    return layout_column(&access->map, LAYOUT_REGISTER, r) * access->bytes;
}

// AMD reads and writes two words of 4 or 8 bytes by one instruction if both are at multiples of 64 words from its address. So the bits of a
// register's offset below 64 words go into the address, ahead of the loop, beside its bits of `span`; else LLVM adds them in each iteration.
// Returns these bits; 0 if a register has some of them and none of `span`: it would need an address of its own.
static uint32_t bits_below_pairs(const struct lowering *l, const struct tile_access *access) {
    enum { WORDS = 64 };
    unsigned word = access->vector * access->bytes;
    uint32_t below = WORDS * word - 1;
    if (l->target->vendor != VENDOR_AMD || (word != 4 && word != 8)) {
        return 0;
    }
    for (uint32_t r = 0; r < layout_registers(&access->map); r++) {
        uint32_t offset = register_offset(access, r);
        if (!(r & access->vector_mask) && !(offset & access->span) && (offset & below)) {
            return 0; // the same thread's part has another number, too
        }
    }
    return below;
}

static struct tile_access tile_access(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                                      const struct layout *distributed, unsigned bits) {
    struct tile_access access = {
        .map = layout_offset_map(shared, distributed), .bytes = bits / 8, .base = base};
    unsigned widest = (unsigned)__builtin_ctz(16 / access.bytes);
    unsigned log2 = layout_offset_vector_bits(&access.map, widest, access.register_bit);
    access.vector = 1u << log2;
    for (unsigned i = 0; i < log2; i++) {
        access.vector_mask |= 1u << access.register_bit[i];
    }
    access.thread = lower_layout_base(l, &access.map, access.bytes, &access.span);
    access.span |= bits_below_pairs(l, &access);
    return access;
}

static uint32_t vector_register(const struct tile_access *access, uint32_t first, unsigned element) {
    for (unsigned i = 0; element >> i; i++) {
        first |= (element >> i & 1) << access->register_bit[i];
    }
    return first;
}

static LLVMValueRef tile_address(struct lowering *l, const struct tile_access *access, uint32_t first) {
    return lower_shared_offset(l, access->base, access->thread, access->span, register_offset(access, first));
}

static void read_registers(struct lowering *l, const struct tile_access *access, LLVMTypeRef type,
                           LLVMValueRef *registers) {
    uint32_t repeated = 0;
    for (unsigned i = 0; i < access->map.bits[LAYOUT_REGISTER]; i++) {
        repeated |= access->map.basis[LAYOUT_REGISTER][i] ? 0 : 1u << i;
    }
    for (uint32_t r = 0; r < layout_registers(&access->map); r++) {
        if (r & repeated) {
            registers[r] = registers[r & ~repeated];
        } else if (!(r & access->vector_mask)) {
            LLVMValueRef elements[16];
            lower_shared_read(l, tile_address(l, access, r), type, access->vector, elements);
            for (unsigned i = 0; i < access->vector; i++) {
                registers[vector_register(access, r, i)] = elements[i];
            }
        }
    }
}

void lower_tile_read(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                     const struct layout *distributed, LLVMTypeRef type, LLVMValueRef *registers) {
    if (lower_tile_read_matrices(l, base, shared, distributed, type, registers)) {
        return;
    }
    struct tile_access access = tile_access(l, base, shared, distributed, lower_type_bits(type));
    read_registers(l, &access, type, registers);
}

// The thread part of the access moves by `index`, an i32: its bit i is register bit i of `moves`.
static void move_access(struct lowering *l, struct tile_access *access, const struct layout *moves,
                        LLVMValueRef index) {
    for (unsigned i = 0; i < moves->bits[LAYOUT_REGISTER]; i++) {
        uint32_t step = moves->basis[LAYOUT_REGISTER][i] * access->bytes;
        LLVMValueRef bit =
            LLVMBuildAnd(l->b, LLVMBuildLShr(l->b, index, lower_i32(l, i), ""), lower_i32(l, 1), "");
        access->thread =
            LLVMBuildXor(l->b, access->thread, LLVMBuildMul(l->b, bit, lower_i32(l, step), ""), "");
        access->span |= step;
        while (moves->basis[LAYOUT_REGISTER][i] & (access->vector - 1)) {
            access->vector /= 2;
        }
    }
    access->vector_mask = 0;
    for (unsigned i = 0; access->vector >> i > 1; i++) {
        access->vector_mask |= 1u << access->register_bit[i];
    }
}

void lower_tile_read_part(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                          const struct layout *part, const struct layout *moves, LLVMValueRef index,
                          LLVMTypeRef type, LLVMValueRef *registers) {
    struct tile_access access = tile_access(l, base, shared, part, lower_type_bits(type));
    struct layout offsets = layout_offset_map(shared, moves);
    move_access(l, &access, &offsets, index);
    read_registers(l, &access, type, registers);
}

void lower_tile_write(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                      const struct layout *distributed, const LLVMValueRef *registers) {
    if (lower_tile_write_matrices(l, base, shared, distributed, registers)) {
        return;
    }
    struct tile_access access =
        tile_access(l, base, shared, distributed, lower_type_bits(LLVMTypeOf(registers[0])));
    uint32_t free = lower_free_registers(distributed);
    LLVMValueRef owner = lower_owner(l, distributed);
    bool branch = owner && !lower_vendor(l)->predicated;
    struct guarded guard = {0};
    guard_switch(l, &guard, branch ? owner : NULL);
    for (uint32_t r = 0; r < layout_registers(distributed); r++) {
        if (r & (free | access.vector_mask)) {
            continue;
        }
        LLVMValueRef elements[16];
        for (unsigned i = 0; i < access.vector; i++) {
            elements[i] = registers[vector_register(&access, r, i)];
        }
        lower_shared_write(l, tile_address(l, &access, r), elements, access.vector, branch ? NULL : owner);
    }
    guard_switch(l, &guard, NULL);
}

// Each warp has read for itself: its owners hand their elements on to the other lanes.
static void share_in_warp(struct lowering *l, const struct layout *layout, struct values *out) {
    uint32_t free = lower_free_threads(l, layout) & ((1u << l->lane_bits) - 1);
    LLVMValueRef owner = free ? LLVMBuildAnd(l->b, lower_lane(l), lower_i32(l, ~free), "") : NULL;
    for (unsigned r = 0; owner && r < out->count; r++) {
        LLVMValueRef handed = lower_shuffle_index(l, out->at[r], owner);
        bool uniform = !layout && LLVMTypeOf(handed) == l->i32;
        out->at[r] = uniform ? lower_vendor(l)->uniform(l, handed) : handed;
    }
}

void lower_share_result(struct lowering *l, MlirOperation op, struct values *out) {
    MlirValue result = mlirOperationGetResult(op, 0);
    const struct layout *layout = lower_layout(l, result);
    if (!value_has_uses(result) || l->alone) {
        return;
    }
    uint32_t free = lower_free_registers(layout);
    for (unsigned r = 0; r < out->count; r++) {
        out->at[r] = out->at[r & ~free];
    }
    if (op_has(op, ATTR_EACH_WARP)) {
        share_in_warp(l, layout, out);
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(out->at[0]);
    if (layout && lower_free_threads(l, layout)) {
        int64_t shape[LAYOUT_MAX_RANK];
        for (unsigned dim = 0; dim < layout->rank; dim++) {
            shape[dim] = layout_extent(layout, dim);
        }
        struct layout shared = layout_row_major_shared(layout->rank, shape);
        lower_tile_write(l, lower_scratch(l, op), &shared, layout, out->at);
        lower_barrier(l);
        lower_tile_read(l, lower_scratch(l, op), &shared, layout, type, out->at);
    } else if (!layout) {
        LLVMValueRef address = lower_shared_address(l, lower_scratch(l, op));
        lower_shared_write(l, address, out->at, 1, lower_owner(l, NULL));
        lower_barrier(l);
        lower_shared_read(l, address, type, 1, out->at);
    }
}
