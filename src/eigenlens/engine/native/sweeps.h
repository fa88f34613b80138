// What is done with tiles: products with vectors, sums, blocks, nearest rows.
#pragma once

#include "tiles.h"

namespace {

using eigenlens::CacheUse;
using eigenlens::Gathered;
using eigenlens::Product;
using eigenlens::Strip;

INLINE Index least(Index a, Index b) { return a < b ? a : b; }

// sums[r] += sum_k a[r * row_step + k * k_step] * v[k], for block_rows rows and C vectors.
template <class T, int C>
INLINE void multiply_block(const T* a, Index row_step, Index k_step, Index count, const T* v, Index width,
                           double* sums) {
    Vector<T> sum[block_rows][C] = {};
    for (Index k = 0; k < count; ++k, a += k_step, v += width) {
        Vector<T> right[C];
        for (int c = 0; c < C; ++c) right[c] = load(v + c * lanes<T>);
#pragma GCC unroll 8
        for (Index r = 0; r < block_rows; ++r) {
            const Vector<T> x = all(a[r * row_step]);
            for (int c = 0; c < C; ++c) sum[r][c] += x * right[c];
        }
    }
    for (Index r = 0; r < block_rows; ++r)
        for (int c = 0; c < C; ++c) add_wide<T>(sums + r * width + c * lanes<T>, sum[r][c]);
}

// block_rows rows of sums += a v, where a has `count` columns; all vectors.
template <class T>
INLINE void multiply_rows(const T* a, Index row_step, Index k_step, Index count, const T* v, Index width,
                          double* sums) {
    Index c = 0;
    if (block_rows == 8 && width == 3 * lanes<T>)  // 24 sums fit 32 registers, and one of three vectors alone is slower
        return multiply_block<T, 3>(a, row_step, k_step, count, v, width, sums);
    for (; c + 2 * lanes<T> <= width; c += 2 * lanes<T>)
        multiply_block<T, 2>(a, row_step, k_step, count, v + c, width, sums + c);
    for (; c < width; c += lanes<T>) multiply_block<T, 1>(a, row_step, k_step, count, v + c, width, sums + c);
}

// Sums of rows of a tile, and of their squared entries.
template <class T>
void gather_rows(const T* tile, Index rows, Index columns, double* sums, double* squares) {
    for (Index r = 0; r < rows; ++r, tile += tile_stride<T>) {
        Vector<T> sum = {}, square = {};
        Index j = 0;
        for (; j + lanes<T> <= columns; j += lanes<T>) {
            const Vector<T> x = load(tile + j);
            sum += x;
            square += x * x;
        }
        sums[r] += sum_of_lanes<T>(sum);
        squares[r] += sum_of_lanes<T>(square);
        for (; j < columns; ++j) {
            sums[r] += tile[j];
            squares[r] += double(tile[j]) * tile[j];
        }
    }
}

// The same of a register block of a symmetric matrix (`rows` of its rows are rows of the table): the sums of its columns
// are added to `column_sums`, and the sum of all squares is returned.
template <class T>
INLINE double gather_block(const T* tile, Index rows, Index columns, double* row_sums, T* column_sums) {
    Vector<T> sum[block_rows] = {}, square[2] = {};
    double squares = 0;
    Index j = 0;
    for (; j + lanes<T> <= columns && rows == block_rows; j += lanes<T>) {
        Vector<T> column_sum = load(column_sums + j);
#pragma GCC unroll 8
        for (Index r = 0; r < block_rows; ++r) {
            const Vector<T> x = load(tile + r * tile_stride<T> + j);
            column_sum += x;
            square[r % 2] += x * x;
            sum[r] += x;
        }
        store<T>(column_sums + j, column_sum);
    }
    for (Index r = 0; r < rows; ++r) {
        double total = sum_of_lanes<T>(sum[r]);
        for (Index l = j; l < columns; ++l) {
            const T x = tile[r * tile_stride<T> + l];
            total += x;
            squares += double(x) * x;
            column_sums[l] += x;
        }
        row_sums[r] += total;
    }
    return squares + sum_of_lanes<T>(square[0] + square[1]);
}

// Ask for a register block's rows of the next tile while this one's are used.
template <class T>
INLINE void fetch_ahead(const T* rows) {
    const char* bytes = reinterpret_cast<const char*>(rows);
    for (Index at = 0; at < block_rows * tile_stride<T> * Index(sizeof(T)); at += 64) __builtin_prefetch(bytes + at, 0, 2);
}

// Of each tile only rows up to the diagonal are made; those above it, `above`, are used with their transposes, too.
template <class T>
void symmetric(const Form& form, const Rows& rows, const Strip& strip, const Product& product,
               const Gathered& gathered, void* scratch, void* cache, CacheUse use) {
    const Table<T> x(rows);
    const T* v = static_cast<const T*>(product.vectors);
    const Index begin = strip.begin, width = product.width;
    T* tile = static_cast<T*>(use == eigenlens::NO_CACHE ? scratch : cache);
    for (Index left = strip.left; left < strip.right; left += tile_columns) {
        const Index columns = least(tile_columns, strip.right - left);
        const Index height = least(least(tile_rows, x.count - begin), left + columns - begin);
        const Index above = least(height, left - begin);
        const bool cached_follows = use == eigenlens::USE_CACHE && left + tile_columns < strip.right;
        alignas(EIGENLENS_VECTOR_BYTES) T column_sums[tile_columns] = {};
        for (Index r = 0; r < height; r += block_rows) {
            T* part = tile + r * tile_stride<T>;
            const Index some = least(block_rows, height - r);
            if (cached_follows) fetch_ahead(part + tile_rows * tile_stride<T>);
            if (use != eigenlens::USE_CACHE)
                make_tile<T>(form, x, begin + r, some, x, left, columns, r >= above, part);
            if (width > 0)
                multiply_rows<T>(part, tile_stride<T>, 1, columns, v + left * width, width,
                                 product.sums + (begin + r) * width);
            if (gathered.sums == nullptr) continue;
            const double squares = gather_block<T>(part, some, columns, gathered.sums + begin + r, column_sums);
            *gathered.squares += r < above ? 2 * squares : squares;
            if (r + block_rows == above)
                for (Index j = 0; j < columns; ++j) gathered.sums[left + j] += column_sums[j];
        }
        if (width > 0 && above > 0)
            for (Index j = 0; j < columns; j += block_rows)
                multiply_rows<T>(tile + j, 1, tile_stride<T>, above, v + begin * width, width,
                                 product.sums + (left + j) * width);
        if (use != eigenlens::NO_CACHE) tile += tile_rows * tile_stride<T>;
    }
}

// Call use(tile, first row, rows, first column, columns) for tiles of rows [begin, end) of y and all columns of x; where
// they are the `same`, only for what is not below the diagonal.
template <class T, class Use>
INLINE void for_each_tile(const Form& form, const Table<T>& y, const Table<T>& x, Index begin, Index end, bool same,
                          T* tile, Use use) {
    for (Index top = begin; top < end; top += tile_rows) {
        for (Index left = same ? top : 0; left < x.count; left += tile_columns) {
            const Index columns = least(tile_columns, x.count - left);
            const Index rows = least(least(tile_rows, end - top), same ? left + columns - top : tile_rows);
            make_tile<T>(form, y, top, rows, x, left, columns, same, tile);
            use(tile, top, rows, left, columns);
        }
    }
}

template <class T>
void cross(const Form& form, const Rows& y, const Rows& x, Index begin, Index end, const Product& product,
           const Gathered& gathered, void* scratch) {
    const T* v = static_cast<const T*>(product.vectors);
    const Index width = product.width;
    for_each_tile<T>(form, Table<T>(y), Table<T>(x), begin, end, false, static_cast<T*>(scratch),
                     [&](const T* tile, Index top, Index rows, Index left, Index columns) {
                         for (Index r = 0; width > 0 && r < rows; r += block_rows)
                             multiply_rows<T>(tile + r * tile_stride<T>, tile_stride<T>, 1, columns, v + left * width,
                                              width, product.sums + (top + r) * width);
                         if (gathered.sums != nullptr)
                             gather_rows<T>(tile, rows, columns, gathered.sums + top, gathered.squares + top);
                     });
}

template <class T>
void block(const Form& form, const Rows& y, const Rows& x, Index begin, Index end, void* block, bool mirrored,
           void* scratch) {
    T* out = static_cast<T*>(block);
    const Index stride = x.count;
    for_each_tile<T>(form, Table<T>(y), Table<T>(x), begin, end, mirrored, static_cast<T*>(scratch),
                     [&](const T* tile, Index top, Index rows, Index left, Index columns) {
                         for (Index r = 0; r < rows; ++r)
                             std::memcpy(out + (top + r) * stride + left, tile + r * tile_stride<T>,
                                         columns * sizeof(T));
                         for (Index j = 0; mirrored && j < columns; ++j)
                             for (Index r = 0; r < least(rows, left - top); ++r)
                                 out[(left + j) * stride + top + r] = tile[r * tile_stride<T> + j];
                     });
}

// Put a value among the k smallest, which are in ascending order; of equal ones the first seen stays first.
template <class T>
INLINE void insert(T value, Index place, Index k, T* values, Index* places) {
    Index at = k - 1;
    for (; at > 0 && values[at - 1] > value; --at) {
        values[at] = values[at - 1];
        places[at] = places[at - 1];
    }
    values[at] = value;
    places[at] = place;
}

template <class T>
void nearest(const Form& form, const Rows& y, const Rows& x, Index begin, Index end, Index k, void* values,
             Index* places, void* scratch) {
    T* best = static_cast<T*>(values);
    for (Index i = begin * k; i < end * k; ++i) {
        best[i] = T(__builtin_inf());
        places[i] = -1;
    }
    for_each_tile<T>(form, Table<T>(y), Table<T>(x), begin, end, false, static_cast<T*>(scratch),
                     [&](const T* tile, Index top, Index rows, Index left, Index columns) {
                         for (Index r = 0; r < rows; ++r) {
                             const T* row = tile + r * tile_stride<T>;
                             T* mine = best + (top + r) * k;
                             for (Index j = 0; j < columns; j += lanes<T>) {
                                 // one comparison for a vector: after the first tiles it is nearly always no
                                 const Bits<T> closer = load(row + j) < mine[k - 1];
                                 if (!any<T>(closer)) continue;
                                 for (Index l = j; l < least(j + lanes<T>, columns); ++l)
                                     if (row[l] < mine[k - 1])
                                         insert(row[l], left + l, k, mine, places + (top + r) * k);
                             }
                         }
                     });
}

}  // namespace
