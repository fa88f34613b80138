// The engine for Python: which instruction sets this processor has, and checked calls into their functions.
//
// Arrays come as buffers. Each call checks that a buffer is as long as what will be read or written, so that no mistake
// above can reach outside of one; the interpreter's lock is released while an engine works.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstring>

#include "engine.h"

namespace {

using namespace eigenlens;

struct InstructionSet {
    const char* name;
    const Engine* engines;  // float32, float64
    bool (*present)();
};

#if defined(EIGENLENS_X86)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#endif

// The best first.
const InstructionSet known[] = {
#if defined(EIGENLENS_X86)
    {"avx512", avx512, has_avx512},
    {"avx2", avx2, has_avx2},
#endif
    {"baseline", baseline, [] { return true; }},
};

struct Refused {};  // thrown once Python's error is set

void require(bool right, const char* what_is_wrong) {
    if (right) return;
    PyErr_SetString(PyExc_ValueError, what_is_wrong);
    throw Refused{};
}

// a * b numbers, refused where their bytes could not be counted
Index times(Index a, Index b) {
    require(a >= 0 && b >= 0 && (b == 0 || a <= PY_SSIZE_T_MAX / 16 / b), "sizes are negative or too large");
    return a * b;
}

Index rounded_up(Index count, Index step) { return (times(count, 1) + step - 1) / step * step; }

// A buffer, released when its call is left; None gives no buffer, and a null pointer.
class Buffer {
   public:
    Buffer(PyObject* object, int flags) {
        if (object == Py_None) return;
        if (PyObject_GetBuffer(object, &view_, flags) != 0) throw Refused{};
        held_ = true;
    }
    ~Buffer() {
        if (held_) PyBuffer_Release(&view_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class T>
    T* holding(Index items, Index size) const {
        if (!held_) return nullptr;
        require(view_.len / size >= items, "a buffer is shorter than the sizes given with it say");
        return static_cast<T*>(view_.buf);
    }

   private:
    Py_buffer view_{};
    bool held_ = false;
};

struct Read : Buffer {
    explicit Read(PyObject* object) : Buffer(object, PyBUF_SIMPLE) {}
};

struct Write : Buffer {
    explicit Write(PyObject* object) : Buffer(object, PyBUF_WRITABLE) {}
};

const Engine& engine_of(const char* name, Index itemsize) {
    require(itemsize == 4 || itemsize == 8, "numbers have 4 or 8 bytes");
    for (const InstructionSet& set : known)
        if (std::strcmp(set.name, name) == 0 && set.present()) return set.engines[itemsize == 8];
    require(false, "no such instruction set on this machine");
    throw Refused{};
}

// The arguments that all sweeps have, as Python gives them: (name, itemsize, form), and tables (panels, offsets, count,
// features).
struct Table {
    PyObject *panels, *offsets;
    Index count, features;
};

class HeldRows {
   public:
    HeldRows(const Table& table, const Engine& engine, Index itemsize)
        : panels_(table.panels), offsets_(table.offsets), padded(rounded_up(table.count, engine.panel)) {
        require(table.panels != Py_None && table.offsets != Py_None, "a table needs its panels and offsets");
        rows = {panels_.holding<void>(times(padded, table.features), itemsize),
                offsets_.holding<void>(padded, itemsize), table.count, table.features};
    }

   private:
    Read panels_, offsets_;

   public:
    Rows rows;
    Index padded;
};

void check_form(const Form& form) {
    require(form.pairing >= 0 && form.pairing < PAIRINGS, "no such pairing");
    require(form.profile >= 0 && form.profile < PROFILES, "no such profile");
    require(form.profile != WHOLE_POWER || (form.exponent >= 0 && form.exponent < 2147483648.0), "no such power");
}

void check_range(Index begin, Index end, Index count, Index step) {
    require(begin >= 0 && begin <= end && end <= count && begin % step == 0, "no such range of rows");
}

template <class Work>
PyObject* unlocked(Work work) {
    PyThreadState* state = PyEval_SaveThread();
    work();
    PyEval_RestoreThread(state);
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject* symmetric(PyObject* args) {
    const char* name;
    Index itemsize;
    Form form;
    Table table;
    Strip strip;
    PyObject *vectors, *sums, *row_sums, *row_squares, *tile, *cache;
    Index width;
    int use;
    if (!PyArg_ParseTuple(args, "sn(iidddd)(OOnn)(nnn)(OOn)(OO)OOi", &name, &itemsize, &form.pairing, &form.profile,
                          &form.multiplier, &form.exponent, &form.factor, &form.diagonal, &table.panels,
                          &table.offsets, &table.count, &table.features, &strip.begin, &strip.left, &strip.right,
                          &vectors, &sums, &width, &row_sums, &row_squares, &tile, &cache, &use))
        throw Refused{};
    const Engine& engine = engine_of(name, itemsize);
    check_form(form);
    const HeldRows x(table, engine, itemsize);
    check_range(strip.begin, table.count, table.count, engine.tile_rows);
    check_range(strip.left, strip.right, table.count, engine.tile_columns);
    require(strip.left >= strip.begin, "a strip begins at the diagonal");
    require(strip.right == table.count || strip.right % engine.tile_columns == 0, "a strip ends between tiles");
    require(width >= 0 && width % engine.lanes == 0, "the number of vectors is no multiple of the lanes");
    require(use >= NO_CACHE && use <= USE_CACHE, "no such use of a cache");
    require((use == NO_CACHE ? tile : cache) != Py_None, "a strip needs a tile or a cache to work in");
    require(width == 0 || (vectors != Py_None && sums != Py_None), "a product needs vectors and sums");
    require((row_sums == Py_None) == (row_squares == Py_None), "both row sums are gathered, or none");
    const Read v(vectors);
    const Write out(sums), gathered_sums(row_sums), gathered_squares(row_squares), scratch(tile), kept(cache);
    const Index tile_size = engine.tile_rows * engine.tile_stride;
    const Index tiles = rounded_up(strip.right - strip.left, engine.tile_columns) / engine.tile_columns;
    const Product product{v.holding<void>(times(table.count, width), itemsize),
                          out.holding<double>(times(x.padded, width), 8), width};
    const Gathered gathered{gathered_sums.holding<double>(table.count, 8), gathered_squares.holding<double>(1, 8)};
    void* tile_memory = scratch.holding<void>(tile_size, itemsize);
    void* cache_memory = kept.holding<void>(times(tiles, tile_size), itemsize);
    return unlocked([&] {
        engine.symmetric(form, x.rows, strip, product, gathered, tile_memory, cache_memory, CacheUse(use));
    });
}

// What sweeps over new rows y against rows x have in common.
struct NewRows {
    const char* name;
    Index itemsize;
    Form form;
    Table y, x;
    Index begin, end;
    PyObject* tile;
};

// The same, held and checked: parts of y begin with a panel, or with a whole tile.
class HeldSweep {
   public:
    HeldSweep(const NewRows& a, bool by_tiles)
        : engine(engine_of(a.name, a.itemsize)),
          y(a.y, engine, a.itemsize),
          x(a.x, engine, a.itemsize),
          scratch_(a.tile) {
        check_form(a.form);
        check_range(a.begin, a.end, a.y.count, by_tiles ? engine.tile_rows : engine.panel);
        require(a.y.features == a.x.features, "tables differ in their features");
        require(a.tile != Py_None, "a sweep needs a tile to work in");
        tile = scratch_.holding<void>(engine.tile_rows * engine.tile_stride, a.itemsize);
    }

    const Engine& engine;
    const HeldRows y, x;
    void* tile;

   private:
    const Write scratch_;
};

PyObject* cross(PyObject* args) {
    NewRows a;
    PyObject *vectors, *sums, *row_sums, *row_squares;
    Index width;
    if (!PyArg_ParseTuple(args, "sn(iidddd)(OOnn)(OOnn)(nn)O(OOn)(OO)", &a.name, &a.itemsize, &a.form.pairing,
                          &a.form.profile, &a.form.multiplier, &a.form.exponent, &a.form.factor, &a.form.diagonal,
                          &a.y.panels, &a.y.offsets, &a.y.count, &a.y.features, &a.x.panels, &a.x.offsets, &a.x.count,
                          &a.x.features, &a.begin, &a.end, &a.tile, &vectors, &sums, &width, &row_sums, &row_squares))
        throw Refused{};
    const HeldSweep held(a, false);
    require(width >= 0 && width % held.engine.lanes == 0, "the number of vectors is no multiple of the lanes");
    require(width == 0 || (vectors != Py_None && sums != Py_None), "a product needs vectors and sums");
    require((row_sums == Py_None) == (row_squares == Py_None), "both row sums are gathered, or none");
    const Read v(vectors);
    const Write out(sums), gathered_sums(row_sums), gathered_squares(row_squares);
    const Product product{v.holding<void>(times(a.x.count, width), a.itemsize),
                          out.holding<double>(times(held.y.padded, width), 8), width};
    const Gathered gathered{gathered_sums.holding<double>(a.y.count, 8),
                            gathered_squares.holding<double>(a.y.count, 8)};
    return unlocked([&] {
        held.engine.cross(a.form, held.y.rows, held.x.rows, a.begin, a.end, product, gathered, held.tile);
    });
}

PyObject* block(PyObject* args) {
    NewRows a;
    PyObject* values;
    int mirrored;
    if (!PyArg_ParseTuple(args, "sn(iidddd)(OOnn)(OOnn)(nn)OOp", &a.name, &a.itemsize, &a.form.pairing, &a.form.profile,
                          &a.form.multiplier, &a.form.exponent, &a.form.factor, &a.form.diagonal, &a.y.panels,
                          &a.y.offsets, &a.y.count, &a.y.features, &a.x.panels, &a.x.offsets, &a.x.count,
                          &a.x.features, &a.begin, &a.end, &a.tile, &values, &mirrored))
        throw Refused{};
    const HeldSweep held(a, mirrored);
    require(!mirrored || a.y.count == a.x.count, "only a square block can be mirrored");
    require(values != Py_None, "a sweep needs a block to fill");
    const Write out(values);
    void* filled = out.holding<void>(times(a.y.count, a.x.count), a.itemsize);
    return unlocked([&] {
        held.engine.block(a.form, held.y.rows, held.x.rows, a.begin, a.end, filled, mirrored, held.tile);
    });
}

PyObject* nearest(PyObject* args) {
    NewRows a;
    PyObject *values, *places;
    Index k;
    if (!PyArg_ParseTuple(args, "sn(iidddd)(OOnn)(OOnn)(nn)OnOO", &a.name, &a.itemsize, &a.form.pairing,
                          &a.form.profile, &a.form.multiplier, &a.form.exponent, &a.form.factor, &a.form.diagonal,
                          &a.y.panels, &a.y.offsets, &a.y.count, &a.y.features, &a.x.panels, &a.x.offsets, &a.x.count,
                          &a.x.features, &a.begin, &a.end, &a.tile, &k, &values, &places))
        throw Refused{};
    const HeldSweep held(a, false);
    require(k >= 1, "at least one row is asked for");
    require(values != Py_None && places != Py_None, "a sweep needs arrays to write to");
    const Write found(values), where(places);
    void* best = found.holding<void>(times(a.y.count, k), a.itemsize);
    Index* best_places = where.holding<Index>(times(a.y.count, k), sizeof(Index));
    return unlocked([&] {
        held.engine.nearest(a.form, held.y.rows, held.x.rows, a.begin, a.end, k, best, best_places, held.tile);
    });
}

PyObject* evaluate(PyObject* args) {
    const char* name;
    Index itemsize, count;
    int function;
    PyObject *x, *y;
    if (!PyArg_ParseTuple(args, "sniOOn", &name, &itemsize, &function, &x, &y, &count)) throw Refused{};
    const Engine& engine = engine_of(name, itemsize);
    require(function >= 0 && function < FUNCTIONS && x != Py_None && y != Py_None, "no such function");
    const Read from(x);
    const Write to(y);
    const void* arguments = from.holding<void>(times(count, 1), itemsize);
    void* values = to.holding<void>(count, itemsize);
    return unlocked([&] { engine.evaluate(Function(function), arguments, values, count); });
}

PyObject* layout(PyObject* args) {
    const char* name;
    Index itemsize;
    if (!PyArg_ParseTuple(args, "sn", &name, &itemsize)) throw Refused{};
    const Engine& engine = engine_of(name, itemsize);
    return Py_BuildValue("nnnnn", engine.lanes, engine.panel, engine.tile_rows, engine.tile_columns,
                         engine.tile_stride);
}

PyObject* instruction_sets(PyObject*) {
    PyObject* names = PyList_New(0);
    if (names == nullptr) return nullptr;
    for (const InstructionSet& set : known) {
        if (!set.present()) continue;
        PyObject* name = PyUnicode_FromString(set.name);
        const bool added = name != nullptr && PyList_Append(names, name) == 0;
        Py_XDECREF(name);
        if (!added) {
            Py_DECREF(names);
            return nullptr;
        }
    }
    return names;
}

template <PyObject* (*function)(PyObject*)>
PyObject* checked(PyObject*, PyObject* args) {
    try {
        return function(args);
    } catch (const Refused&) {
        return nullptr;
    }
}

PyMethodDef methods[] = {
    {"instruction_sets", checked<instruction_sets>, METH_NOARGS, "Names of those this machine has, the best first."},
    {"layout", checked<layout>, METH_VARARGS, "Lanes, panel, rows, columns and stride of a tile."},
    {"symmetric", checked<symmetric>, METH_VARARGS, "Add what a strip of tiles makes of K V."},
    {"cross", checked<cross>, METH_VARARGS, "Add K(Y, X) V for a range of rows of Y."},
    {"block", checked<block>, METH_VARARGS, "Write K(Y, X) for a range of rows of Y."},
    {"nearest", checked<nearest>, METH_VARARGS, "Find the smallest values of each row of K(Y, X)."},
    {"evaluate", checked<evaluate>, METH_VARARGS, "Apply an elementary function."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef_Slot slots[] = {{0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "Tiles of kernel matrices, compiled.", 0, methods, slots,
    nullptr,               nullptr,   nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
