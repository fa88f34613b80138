// Elementary functions of a vector: exp, log1p, tanh. Errors are those tests/engine/test_functions.py measures.
#pragma once

#include "vectors.h"

namespace {

template <class T>
struct Constants;

// `series`: (e^r - 1 - r) / r^2 on |r| <= log(2) / 2, and `binary_series`: (2^r - 1) / r on |r| <= 1/2, interpolated at
// Chebyshev's nodes, whose errors relative to e^r and 2^r are 1e-8, 5e-9 and 2e-17, 1e-17. `log2_high` has enough trailing zeros for its product with any exponent to be exact.
template <>
struct Constants<float> {
    static constexpr float series[] = {0.5f, 0.16666577f, 0.04166655443f, 0.0083632030f, 0.00139262132f};
    static constexpr float binary_series[] = {0.69314718805f, 0.24022650761f,   0.05550357007f,
                                              0.00961808246f, 0.001339092079f, 0.000154532127f};
    static constexpr float inverse_log2 = 1.44269504088896341f;
    static constexpr float log2_high = 0.693359375f, log2_low = -2.12194440054690583e-4f;
    static constexpr float shifter = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
    static constexpr float lowest = -87.3365447f, highest = 88.3762626f, lowest_binary = -126.0f;
    static constexpr float tanh_is_one = 10.0f;
    static constexpr float almost_infinite = 1e37f;
    static constexpr std::int32_t bias = 127, mantissa_bits = 23, root_half = 0x3f3504f3;
    static constexpr int log_terms = 5;
};

template <>
struct Constants<double> {
    static constexpr double series[] = {
        0.50000000000000010262,   0.16666666666666667456,    0.041666666666623991516,  0.0083333333333300513464,
        0.0013888888917281793308, 0.00019841269863105968748, 2.4801521190217727651e-5, 2.7557268378684192873e-6,
        2.7620138719733995569e-7, 2.5100424157005066788e-8};
    static constexpr double binary_series[] = {
        0.69314718055994530942,    0.24022650695910098355,   0.055504108664821594411,   0.0096181291076068019828,
        0.0013333558146416889179,  0.00015403530441881377252, 0.000015252733829913581989, 1.3215442499383302424e-6,
        1.0178062398652389182e-7, 7.0726036484601362336e-9, 4.4549700323138961307e-10};
    static constexpr double inverse_log2 = 1.44269504088896340736;
    static constexpr double log2_high = 0.69314718036912381649, log2_low = 1.90821492927058770002e-10;
    static constexpr double shifter = 6755399441055744.0;  // 1.5 * 2^52
    static constexpr double lowest = -708.396418532264106, highest = 709.43613930310392, lowest_binary = -1022.0;
    static constexpr double tanh_is_one = 20.0;
    static constexpr double almost_infinite = 1e300;
    static constexpr std::int64_t bias = 1023, mantissa_bits = 52, root_half = 0x3fe6a09e667f3bcd;
    static constexpr int log_terms = 12;
};

// x = n log(2) + r with |r| <= log(2) / 2; what e^x takes is e^r - 1 and 2^n.
template <class T>
struct Reduced {
    Vector<T> growth;  // e^r - 1
    Vector<T> power;   // 2^n
};

template <class T>
INLINE Reduced<T> reduce(Vector<T> x) {
    using C = Constants<T>;
    const Vector<T> shifted = x * C::inverse_log2 + C::shifter;
    const Vector<T> n = shifted - C::shifter;
    Vector<T> r = x - n * C::log2_high;
    r = r - n * C::log2_low;
    constexpr int terms = sizeof(C::series) / sizeof(T);
    Vector<T> tail = all<T>(C::series[terms - 1]);
    for (int j = terms - 2; j >= 0; --j) tail = tail * r + C::series[j];
    // the whole number stands in the low bits of `shifted`; the bits above are pushed out
    const Bits<T> exponent = (bits<T>(shifted) + C::bias) << C::mantissa_bits;
    return {r + r * r * tail, from_bits<T>(exponent)};
}

// e^x, at most 2 units in the last place off; zero where it would be subnormal (x < -87.3, -708.4): such numbers slow
// down every product many times and add nothing. Infinite from x = 88.3 (709.4) on.
template <class T>
INLINE Vector<T> exponential(Vector<T> x) {
    using C = Constants<T>;
    const Vector<T> y = smaller<T>(larger<T>(x, all<T>(C::lowest)), all<T>(C::highest));
    const Reduced<T> e = reduce<T>(y);
    Vector<T> value = e.power + e.power * e.growth;
    value = x < C::lowest ? Vector<T>{} : value;
    return x > C::highest ? all<T>(T(__builtin_inf())) : value;
}

// e^x for the x <= 1 or so of decaying kernels, where it cannot overflow; a NaN stays one.
template <class T>
INLINE Vector<T> decay(Vector<T> x) {
    const Reduced<T> e = reduce<T>(x);
    return x < Constants<T>::lowest ? Vector<T>{} : e.power + e.power * e.growth;
}

// 2^x likewise: where the factor 1 / log(2) goes into what makes x anyway, it takes a third less work.
template <class T>
INLINE Vector<T> binary_decay(Vector<T> x) {
    using C = Constants<T>;
    const Vector<T> shifted = x + C::shifter, r = x - (shifted - C::shifter);
    constexpr int terms = sizeof(C::binary_series) / sizeof(T);
    Vector<T> tail = all<T>(C::binary_series[terms - 1]);
    for (int j = terms - 2; j >= 0; --j) tail = tail * r + C::binary_series[j];
    const Vector<T> power = from_bits<T>((bits<T>(shifted) + C::bias) << C::mantissa_bits);
    return x < C::lowest_binary ? Vector<T>{} : power + power * (r * tail);
}

// log(1 + x) for x > -1: that of u = 1 + x, and what rounding u took from x, over u.
template <class T>
INLINE Vector<T> logarithm_of_one_plus(Vector<T> x) {
    using C = Constants<T>;
    const Vector<T> y = smaller<T>(x, all<T>(C::almost_infinite));
    const Vector<T> u = y + T(1);
    const Vector<T> lost = (y - (u - T(1))) / u;
    const Bits<T> above_root_half = bits<T>(u) - C::root_half;
    const Bits<T> n = above_root_half >> C::mantissa_bits;
    const Bits<T> fraction = (above_root_half & ((decltype(C::bias)(1) << C::mantissa_bits) - 1)) + C::root_half;
    const Vector<T> f = from_bits<T>(fraction) - T(1);  // u = 2^n (1 + f)
    const Vector<T> s = f / (f + T(2)), z = s * s;
    Vector<T> tail = all<T>(T(2) / (2 * C::log_terms + 1));
    for (int j = C::log_terms - 1; j >= 1; --j) tail = tail * z + T(2) / (2 * j + 1);
    const Vector<T> half_square = f * f * T(0.5);
    const Vector<T> exponent = __builtin_convertvector(n, Vector<T>);
    const Vector<T> small = s * (half_square + z * tail) + (exponent * C::log2_low + lost);
    return x == x ? exponent * C::log2_high - ((half_square - small) - f) : x;
}

// tanh(x) = (e^2x - 1) / (e^2x + 1), the numerator without cancellation.
template <class T>
INLINE Vector<T> hyperbolic_tangent(Vector<T> x) {
    const Vector<T> bound = all<T>(Constants<T>::tanh_is_one);
    const Vector<T> y = smaller<T>(larger<T>(x, -bound), bound);
    const Reduced<T> e = reduce<T>(y + y);
    const Vector<T> numerator = e.power * e.growth + (e.power - T(1));
    return numerator / (numerator + T(2));
}

}  // namespace
