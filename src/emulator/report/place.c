// Places in words: of the kernel's source, and of its memory.
#include "emulator/report/report.h"

#include <llvm-c/DebugInfo.h>

static void read_location(LLVMMetadataRef location, struct source_line *line) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length = 0;
    line->file = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    line->length = (int)length;
    line->line = LLVMDILocationGetLine(location);
    line->column = LLVMDILocationGetColumn(location);
}

static LLVMMetadataRef location_of(LLVMValueRef value) {
    return value && LLVMIsAInstruction(value) ? LLVMInstructionGetDebugLoc(value) : NULL;
}

bool report_line(const struct instr *in, struct source_line *line) {
    LLVMMetadataRef location = location_of(in->value);
    const struct place_in_code *place = in->place;
    if (location) {
        read_location(location, line);
    } else if (place && place->file) {
        *line = (struct source_line){place->file, (int)strlen(place->file), place->line, place->column};
    }
    return location || (place && place->file);
}

static void line_text(struct strbuf *out, const struct source_line *line) {
    strbuf_printf(out, "%.*s:%u", line->file ? line->length : 1, line->file ? line->file : "?", line->line);
    if (line->column) {
        strbuf_printf(out, ":%u", line->column);
    }
}

void report_value_place(struct strbuf *out, LLVMValueRef value) {
    struct source_line line;
    LLVMMetadataRef location = location_of(value);
    if (location) {
        read_location(location, &line);
        line_text(out, &line);
        return;
    }
    if (!value || !LLVMIsAInstruction(value)) {
        strbuf_add(out, "unknown line");
        return;
    }
    char *text = LLVMPrintValueToString(value);
    char *cut = strstr(text, ", !dbg");
    if (cut) {
        *cut = 0;
    }
    strbuf_printf(out, "`%.120s`", text + strspn(text, " "));
    LLVMDisposeMessage(text);
}

void report_place_text(struct strbuf *out, const struct instr *in) {
    struct source_line line;
    if (!in->place) {
        report_value_place(out, in->value);
        return;
    }
    if (report_line(in, &line)) {
        line_text(out, &line);
        strbuf_add_char(out, ' ');
    }
    strbuf_printf(out, "`%s`", in->place->text);
}

void report_calls_text(struct strbuf *out, const struct instr *in) {
    LLVMMetadataRef location = location_of(in->value);
    while (location && (location = LLVMDILocationGetInlinedAt(location))) {
        struct source_line line;
        read_location(location, &line);
        strbuf_add(out, "  called from ");
        line_text(out, &line);
        strbuf_add_char(out, '\n');
    }
}

void report_address(struct strbuf *out, struct run *run, uint64_t address, unsigned space) {
    uint64_t index = address >> REGION_SHIFT, offset = address & (((uint64_t)1 << REGION_SHIFT) - 1);
    if (space == SPACE_SHARED || (space == SPACE_GENERIC && index == REGION_SHARED)) {
        strbuf_printf(out, "shared memory byte %lld (of %u)",
                      (long long)(int64_t)(int32_t)(uint32_t)(offset - run->emulator->shared_base),
                      run->shared_bytes);
        return;
    }
    if (space == SPACE_LOCAL || (space == SPACE_GENERIC && index == REGION_LOCAL)) {
        strbuf_printf(out, "local memory byte %lld (of %u)", (long long)offset - LOCAL_BASE,
                      run->kernel->local_bytes);
        return;
    }
    // A negative index lands at the end of the region before; the nearer start is the likelier one.
    bool negative = offset > (uint64_t)1 << (REGION_SHIFT - 1) && index < run->region_count;
    const struct region *region = negative                                   ? &run->regions[index]
                                  : index >= 1 && index <= run->region_count ? &run->regions[index - 1]
                                                                             : NULL;
    if (!region) {
        strbuf_printf(out, "address 0x%llx, which belongs to no argument", (unsigned long long)address);
        return;
    }
    int64_t at = negative ? (int64_t)offset - ((int64_t)1 << REGION_SHIFT) : (int64_t)offset;
    unsigned bits = region->buffer && region->buffer->element_bits ? region->buffer->element_bits : 8;
    int64_t element = at * 8 / bits - (at < 0 && at * 8 % bits != 0);
    strbuf_printf(out, "%s[%lld] (of %llu)", region->name, (long long)element,
                  (unsigned long long)(region->size * 8 / bits));
    if (bits == 8 && region->buffer && !region->buffer->element_bits) {
        strbuf_add(out, " in bytes");
    }
}
