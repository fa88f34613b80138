// Vectors of the width that this file is compiled for, by compiler vector extensions: no vendor's intrinsics.
//
// Everything lives in an unnamed namespace: the same templates are compiled once for each instruction set, and the
// linker must never take one's code for another's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifndef EIGENLENS_VECTOR_BYTES
#error "EIGENLENS_VECTOR_BYTES says how wide a vector is: 16, 32 or 64"
#endif

#define INLINE inline __attribute__((always_inline))

namespace {

using Index = std::ptrdiff_t;

template <class T>
struct Types;

template <>
struct Types<float> {
    typedef float Vector __attribute__((vector_size(EIGENLENS_VECTOR_BYTES)));
    typedef std::int32_t Bits __attribute__((vector_size(EIGENLENS_VECTOR_BYTES)));
    typedef double Wide __attribute__((vector_size(2 * EIGENLENS_VECTOR_BYTES)));
};

template <>
struct Types<double> {
    typedef double Vector __attribute__((vector_size(EIGENLENS_VECTOR_BYTES)));
    typedef std::int64_t Bits __attribute__((vector_size(EIGENLENS_VECTOR_BYTES)));
    typedef double Wide __attribute__((vector_size(EIGENLENS_VECTOR_BYTES)));
};

template <class T>
using Vector = typename Types<T>::Vector;
template <class T>
using Bits = typename Types<T>::Bits;
template <class T>
using Wide = typename Types<T>::Wide;

template <class T>
constexpr Index lanes = EIGENLENS_VECTOR_BYTES / sizeof(T);

// rows of a register block: the 32 registers of AVX-512 hold twice as many of its sums as the 16 of AVX2 do
constexpr Index block_rows = EIGENLENS_VECTOR_BYTES == 64 ? 8 : 4;

// columns of a register block, and of a panel of packed rows
template <class T>
constexpr Index panel = 2 * lanes<T>;

// memcpy reads and writes any address; the compiler makes one unaligned instruction of it
template <class T>
INLINE Vector<T> load(const T* from) {
    Vector<T> x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

template <class T>
INLINE void store(T* to, Vector<T> x) {
    std::memcpy(to, &x, sizeof x);
}

template <class T>
INLINE Vector<T> all(T x) {
    return x - Vector<T>{};  // minus zero keeps the sign of a zero, plus would not
}

template <class T>
INLINE Bits<T> bits(Vector<T> x) {
    return reinterpret_cast<Bits<T>>(x);
}

template <class T>
INLINE Vector<T> from_bits(Bits<T> x) {
    return reinterpret_cast<Vector<T>>(x);
}

// The larger and the smaller of two; a NaN in x stays one, for a comparison with it is false.
template <class T>
INLINE Vector<T> larger(Vector<T> x, Vector<T> y) {
    return x < y ? y : x;
}

template <class T>
INLINE Vector<T> smaller(Vector<T> x, Vector<T> y) {
    return x > y ? y : x;
}

template <class T>
INLINE Vector<T> absolute(Vector<T> x) {
    return from_bits<T>(bits<T>(x) & ~bits<T>(all<T>(T(-0.0))));
}

INLINE float root(float x) { return __builtin_sqrtf(x); }
INLINE double root(double x) { return __builtin_sqrt(x); }

template <class T>
INLINE Vector<T> square_root(Vector<T> x) {
    alignas(EIGENLENS_VECTOR_BYTES) T lane[lanes<T>];
    store<T>(lane, x);
    for (Index l = 0; l < lanes<T>; ++l) lane[l] = root(lane[l]);  // one vector instruction once compiled
    return load<T>(lane);
}

template <class T>
INLINE T sum_of_lanes(Vector<T> x) {
    alignas(EIGENLENS_VECTOR_BYTES) T lane[lanes<T>];
    store<T>(lane, x);
#pragma GCC unroll 4
    for (Index half = lanes<T> / 2; half > 0; half /= 2)  // by halves, which waits for few additions
        for (Index l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

template <class T>
INLINE bool any(Bits<T> x) {
    std::uint64_t word[sizeof x / 8], seen = 0;
    std::memcpy(word, &x, sizeof x);
    for (std::uint64_t w : word) seen |= w;
    return seen != 0;
}

// Add a vector to as many float64 numbers.
template <class T>
INLINE void add_wide(double* to, Vector<T> x) {
    Wide<T> sum;
    std::memcpy(&sum, to, sizeof sum);
    sum += __builtin_convertvector(x, Wide<T>);
    std::memcpy(to, &sum, sizeof sum);
}

}  // namespace
