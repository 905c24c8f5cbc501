/* A layer of a transformer, token by token: the chain `layer_row` of decode_layer.tk, checked against the host's double precision, and
 * timed as a captured graph.
 *
 *     tkc decode_layer.tk --target sm_90a -o decode_layer.ptx
 *     cc -O2 decode_layer.c -I. -I<tkc>/include -I/usr/local/cuda/include -lcuda -lm -o decode_layer
 *     ./decode_layer
 *
 * One function launches the layer. Between its kernels arrays lie in a workspace, whose size layer_row_workspace_bytes tells. */
#define TKC_RUNTIME_CUDA_DRIVER
#include "example.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "decode_layer.h"

enum { HEADS = 32, GROUPS = 8, D = 64, QUERIES = HEADS * D, KEYS = GROUPS * D, WIDTH = QUERIES + 2 * KEYS };
enum { H = 2048, F = 8192, POSITIONS = 256, TOKENS = 3, REPEATS = 50 };

/* A matrix or vector of fp16 on both sides. */
struct halves {
    size_t count;
    double *values;
    CUdeviceptr there;
};

static double from_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double value = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
    return bits & 0x8000 ? -value : value;
}

/* Of numbers that fp16 holds with a normal exponent, rounded towards zero, or 0. */
static uint16_t to_half(double value) {
    int exponent;
    double part = frexp(fabs(value), &exponent);
    if (exponent < -13 || exponent > 16) {
        return 0;
    }
    return (uint16_t)((value < 0 ? 0x8000 : 0) | (exponent + 14) << 10 | ((int)(part * 2048) & 1023));
}

static double random_number(void) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 40) / (1 << 23) - 1;
}

/* `scale`: the numbers are between it and its negative. */
static struct halves make(size_t count, double scale) {
    struct halves made = {count, malloc(count * sizeof(double)), allocate(count * sizeof(uint16_t))};
    uint16_t *bits = malloc(count * sizeof *bits);
    for (size_t i = 0; i < count; i++) {
        bits[i] = to_half(scale * random_number());
        made.values[i] = from_half(bits[i]);
    }
    copy_in(made.there, bits, count * sizeof *bits);
    free(bits);
    return made;
}

static CUdeviceptr make_table(double *values, int sine) {
    static float table[POSITIONS * D / 2];
    for (int i = 0; i < POSITIONS * D / 2; i++) {
        double angle = i / (D / 2) * pow(10000, -2.0 * (i % (D / 2)) / D);
        table[i] = (float)(sine ? sin(angle) : cos(angle));
        values[i] = table[i];
    }
    CUdeviceptr there = allocate(sizeof table);
    copy_in(there, table, sizeof table);
    return there;
}

/* ---- the layer in double precision ---- */

static void normalise(double *out, const double *x, const double *w) {
    double squares = 0;
    for (int i = 0; i < H; i++) {
        squares += x[i] * x[i];
    }
    for (int i = 0; i < H; i++) {
        out[i] = x[i] / sqrt(squares / H + 1e-5) * w[i];
    }
}

static void multiply(double *out, const double *x, const double *w, int n, int k) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < k; j++) {
            sum += w[(size_t)i * (size_t)k + (size_t)j] * x[j];
        }
        out[i] = sum;
    }
}

static void rotate(double *head, const double *cosine, const double *sine, int position) {
    for (int i = 0; i < D / 2; i++) {
        double c = cosine[position * (D / 2) + i], s = sine[position * (D / 2) + i];
        double low = head[i], high = head[i + D / 2];
        head[i] = low * c - high * s;
        head[i + D / 2] = high * c + low * s;
    }
}

static void attend(double *out, const double *q, const double *keys, const double *values, int position) {
    for (int head = 0; head < HEADS; head++) {
        double weights[POSITIONS], most = -INFINITY, total = 0;
        const double *own = q + head * D;
        int first = head / (HEADS / GROUPS) * D;
        for (int t = 0; t <= position; t++) {
            weights[t] = 0;
            for (int i = 0; i < D; i++) {
                weights[t] += own[i] * keys[t * KEYS + first + i] / sqrt(D);
            }
            most = fmax(most, weights[t]);
        }
        for (int t = 0; t <= position; t++) {
            weights[t] = exp(weights[t] - most);
            total += weights[t];
        }
        for (int i = 0; i < D; i++) {
            double sum = 0;
            for (int t = 0; t <= position; t++) {
                sum += weights[t] / total * values[t * KEYS + first + i];
            }
            out[head * D + i] = sum;
        }
    }
}

