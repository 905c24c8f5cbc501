/* Tests of the files of mm_save_tuned, with foreign content among them. Needs CHECK and the launcher of mm. */
#ifndef TESTS_ARTIFACT_CHOICE_FILES_H
#define TESTS_ARTIFACT_CHOICE_FILES_H

static char *contents(const char *path) {
    static char text[8192];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    text[length] = 0;
    return text;
}

/* One line a choice, sorted; lines of other tools stay. */
static void check_file(void) {
    static const char other[] =
        "{\"kernel\": \"zz\", \"device\": \"d\", \"key\": {\"n\": 1}, \"config\": \"x\", "
        "\"microseconds\": 1.00}";
    static const char stale[] =
        "{\"kernel\": \"mm\", \"device\": \"Fake A\", \"key\": {\"M\": 64, \"N\": 64}, "
        "\"config\": \"TILE_256\", \"microseconds\": 9.00}";
    FILE *file = fopen("tuned.json", "w");
    char *text;
    CHECK(file != NULL);
    fprintf(file, "{\"tkc_tuned\": 1, \"choices\": [\n%s,\n%s\n]}\n", other, stale);
    fclose(file);
    CHECK(mm_save_tuned("tuned.json") == 0);
    text = contents("tuned.json");
    CHECK(strstr(text, other) && !strstr(text, "9.00"));
    CHECK(strstr(text,
                 "{\"kernel\": \"mm\", \"device\": \"Fake A\", \"key\": {\"M\": 64, \"N\": 64}, \"config\": "
                 "\"TILE_32\", \"microseconds\": 2.00},\n"));
    CHECK(strstr(text, "\"M\": 16384") < strstr(text, "\"M\": 64,") &&
          strncmp(text, "{\"tkc_tuned\": 1", 15) == 0);
    CHECK(fopen("tuned.json.lock", "r") == NULL && fopen("tuned.json.new", "r") == NULL);
    CHECK(mm_save_tuned("missing/tuned.json") != 0);
}

/* A file of foreign text is left unchanged, and so are choices in another form. */
static void check_foreign_files(void) {
    static const char *const foreign[] = {
        "int main(void) {}\n",
        "{\"tkc_tuned\": 1, \"choices\": [{\"kernel\": \"zz\", \"device\": \"d\", \"key\": {}, \"config\": "
        "\"x\"}]}\n",
        "{\"kernel\": \"zz\", \"device\": \"d\", \"key\": {}, \"config\": \"x\"}]}\n",
        "{\n  \"tkc_tuned\": 1,\n  \"choices\": [\n    {\n      \"kernel\": \"zz\"\n    }\n  ]\n}\n",
    };
    char longer[6000];
    size_t i;
    for (i = 0; i <= sizeof foreign / sizeof foreign[0]; i++) {
        const char *text = longer;
        FILE *file = fopen("foreign.json", "w");
        CHECK(file != NULL);
        if (i < sizeof foreign / sizeof foreign[0]) {
            text = foreign[i];
        } else { /* a line longer than the reader's buffer */
            sprintf(longer, "{\"kernel\": \"%05000d\", \"key\": {}, \"config\": \"x\"}\n", 7);
        }
        fputs(text, file);
        fclose(file);
        errno = 0;
        CHECK(mm_save_tuned("foreign.json") == -1 && errno == EINVAL);
        CHECK(strcmp(contents("foreign.json"), text) == 0);
        CHECK(fopen("foreign.json.lock", "r") == NULL && fopen("foreign.json.new", "r") == NULL);
    }
    CHECK(mm_save_tuned(".") == -1);
}

/* A line is one choice in valid JSON for any device name. */
static void check_odd_device(void) {
    char name[400] = "";
    *tkc_put_name(name, "a\"b\\c\nd\xff") = 0;
    CHECK(strcmp(name, "a\\\"b\\\\c\\ufffdd\\ufffd") == 0);
}

#endif
