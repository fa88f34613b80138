// Tiles of a kernel matrix: inner products or distances in registers, then the profile while a strip of rows is in L1.
#pragma once

#include "profiles.h"

namespace {

using eigenlens::Rows;

// A tile of 512 x 128 float32 numbers takes a quarter of a megabyte, so that it stays in the second-level cache; the
// higher it is, the less often the vectors beside it are fetched. Rows stand a vector farther apart than they are long:
// steps of a power of two meet few cache sets.
constexpr Index tile_rows = 512, tile_columns = 128;
template <class T>
constexpr Index tile_stride = tile_columns + lanes<T>;
constexpr Index chunk = 256;  // features at a time: a panel's worth of them stays in the first-level cache

template <class T>
INLINE Index whole_panels(Index count) {
    return (count + panel<T> - 1) / panel<T> * panel<T>;
}

// Add what `features` features make of block_rows x panel pairs to the sums in `tile`; start them if `first`.
template <class Pairing, class T>
INLINE void combine(const T* a, const T* b, Index features, bool first, T* tile) {
    Vector<T> sum[block_rows][2];
#pragma GCC unroll 8
    for (Index r = 0; r < block_rows; ++r) {
        T* row = tile + r * tile_stride<T>;
        sum[r][0] = first ? Vector<T>{} : load(row);
        sum[r][1] = first ? Vector<T>{} : load(row + lanes<T>);
    }
    for (Index f = 0; f < features; ++f, a += panel<T>, b += panel<T>) {
        const Vector<T> left = load(b), right = load(b + lanes<T>);
#pragma GCC unroll 8
        for (Index r = 0; r < block_rows; ++r) {
            const Vector<T> x = all(a[r]);
            sum[r][0] = Pairing::template add<T>(sum[r][0], x, left);
            sum[r][1] = Pairing::template add<T>(sum[r][1], x, right);
        }
    }
#pragma GCC unroll 8
    for (Index r = 0; r < block_rows; ++r) {
        T* row = tile + r * tile_stride<T>;
        store(row, sum[r][0]);
        store(row + lanes<T>, sum[r][1]);
    }
}

template <class T>
struct Table {
    const T *panels, *offsets;
    Index count, features;
    explicit Table(const Rows& rows)
        : panels(static_cast<const T*>(rows.panels)),
          offsets(static_cast<const T*>(rows.offsets)),
          count(rows.count),
          features(rows.features) {}
    INLINE const T* at(Index row, Index feature) const {
        return panels + (row / panel<T> * features + feature) * panel<T> + row % panel<T>;
    }
};

// Sums s of block_rows rows of y, from `i` on, with columns [left, left + columns) of x.
template <class Pairing, class T>
void combine_rows(const Table<T>& y, Index i, const Table<T>& x, Index left, Index columns, T* tile) {
    Index f = 0;
    do {  // once even without features
        const Index some = x.features - f < chunk ? x.features - f : chunk;
        for (Index j = 0; j < columns; j += panel<T>)
            combine<Pairing, T>(y.at(i, f), x.at(left + j, f), some, f == 0, tile + j);
        f += some;
    } while (f < x.features);
}

template <class T, class Apply>
void apply_profile(const Form& form, const Table<T>& y, Index i, const Table<T>& x, Index left, Index columns,
                   T* tile) {
    const Apply profile(form);
    const T multiplier = T(form.multiplier);
    const T* offsets = x.offsets + left;
    for (Index r = 0; r < block_rows; ++r, tile += tile_stride<T>) {
        const T offset = y.offsets[i + r];
        for (Index j = 0; j < columns; j += lanes<T>) {
            const Vector<T> t = load(tile + j) * multiplier + (load(offsets + j) + offset);
            store<T>(tile + j, profile(t));
        }
    }
}

template <class T, template <class> class Profile>
INLINE void apply(const Form& form, const Table<T>& y, Index i, const Table<T>& x, Index left, Index columns, T* tile) {
    if (form.factor == 1)
        apply_profile<T, Profile<T>>(form, y, i, x, left, columns, tile);
    else
        apply_profile<T, Scaled<T, Profile>>(form, y, i, x, left, columns, tile);
}

// Values of block_rows rows of y with whole panels of columns of x.
template <class T>
void make_rows(const Form& form, const Table<T>& y, Index i, const Table<T>& x, Index left, Index columns, T* tile) {
    switch (form.pairing) {
        case eigenlens::SQUARED_DIFFERENCE: combine_rows<SquaredDifference>(y, i, x, left, columns, tile); break;
        case eigenlens::CITY_BLOCK: combine_rows<CityBlock>(y, i, x, left, columns, tile); break;
        default: combine_rows<InnerProduct>(y, i, x, left, columns, tile);
    }
    switch (form.profile) {
        case eigenlens::EXPONENTIAL: apply<T, Exponential>(form, y, i, x, left, columns, tile); break;
        case eigenlens::MATERN3: apply<T, Matern3>(form, y, i, x, left, columns, tile); break;
        case eigenlens::MATERN5: apply<T, Matern5>(form, y, i, x, left, columns, tile); break;
        case eigenlens::RATIONAL_QUADRATIC: apply<T, RationalQuadratic>(form, y, i, x, left, columns, tile); break;
        case eigenlens::WHOLE_POWER: apply<T, WholePower>(form, y, i, x, left, columns, tile); break;
        case eigenlens::TANH: apply<T, HyperbolicTangent>(form, y, i, x, left, columns, tile); break;
        default: apply<T, Identity>(form, y, i, x, left, columns, tile);
    }
}

// Values of `rows` rows of y (up to a whole register block) from `begin` on, with columns of x. `same`: y is x.
template <class T>
void make_tile(const Form& form, const Table<T>& y, Index begin, Index rows, const Table<T>& x, Index left,
               Index columns, bool same, T* tile) {
    for (Index r = 0; r < rows; r += block_rows)
        make_rows<T>(form, y, begin + r, x, left, whole_panels<T>(columns), tile + r * tile_stride<T>);
    if (!same || form.diagonal != form.diagonal) return;
    for (Index r = 0; r < rows; ++r) {
        const Index j = begin + r - left;
        if (j >= 0 && j < columns) tile[r * tile_stride<T> + j] = T(form.diagonal);
    }
}

}  // namespace
