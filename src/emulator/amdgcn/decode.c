// A kernel of a code object: its descriptor, and its instructions, decoded once. Branches become indices into
// the code. An instruction in no table is refused by its text and source line.
#include "chip/llvm.h"
#include "emulator/amdgcn/amdgcn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include "support/memory.h"

// True if the instruction is the same at any address.
static bool bind(struct gcn_decoder *decoder, struct instr *in, struct gcn *gcn) {
    static bind_fn *const families[] = {bind_pair,   bind_wait,   bind_flow,   bind_scalar, bind_lanes,
                                        bind_memory, bind_matrix, bind_packed, bind_vector};
    struct gcn_text text;
    text_split(gcn->place.text, &text);
    const char *there = gcn_alias(text.name);
    if (there != text.name) {
        snprintf(text.name, sizeof text.name, "%s", there);
    }
    gcn->place.jump = JUMP_NONE;
    gcn->place.goes_on = true;
    decoder->jump = 0;
    bool found = false, moves = true;
    for (unsigned i = 0; i < sizeof families / sizeof *families && !found && !decoder->error->length; i++) {
        found = families[i](decoder, &text, in, gcn);
        moves = families[i] != bind_flow;
    }
    if (!found) {
        gcn_refuse(decoder, "%s is in no table of src/emulator/amdgcn", text.name);
    }
    in->exec = exec_gcn;
    return moves;
}

// Writes "place: `text` cannot be run: reason".
static void explain(struct gcn_decoder *decoder, const struct gcn *gcn) {
    struct strbuf out = {0};
    if (gcn->place.file) {
        strbuf_printf(&out, "%s:%u:%u: ", gcn->place.file, gcn->place.line, gcn->place.column);
    }
    strbuf_printf(&out, "`%s` at 0x%llx cannot be run: %s", gcn->place.text,
                  (unsigned long long)decoder->address, strbuf_text(decoder->error));
    strbuf_free(decoder->error);
    *decoder->error = out;
}

struct code {
    const uint8_t *bytes;
    uint64_t address, size;
};

static void decode_text(struct gcn_decoder *decoder, const char *text, struct instr *in, struct gcn *gcn) {
    char *copy = arena_strdup(decoder->emulator->arena, text + strspn(text, " \t"));
    for (char *c = copy; *c; c++) {
        *c = *c == '\t' ? ' ' : *c;
    }
    gcn->place.text = copy;
    decoder->arena = decoded_arena(decoder->emulator->arena);
    bool moves = bind(decoder, in, gcn);
    bind_hazards(decoder, gcn);
    if (moves && !decoder->error->length) {
        decoded_add(decoder->emulator->chip, decoder->bytes, decoder->size, in, gcn);
    }
}

static void set_place(const struct gcn_decoder *decoder, struct gcn *gcn, const struct line_table *lines) {
    const struct line_row *row = lines_find(lines, decoder->address);
    gcn->word = (uint32_t)(decoder->address / 4);
    if (row) {
        gcn->place.file = row->file;
        gcn->place.line = row->line;
        gcn->place.column = row->column;
    }
}

// The instruction at decoder->bytes, of which `left` are the kernel's. Sets decoder->size, and decoder->jump.
static void add_instruction(struct gcn_decoder *decoder, LLVMDisasmContextRef context, uint64_t left,
                            const struct line_table *lines) {
    struct kernel *kernel = decoder->kernel;
    uint32_t index = kernel->code_count;
    char text[256] = "";
    struct gcn *gcn = ARENA_NEW(decoder->emulator->arena, struct gcn);
    kernel->code = memory_grown(kernel->code, index, &kernel->code_capacity, sizeof *kernel->code);
    struct instr *in = &kernel->code[index];
    decoder->jump = 0;
    if (!decoded_find(decoder->emulator->chip, decoder->bytes, left, in, gcn, &decoder->size)) {
        decoder->size = (unsigned)LLVMDisasmInstruction(context, (uint8_t *)decoder->bytes, left,
                                                        decoder->address, text, sizeof text);
        if (decoder->size == 0) {
            gcn_refuse(decoder, "%s has no instruction for the code at 0x%llx of kernel '%s'",
                       decoder->emulator->chip, (unsigned long long)decoder->address, kernel->name);
            return;
        }
        *in = (struct instr){.index = index};
        decode_text(decoder, text, in, gcn);
    }
    in->index = index;
    in->extra = gcn;
    in->place = &gcn->place;
    kernel->code_count++;
    set_place(decoder, gcn, lines);
    if (decoder->error->length) {
        explain(decoder, gcn);
    }
}

