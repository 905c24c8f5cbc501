// The landscape of a sweep: a row for each configuration, a column for each key; the slower a cell beside the
// best of its column, the darker. Rows are sorted by their closeness to the best in all columns.
#include <errno.h>
#include <math.h>

#include "support/file.h"
#include "tune.h"

enum { CELL_WIDTH = 56, CELL_HEIGHT = 16, NAME_WIDTH = 420, HEAD = 150, MOST_ROWS = 400, MOST_COLUMNS = 200 };

struct table {
    const char *rows[MOST_ROWS], *columns[MOST_COLUMNS];
    size_t row_count, column_count;
    double times[MOST_ROWS][MOST_COLUMNS], best[MOST_COLUMNS];
    double worth[MOST_ROWS]; // mean of log(time / best); those never timed last
};

static size_t place(const char **names, size_t *count, size_t most, const char *name) {
    size_t i = 0;
    while (i < *count && strcmp(names[i], name) != 0) {
        i++;
    }
    if (i == *count && i < most) {
        names[(*count)++] = name;
    }
    return i;
}

static void weigh(struct table *table) {
    for (size_t r = 0; r < table->row_count; r++) {
        double sum = 0;
        for (size_t c = 0; c < table->column_count; c++) {
            double time = table->times[r][c];
            sum += time > 0 ? log(time / table->best[c]) : log(4.0);
        }
        table->worth[r] = sum;
    }
}

static void cell(struct strbuf *out, const struct table *table, size_t r, size_t c, size_t line) {
    double time = table->times[r][c], ratio = time > 0 ? time / table->best[c] : 0;
    double shade = ratio <= 1 ? 0 : ratio >= 3 ? 1 : log(ratio) / log(3.0);
    if (time <= 0) {
        return;
    }
    strbuf_printf(out, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"><title>",
                  NAME_WIDTH + c * CELL_WIDTH, HEAD + line * CELL_HEIGHT, CELL_WIDTH - 1, CELL_HEIGHT - 1,
                  (int)(90 + 140 * shade), (int)(190 - 120 * shade), (int)(90 - 30 * shade));
    strbuf_add(out, table->rows[r]);
    strbuf_add(out, "\n");
    strbuf_add(out, table->columns[c]);
    strbuf_printf(out, "\n%.2f us, %.2f of the best</title></rect>\n<text x=\"%zu\" y=\"%zu\">%.2f</text>\n",
                  time, ratio, NAME_WIDTH + c * CELL_WIDTH + 6, HEAD + line * CELL_HEIGHT + 12, ratio);
}

static void draw(struct table *table, struct strbuf *out) {
    strbuf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
                  "font-family=\"monospace\" font-size=\"11\">\n"
                  "<text x=\"6\" y=\"20\">time beside the best of each key; the number is how many times as "
                  "long</text>\n",
                  NAME_WIDTH + table->column_count * CELL_WIDTH + 8,
                  HEAD + table->row_count * CELL_HEIGHT + 8);
    for (size_t c = 0; c < table->column_count; c++) {
        size_t x = NAME_WIDTH + c * CELL_WIDTH + 20;
        strbuf_printf(out, "<text transform=\"translate(%zu,%d) rotate(-50)\">", x, HEAD - 6);
        strbuf_add(out, table->columns[c]);
        strbuf_add(out, "</text>\n");
    }
    for (size_t line = 0; line < table->row_count; line++) {
        size_t r = 0;
        for (size_t i = 1; i < table->row_count; i++) {
            r = table->worth[i] < table->worth[r] ? i : r;
        }
        strbuf_printf(out, "<text x=\"6\" y=\"%zu\">", HEAD + line * CELL_HEIGHT + 12);
        strbuf_add(out, table->rows[r]);
        strbuf_add(out, "</text>\n");
        for (size_t c = 0; c < table->column_count; c++) {
            cell(out, table, r, c, line);
        }
        table->worth[r] = INFINITY;
    }
    strbuf_add(out, "</svg>\n");
}

bool landscape_write(const char *path, const struct choices *all) {
    struct table *table = calloc(1, sizeof *table);
    struct strbuf out = {0};
    for (size_t i = 0; table && i < all->count; i++) {
        const struct choice *row = &all->rows[i];
        if (row->microseconds > 0) {
            size_t r = place(table->rows, &table->row_count, MOST_ROWS, row->config);
            size_t c = place(table->columns, &table->column_count, MOST_COLUMNS, row->key);
            if (r < MOST_ROWS && c < MOST_COLUMNS) {
                table->times[r][c] = row->microseconds; // a later row is of the later round
                table->best[c] = !(table->best[c] > 0) || row->microseconds < table->best[c]
                                     ? row->microseconds
                                     : table->best[c];
            }
        }
    }
    if (!table) {
        return complain("no memory for a landscape");
    }
    weigh(table);
    draw(table, &out);
    bool ok = file_write_atomic(path, out.data, out.length);
    strbuf_free(&out);
    free(table);
    return ok || complain("cannot write %s: %s", path, strerror(errno));
}
