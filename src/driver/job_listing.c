// The code of a job as text: an artifact, or the listing beside an object.
#include "driver/job.h"

const struct strbuf *job_listing(const struct job *job) {
    for (size_t i = 0; i < job->kind_count; i++) {
        enum tkc_kind kind = job->codes[i].kind;
        if (kind == TKC_PTX || kind == TKC_CUBIN || kind == TKC_ASSEMBLY) {
            return &job->codes[i].bytes;
        }
    }
    return &job->listing;
}