static void resolve_jumps(struct gcn_decoder *decoder, const struct code *code, const uint64_t *jumps,
                          const uint32_t *index_at) {
    struct kernel *kernel = decoder->kernel;
    for (uint32_t i = 0; i < kernel->code_count && !decoder->error->length; i++) {
        struct gcn *gcn = (struct gcn *)kernel->code[i].extra;
        if (!jumps[i]) {
            continue;
        }
        uint64_t offset = jumps[i] - code->address;
        if (jumps[i] < code->address || offset >= code->size || !index_at[offset / 4]) {
            gcn_refuse(decoder, "it jumps out of the kernel");
            explain(decoder, gcn);
            return;
        }
        gcn->place.jump = index_at[offset / 4] - 1;
    }
}

static void decode_code(struct gcn_decoder *decoder, const struct code *code,
                        const struct line_table *lines) {
    LLVMDisasmContextRef context = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", decoder->emulator->chip,
                                                               AMD_WHOLE_REGISTERS, NULL, 0, NULL, NULL);
    if (!context) {
        gcn_refuse(decoder, "LLVM has no disassembler for %s", decoder->emulator->chip);
        return;
    }
    uint32_t *index_at = calloc(code->size / 4 + 1, sizeof *index_at); // plus 1
    uint64_t *jumps = calloc(code->size / 4 + 1, sizeof *jumps);
    decoded_begin();
    for (uint64_t at = 0; at < code->size && !decoder->error->length; at += decoder->size) {
        uint32_t index = decoder->kernel->code_count;
        decoder->address = code->address + at;
        decoder->bytes = code->bytes + at;
        index_at[at / 4] = index + 1;
        add_instruction(decoder, context, code->size - at, lines);
        jumps[index] = decoder->jump;
    }
    decoded_end();
    resolve_jumps(decoder, code, jumps, index_at);
    free(index_at);
    free(jumps);
    LLVMDisasmDispose(context);
}

// ---- descriptor (LLVM's AMDGPU usage guide, "Kernel Descriptor") ----

static uint32_t word_at(const uint8_t *from) {
    uint32_t word;
    memcpy(&word, from, 4);
    return word;
}

static bool read_descriptor(struct gcn_decoder *decoder, const struct object_kernel *described,
                            const uint8_t *at, struct gcn_kernel *image) {
    struct kernel *kernel = decoder->kernel;
    image->machine.shared_bytes = word_at(at);
    kernel->local_bytes = word_at(at + 4);
    image->resources1 = word_at(at + 48);
    image->resources2 = word_at(at + 52);
    image->properties = word_at(at + 56) & 0xffff;
    image->generation = decoder->generation;
    unsigned lanes = image->properties >> 10 & 1 ? 32 : 64;
    if (lanes != described->lanes || lanes != decoder->emulator->lanes) {
        return gcn_refuse(decoder,
                          "kernel '%s' has waves of %u lanes in its descriptor, %u in its metadata; %s "
                          "runs here with %u",
                          kernel->name, lanes, described->lanes, decoder->emulator->chip,
                          decoder->emulator->lanes);
    }
    // Arguments requested in preloaded registers: the code before byte 256 of the kernel loads them itself,
    // for firmware without preloading (AMDGPU backend guide, "Preloaded Kernel Arguments"). The emulator is
    // such firmware.
    // Dispatch and queue packets, scratch set up by the program.
    if (image->properties & 0x36) {
        return gcn_refuse(decoder, "kernel '%s' asks for user registers that are not modelled (0x%x)",
                          kernel->name, image->properties);
    }
    return true;
}

static void put_arguments(const struct run *run, uint8_t *segment) {
    const struct gcn_kernel *image = gcn_kernel_of(run->kernel);
    const unsigned *grid = run->launch->grid;
    unsigned given = 0;
    for (unsigned i = 0; i < image->argument_count; i++) {
        const struct object_argument *argument = &image->arguments[i];
        uint64_t value = 0;
        switch (argument->kind) {
        case ARGUMENT_POINTER:
        case ARGUMENT_VALUE:
            value = run->argument_bits[0][given++];
            break;
        case ARGUMENT_BLOCK_COUNT_X:
        case ARGUMENT_BLOCK_COUNT_Y:
        case ARGUMENT_BLOCK_COUNT_Z:
            value = grid[argument->kind - ARGUMENT_BLOCK_COUNT_X];
            break;
        case ARGUMENT_GROUP_SIZE_X:
            value = run->threads;
            break;
        case ARGUMENT_GROUP_SIZE_Y:
        case ARGUMENT_GROUP_SIZE_Z:
            value = 1;
            break;
        case ARGUMENT_GRID_DIMENSIONS:
            value = 3;
            break;
        default:
            break;
        }
        memcpy(segment + argument->offset, &value, argument->size);
    }
}