struct weights {
    struct halves w1, wqkv, wo, w2, wg, wu, wd;
};

static void layer(double *y, const double *x, const struct weights *w, const double *cosine,
                  const double *sine, double *keys, double *values, int position) {
    static double h[H], qkv[WIDTH], o[QUERIES], z[H], g[F], u[F];
    normalise(h, x, w->w1.values);
    multiply(qkv, h, w->wqkv.values, WIDTH, H);
    for (int head = 0; head < HEADS + GROUPS; head++) {
        rotate(qkv + head * D, cosine, sine, position);
    }
    memcpy(keys + position * KEYS, qkv + QUERIES, KEYS * sizeof *keys);
    memcpy(values + position * KEYS, qkv + QUERIES + KEYS, KEYS * sizeof *values);
    attend(o, qkv, keys, values, position);
    multiply(z, o, w->wo.values, H, QUERIES);
    for (int i = 0; i < H; i++) {
        z[i] += x[i];
    }
    normalise(h, z, w->w2.values);
    multiply(g, h, w->wg.values, F, H);
    multiply(u, h, w->wu.values, F, H);
    for (int i = 0; i < F; i++) {
        g[i] *= u[i] / (1 + exp(-g[i]));
    }
    multiply(y, g, w->wd.values, H, F);
    for (int i = 0; i < H; i++) {
        y[i] += z[i];
    }
}

/* ---- the program ---- */

int main(void) {
    static double cosine[POSITIONS * D / 2], sine[POSITIONS * D / 2], expected[H];
    static double keys_here[POSITIONS * KEYS], values_here[POSITIONS * KEYS];
    static uint16_t result[H];
    double worst = 0, largest = 0;
    use_device(0);
    CUstream stream = make_stream();
    struct weights w = {make(H, 1),
                        make((size_t)WIDTH * H, 0.03),
                        make((size_t)H * QUERIES, 0.03),
                        make(H, 1),
                        make((size_t)F * H, 0.03),
                        make((size_t)F * H, 0.03),
                        make((size_t)H * F, 0.03)};
    CUdeviceptr cosines = make_table(cosine, 0), sines = make_table(sine, 1), y = allocate(sizeof result);
    CUdeviceptr keys = allocate(POSITIONS * KEYS * sizeof(uint16_t)),
                values = allocate(POSITIONS * KEYS * sizeof(uint16_t));
    size_t bytes = layer_row_workspace_bytes(1, H, POSITIONS, 0, F);
    CUdeviceptr workspace = allocate(bytes);
    check(layer_row_load(), "loading the layer");
    for (int position = 0; position < TOKENS; position++) {
        struct halves x = make(H, 1);
        check(layer_row_launch(stream, x.there, w.w1.there, w.wqkv.there, cosines, sines, keys, values,
                               w.wo.there, w.w2.there, w.wg.there, w.wu.there, w.wd.there, y, 1, H, POSITIONS,
                               position, F, workspace),
              "launching the layer");
        check(tkc_stream_wait(stream), "running the layer");
        copy_out(result, y, sizeof result);
        layer(expected, x.values, &w, cosine, sine, keys_here, values_here, position);
        for (int i = 0; i < H; i++) {
            worst = fmax(worst, fabs(from_half(result[i]) - expected[i]));
            largest = fmax(largest, fabs(expected[i]));
        }
    }
    tkc_graph_exec graph;
    check(tkc_capture_begin(stream), "beginning the capture");
    for (int i = 0; i < REPEATS; i++) {
        check(layer_row_launch(stream, w.w1.there, w.w1.there, w.wqkv.there, cosines, sines, keys, values,
                               w.wo.there, w.w2.there, w.wg.there, w.wu.there, w.wd.there, y, 1, H, POSITIONS,
                               TOKENS, F, workspace),
              "launching the layer");
    }
    check(tkc_capture_end(stream, &graph), "making the graph");
    check(tkc_graph_launch(graph, stream), "warming up");
    struct stopwatch watch = start_stopwatch(stream);
    check(tkc_graph_launch(graph, stream), "running the layers");
    printf("decode_layer: %d tokens, error at most %.5f of numbers up to %.2f; %.2f us a layer, a workspace "
           "of %zu bytes\n",
           TOKENS, worst, largest, 1e3 * stop_milliseconds(&watch) / REPEATS, bytes);
    return !(worst < 0.02 * largest);
}
