// What is done with the inner product or distance s of a pair: t = multiplier * s + u_i + w_j, and a profile of t.
#pragma once

#include "engine.h"
#include "functions.h"

namespace {

using eigenlens::Form;

// How the entries of two rows are combined into s, one feature at a time.
struct InnerProduct {
    template <class T>
    static INLINE Vector<T> add(Vector<T> sum, Vector<T> a, Vector<T> b) {
        return sum + a * b;
    }
};

struct SquaredDifference {
    template <class T>
    static INLINE Vector<T> add(Vector<T> sum, Vector<T> a, Vector<T> b) {
        const Vector<T> difference = a - b;
        return sum + difference * difference;
    }
};

struct CityBlock {
    template <class T>
    static INLINE Vector<T> add(Vector<T> sum, Vector<T> a, Vector<T> b) {
        return sum + absolute<T>(a - b);
    }
};

template <class T>
struct Identity {
    explicit Identity(const Form&) {}
    INLINE Vector<T> operator()(Vector<T> t) const { return t; }
};

// 2^t: t comes with the factor 1 / log(2).
template <class T>
struct Exponential {
    explicit Exponential(const Form&) {}
    INLINE Vector<T> operator()(Vector<T> t) const { return binary_decay<T>(t); }
};

// Rounding may leave t = r^2 below zero; beyond r = 1000 the exponential is zero, and the polynomial must not overflow.
template <class T>
INLINE Vector<T> radius(Vector<T> t) {
    return square_root<T>(smaller<T>(larger<T>(t, Vector<T>{}), all<T>(T(1e6))));
}

template <class T>
struct Matern3 {
    explicit Matern3(const Form&) {}
    INLINE Vector<T> operator()(Vector<T> t) const {
        const Vector<T> r = radius<T>(t);
        return (r + T(1)) * decay<T>(-r);
    }
};

template <class T>
struct Matern5 {
    explicit Matern5(const Form&) {}
    INLINE Vector<T> operator()(Vector<T> t) const {
        const Vector<T> r = radius<T>(t);
        return (r + T(1) + r * r * T(1.0 / 3.0)) * decay<T>(-r);
    }
};

template <class T>
struct RationalQuadratic {
    T alpha;
    explicit RationalQuadratic(const Form& form) : alpha(T(form.exponent)) {}
    INLINE Vector<T> operator()(Vector<T> t) const { return exponential<T>(-alpha * logarithm_of_one_plus<T>(t)); }
};

template <class T>
struct WholePower {
    unsigned degree;
    explicit WholePower(const Form& form) : degree(unsigned(form.exponent)) {}
    INLINE Vector<T> operator()(Vector<T> t) const {
        Vector<T> power = all<T>(T(1));
        for (unsigned left = degree; left != 0; left >>= 1) {
            if (left & 1) power *= t;
            t *= t;
        }
        return power;
    }
};

template <class T>
struct HyperbolicTangent {
    explicit HyperbolicTangent(const Form&) {}
    INLINE Vector<T> operator()(Vector<T> t) const { return hyperbolic_tangent<T>(t); }
};

template <class T, template <class> class Profile>
struct Scaled {
    Profile<T> profile;
    T factor;
    explicit Scaled(const Form& form) : profile(form), factor(T(form.factor)) {}
    INLINE Vector<T> operator()(Vector<T> t) const { return profile(t) * factor; }
};

}  // namespace