static void describe_parameters(struct gcn_decoder *decoder, const struct object_kernel *described,
                                struct gcn_kernel *image) {
    struct kernel *kernel = decoder->kernel;
    kernel->parameters = ARENA_ARRAY(decoder->emulator->arena, struct operand, described->argument_count + 1);
    memset(kernel->parameters, 0, (described->argument_count + 1) * sizeof *kernel->parameters);
    for (unsigned i = 0; i < described->argument_count; i++) {
        if (described->arguments[i].kind <= ARGUMENT_VALUE) {
            kernel->parameters[kernel->parameter_count++].shape.kind =
                described->arguments[i].kind == ARGUMENT_POINTER ? ELEMENT_POINTER : ELEMENT_INT;
        }
    }
    memcpy(image->arguments, described->arguments, sizeof image->arguments);
    image->argument_count = described->argument_count;
}

// The first guess of a compare-and-swap loop is a plain load (LLVM's AtomicExpand), compared with memory
// later. So it may race: it counts as a relaxed atomic.
static void mark_guesses(const struct kernel *kernel) {
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        for (uint32_t j = i; memory_is_compare(&kernel->code[i]) && j-- > 0;) {
            if (memory_loads_compared(&kernel->code[i], &kernel->code[j])) {
                kernel->code[j].ordering = LLVMAtomicOrderingMonotonic;
                memory_mark_guess(&kernel->code[j]);
                break;
            }
        }
    }
}

static void count_rows(const struct kernel *kernel, struct gcn_kernel *image) {
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        for (const struct gcn *gcn = kernel->code[i].extra; gcn; gcn = gcn->second) {
            for (unsigned j = 0; j < gcn->operand_count; j++) {
                const struct gcn_operand *operand = &gcn->operands[j];
                unsigned end = operand->reg + (unsigned)operand->count;
                if (operand->kind == OPERAND_VECTOR && end > image->rows) {
                    image->rows = end;
                }
            }
        }
    }
}

struct kernel *decode_machine_kernel(struct emulator *emulator, const struct code_object *object,
                                     const struct object_kernel *described, const struct line_table *lines,
                                     struct strbuf *error) {
    struct arena *arena = emulator->arena;
    struct kernel *kernel = ARENA_NEW(arena, struct kernel);
    struct gcn_kernel *image = ARENA_NEW(arena, struct gcn_kernel);
    *kernel = (struct kernel){.name = described->name, .machine = &image->machine};
    *image = (struct gcn_kernel){.machine = {.start = wave_start,
                                             .put_arguments = put_arguments,
                                             .argument_bytes = described->argument_bytes},
                                 .rows = 1};
    struct gcn_decoder decoder = {.emulator = emulator,
                                  .kernel = kernel,
                                  .error = error,
                                  .image_address = (uint64_t)1 << REGION_SHIFT,
                                  .generation = emulator->target->generation};
    uint64_t at = 0, size = 0, code_size = 0, unused;
    const uint8_t *memory = emulator->globals[0].data;
    uint64_t limit = emulator->globals[0].size;
    if (!object_symbol(object, described->symbol, &at, &size) || at + 64 > limit ||
        !object_symbol(object, described->name, &unused, &code_size)) {
        gcn_refuse(&decoder, "the code object has no descriptor or no code of kernel '%s'", described->name);
        return kernel;
    }
    describe_parameters(&decoder, described, image);
    int64_t entry;
    memcpy(&entry, memory + at + 16, 8);
    struct code code = {NULL, at + (uint64_t)entry, code_size};
    kernel->required_threads = described->threads;
    if (code.address + code.size > limit || !read_descriptor(&decoder, described, memory + at, image)) {
        return kernel;
    }
    code.bytes = memory + code.address;
    decode_code(&decoder, &code, lines);
    count_rows(kernel, image);
    mark_guesses(kernel);
    kernel->block_count = 1;
    kernel->blocks = calloc(1, sizeof *kernel->blocks);
    size_t rows = (size_t)(ROWS + STAGE_ROWS) * emulator->lanes * sizeof(uint32_t);
    kernel->register_bytes = (uint32_t)((sizeof(struct wave) + 63) / 64 * 64 + rows);
    kernel->scratch_bytes = 64;
    return kernel;
}
