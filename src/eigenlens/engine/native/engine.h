// What a compiled engine offers: the same functions for every instruction set and number type. Plain C structs, so that
// files compiled for different instruction sets share no code.
#pragma once

#include <cstddef>

namespace eigenlens {

using Index = std::ptrdiff_t;

enum Pairing { INNER_PRODUCT, SQUARED_DIFFERENCE, CITY_BLOCK, PAIRINGS };
enum Profile { IDENTITY, EXPONENTIAL, MATERN3, MATERN5, RATIONAL_QUADRATIC, WHOLE_POWER, TANH, PROFILES };
enum Function { EXP, DECAY, EXP2, LOG1P, HYPERBOLIC_TANGENT, FUNCTIONS };

// k = factor * profile(multiplier * s + u_i + w_j), s the pairing of two rows; EXPONENTIAL is that with base 2. `diagonal` is k of a row with itself
// where rounding is not to decide it, or NaN.
struct Form {
    int pairing, profile;
    double multiplier, exponent, factor, diagonal;
};

// Rows packed in panels: entry f of row i stands at (i / panel * features + f) * panel + i % panel. Panels and offsets
// are filled up with zeros to whole panels. `T` is float or double.
struct Rows {
    const void* panels;
    const void* offsets;
    Index count, features;
};

// Symmetric sums of one strip of tiles: rows [begin, begin + tile_rows) against columns [left, right), left >= begin.
struct Strip {
    Index begin, left, right;
};

enum CacheUse { NO_CACHE, FILL_CACHE, USE_CACHE };

// Vectors V (count x width, width a multiple of the lanes) and the float64 sums they are added to. Sums have rows up to
// a whole panel; those beyond `count` hold nothing of meaning.
struct Product {
    const void* vectors;
    double* sums;
    Index width;
};

// Row sums of K, and of its squared entries: a number a row, or for a symmetric matrix one for all. Null where they are
// not wanted.
struct Gathered {
    double *sums, *squares;
};

struct Engine {
    Index lanes, panel, tile_rows, tile_columns, tile_stride;
    // K V for a strip, its tiles used with their transposes, too
    void (*symmetric)(const Form&, const Rows&, const Strip&, const Product&, const Gathered&, void* tile, void* cache,
                      CacheUse);
    // K(Y, X) V, and sums over X, for rows [begin, end) of Y
    void (*cross)(const Form&, const Rows& y, const Rows& x, Index begin, Index end, const Product&, const Gathered&,
                  void* tile);
    // K(Y, X) itself for rows [begin, end) of Y, into `block`, which has a row for each of Y. `mirrored`: Y is X, only
    // what is right of the diagonal is computed and both places are written.
    void (*block)(const Form&, const Rows& y, const Rows& x, Index begin, Index end, void* block, bool mirrored,
                  void* tile);
    // for rows [begin, end) of Y the `k` smallest values of K(Y, X) in ascending order, and where they are
    void (*nearest)(const Form&, const Rows& y, const Rows& x, Index begin, Index end, Index k, void* values,
                    Index* places, void* tile);
    void (*evaluate)(Function, const void* x, void* y, Index count);
};

// One pair (float32, float64) for each instruction set.
extern const Engine baseline[2];
#if defined(EIGENLENS_X86)
extern const Engine avx2[2];
extern const Engine avx512[2];
#endif

}  // namespace eigenlens
