// One instruction set's engine; the build compiles this file once for each, with EIGENLENS_ENGINE its name.
#include "sweeps.h"

namespace {

template <class T>
void evaluate(eigenlens::Function function, const void* from, void* to, Index count) {
    const T* x = static_cast<const T*>(from);
    T* y = static_cast<T*>(to);
    for (Index i = 0; i < count; i += lanes<T>) {
        T part[lanes<T>] = {};
        const Index some = least(lanes<T>, count - i);
        std::memcpy(part, x + i, some * sizeof(T));
        const Vector<T> v = load(part);
        store<T>(part, function == eigenlens::EXP     ? exponential<T>(v)
                       : function == eigenlens::DECAY ? decay<T>(v)
                       : function == eigenlens::EXP2  ? binary_decay<T>(v)
                       : function == eigenlens::LOG1P ? logarithm_of_one_plus<T>(v)
                                                      : hyperbolic_tangent<T>(v));
        std::memcpy(y + i, part, some * sizeof(T));
    }
}

template <class T>
constexpr eigenlens::Engine engine = {
    lanes<T>,  panel<T>, tile_rows,  tile_columns,  tile_stride<T>, symmetric<T>,
    cross<T>,  block<T>, nearest<T>, evaluate<T>,
};

}  // namespace

namespace eigenlens {
extern const Engine EIGENLENS_ENGINE[2];
const Engine EIGENLENS_ENGINE[2] = {engine<float>, engine<double>};
}  // namespace eigenlens
