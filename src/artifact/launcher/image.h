#ifndef TKC_LAUNCHER_IMAGE_3
#define TKC_LAUNCHER_IMAGE_3
// ---- Images, and the image that a device runs. No vendor's types.

// One compiled image, of `count` kernels from index `first` on, for the target of index `target`. The devices
// that it runs on:
//
//   image             field          devices
//   NVIDIA, PTX       capability     this compute capability and all later ones
//   NVIDIA, binary    binary         this capability and later ones of the same major number
//   NVIDIA, sm_100a   reach: 1       this capability alone
//   NVIDIA, sm_100f   reach: 2       this capability and later ones of the same major number
//   AMD, one chip     chip           that chip
//   AMD, a family     chip, family   the chips in `family`
struct tkc_image {
    const unsigned char *bytes; // NULL: the image is in `file`
    const char *file;
    const char *chip;   // AMD; NULL: the image is for NVIDIA
    const char *family; // names with spaces between; NULL: that chip alone
    unsigned capability;
    char reach;
    char binary;
    unsigned target;
    unsigned first;
    unsigned count;
    size_t packed;   // bytes, in LZ4's block format
    size_t unpacked; // what they become; 0: they are not packed
};

// Adds bytes to a count of 15 up to one that is below 255. 0: there are none left.
static inline int tkc_unpack_count(const unsigned char *from, size_t size, size_t *at, size_t *count) {
    unsigned more = 255;
    while (*count >= 15u && more == 255u) {
        if (*at == size) {
            return 0;
        }
        more = from[(*at)++];
        *count += more;
    }
    return 1;
}

// Unpacks `size` bytes to exactly `length`. 0: they are damaged.
static inline int tkc_unpack(const unsigned char *from, size_t size, unsigned char *to, size_t length) {
    size_t at = 0, done = 0;
    while (at < size) {
        unsigned token = from[at++];
        size_t count = token >> 4, back;
        if (!tkc_unpack_count(from, size, &at, &count) || count > size - at || count > length - done) {
            return 0;
        }
        memcpy(to + done, from + at, count);
        at += count;
        done += count;
        if (at == size) {
            break;
        }
        if (size - at < 2u) {
            return 0;
        }
        back = from[at] | (size_t)from[at + 1] << 8;
        at += 2;
        count = token & 15u;
        if (!tkc_unpack_count(from, size, &at, &count)) {
            return 0;
        }
        count += 4;
        if (back == 0 || back > done || count > length - done) {
            return 0;
        }
        for (; count; count--, done++) {
            to[done] = to[done - back];
        }
    }
    return done == length;
}

struct tkc_source {
    const struct tkc_image *images;
    unsigned image_count;
    const char *const *kernels;
    unsigned kernel_count;
    const struct tkc_entry *entries; // [t * kernel_count + k]: target t, kernel k
    const struct tkc_form *forms;    // as many; NULL: no kernel has a second form
};

static inline int tkc_lists(const char *chips, const char *chip) {
    size_t length = strlen(chip);
    while (*chips) {
        size_t own = strcspn(chips, " ");
        if (own == length && strncmp(chips, chip, own) == 0) {
            return 1;
        }
        chips += own + strspn(chips + own, " ");
    }
    return 0;
}

// How well an image fits a chip; 0: it does not run there. Best is one for this chip alone, then the newest for its family, then
// the newest plain one.
static inline unsigned tkc_image_rank(const struct tkc_image *image, const struct tkc_chip *chip) {
    unsigned there = image->capability, here = chip->capability;
    if (image->chip) {
        return strcmp(image->chip, chip->arch) == 0                    ? 2u
               : image->family && tkc_lists(image->family, chip->arch) ? 1u
                                                                       : 0u;
    }
    if (there > here || (image->reach == 1 && there != here) ||
        ((image->binary || image->reach == 2) && there / 10u != here / 10u)) {
        return 0;
    }
    return (image->reach ? 3u - (unsigned)image->reach : 0u) * 4096u + there * 2u + (image->binary ? 1u : 0u);
}

// The index of the best image for each kernel; image_count: none fits.
static inline void tkc_choose_images(const struct tkc_source *source, const struct tkc_chip *chip,
                                     unsigned *images) {
    unsigned i, k;
    for (k = 0; k < source->kernel_count; k++) {
        unsigned best = 0;
        images[k] = source->image_count;
        for (i = 0; i < source->image_count; i++) {
            const struct tkc_image *image = &source->images[i];
            unsigned rank = tkc_image_rank(image, chip);
            if (rank > best && k - image->first < image->count &&
                source->entries[image->target * source->kernel_count + k].threads) {
                best = rank;
                images[k] = i;
            }
        }
    }
}
#endif
