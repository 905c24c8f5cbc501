#ifndef TKC_LAUNCHER_IMAGE_1
#define TKC_LAUNCHER_IMAGE_1
// ---- Images, and which of them a device runs. No vendor's types.

// One compiled image. Of NVIDIA's `specific` runs on exactly this compute capability (the "a" chips), `binary` on its
// major version from the minor one up, else (PTX) it runs on this capability and all later ones. AMD's runs on the chip
// of that name, or on those of a family. It holds `count` kernels from the `first` on, compiled for the target of that
// number.
struct tkc_image {
    const unsigned char *bytes; // NULL: in a file
    const char *file;
    const char *chip;   // AMD's; NULL: NVIDIA's
    const char *family; // names between spaces; NULL: that chip alone
    unsigned capability;
    char specific;
    char binary;
    unsigned target;
    unsigned first;
    unsigned count;
};

struct tkc_source {
    const struct tkc_image *images;
    unsigned image_count;
    const char *const *kernels;
    unsigned kernel_count;
    const struct tkc_entry *entries; // of target t and kernel k: [t * kernel_count + k]
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

// How well an image serves a chip; 0: it does not run there.
static inline unsigned tkc_image_rank(const struct tkc_image *image, const struct tkc_chip *chip) {
    unsigned there = image->capability, here = chip->capability;
    if (image->chip) {
        return strcmp(image->chip, chip->arch) == 0                    ? 2u
               : image->family && tkc_lists(image->family, chip->arch) ? 1u
                                                                       : 0u;
    }
    if ((image->specific ? there != here : there > here) || (image->binary && there / 10u != here / 10u)) {
        return 0;
    }
    return there * 4u + (image->specific ? 2u : 0u) + (image->binary ? 1u : 0u);
}

// For each kernel the best image for the chip; the number of images: there is none.
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
