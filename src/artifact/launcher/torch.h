#ifndef TKC_LAUNCHER_TORCH_1
#define TKC_LAUNCHER_TORCH_1

// ---- Operators of PyTorch: the values of a kernel's parameters from tensors. C++17.
namespace tkc_torch {

enum Role { INPUT, OUTPUT, BOTH };

// Text of a number, without a C++ stream. A compiler may link a C++ library of its own into the extension,
// and streams of that library lack the locale that PyTorch's library has set up.
inline std::string text(int64_t number) {
    return std::to_string(number);
}

template <class Numbers> std::string text_of(const Numbers &numbers) {
    std::string list = "[";
    for (int64_t number : numbers) {
        list += (list.size() > 1 ? ", " : "") + text(number);
    }
    return list + "]";
}

// A size or stride: a parameter's value, else a number. A stride DENSE follows from the inner dimensions.
struct Extent {
    int parameter; // -1: none
    int64_t number;
};
constexpr int64_t DENSE = -1;

struct Dimension {
    Extent size, stride;
};

// A parameter of the kernel. The hints `divisible` and `one` are checked here for a better message than the
// launcher's.
struct Parameter {
    const char *name;
    bool pointer;
    at::ScalarType element; // of a pointer
    Role role;
    int rank; // -1: the source does not describe the tensor
    const Dimension *dimensions;
    int64_t divisible;
    bool one;
};

// A call on fake tensors, which have shapes alone. Sizes may be symbols.
template <size_t N> class Shapes {
  public:
    Shapes(const char *kernel, const Parameter *parameters) : kernel_(kernel), parameters_(parameters) {}

    void number(int index, c10::SymInt value) {
        known_[static_cast<size_t>(index)] = std::move(value);
    }

    void give(int index, const at::Tensor &tensor) {
        const Parameter &p = parameters_[index];
        if (!options_) {
            options_ = tensor.options();
        }
        TORCH_CHECK(p.rank < 0 || tensor.dim() == p.rank, kernel_, ": ", p.name, " has ", text(tensor.dim()),
                    " dimensions, not ", text(p.rank));
        for (int i = 0; i < p.rank; i++) {
            const Extent &size = p.dimensions[i].size;
            c10::SymInt here = tensor.sym_size(i);
            if (size.parameter >= 0 && !known_[static_cast<size_t>(size.parameter)]) {
                known_[static_cast<size_t>(size.parameter)] = here;
            }
            TORCH_SYM_CHECK(here.sym_eq(value(size)), kernel_, ": ", p.name,
                            " has a wrong size in dimension ", text(i));
        }
    }

    at::Tensor make(int index) const {
        const Parameter &p = parameters_[index];
        std::vector<c10::SymInt> sizes;
        for (int i = 0; i < p.rank; i++) {
            sizes.push_back(value(p.dimensions[i].size));
        }
        return at::empty_symint(sizes, options_->dtype(p.element));
    }

  private:
    c10::SymInt value(const Extent &extent) const {
        return extent.parameter < 0 ? c10::SymInt(extent.number)
                                    : *known_[static_cast<size_t>(extent.parameter)];
    }

    const char *kernel_;
    const Parameter *parameters_;
    std::array<std::optional<c10::SymInt>, N> known_;
    std::optional<at::TensorOptions> options_;
};

// A call on a GPU. The tensors' device is the current device as long as this object lives.
template <size_t N> class Call {
  public:
    Call(const char *kernel, const Parameter *parameters) : kernel_(kernel), parameters_(parameters) {}

    void number(int index, int64_t value) {
        set(index, value);
    }

    void give(int index, const at::Tensor &tensor) {
        const Parameter &p = parameters_[index];
        TORCH_CHECK(tensor.is_cuda(), kernel_, ": ", p.name, " is not on a GPU");
        TORCH_CHECK(!options_ || tensor.device() == options_->device(), kernel_, ": ", p.name, " is on ",
                    tensor.device(), ", other tensors are on ",
                    options_ ? options_->device() : tensor.device());
        TORCH_CHECK(tensor.scalar_type() == p.element, kernel_, ": ", p.name, " is of ", tensor.scalar_type(),
                    ", not ", p.element);
        if (!options_) {
            options_ = tensor.options();
            enter();
        }
        TORCH_CHECK(p.rank < 0 || tensor.dim() == p.rank, kernel_, ": ", p.name, " has ", text(tensor.dim()),
                    " dimensions, not ", text(p.rank));
        for (int i = 0; i < p.rank; i++) {
            bind(p.dimensions[i].size, tensor.size(i), p, tensor, "size");
        }
        read_strides(p, tensor);
        set(index, reinterpret_cast<intptr_t>(p.role == INPUT ? tensor.const_data_ptr()
                                                              : tensor.mutable_data_ptr()));
    }

    at::Tensor make(int index) {
        const Parameter &p = parameters_[index];
        std::vector<int64_t> sizes;
        for (int i = 0; i < p.rank; i++) {
            const Extent &size = p.dimensions[i].size;
            sizes.push_back(size.parameter < 0 ? size.number : values_[static_cast<size_t>(size.parameter)]);
        }
        at::Tensor tensor = at::empty(sizes, options_->dtype(p.element));
        read_strides(p, tensor);
        set(index, reinterpret_cast<intptr_t>(tensor.mutable_data_ptr()));
        return tensor;
    }

    // Call it when all tensors and numbers are given and all results are made.
    void check_promises() const {
        for (size_t i = 0; i < N; i++) {
            const Parameter &p = parameters_[i];
            TORCH_CHECK(p.divisible <= 1 || values_[i] % p.divisible == 0, kernel_, ": ", p.name, " = ",
                        text(values_[i]), " is not divisible by ", text(p.divisible));
            TORCH_CHECK(!p.one || values_[i] == 1, kernel_, ": ", p.name, " = ", text(values_[i]),
                        " is not 1");
        }
    }

    template <class Type> Type value(int index) const {
        int64_t number = values_[static_cast<size_t>(index)];
        TORCH_CHECK(static_cast<int64_t>(static_cast<Type>(number)) == number, kernel_, ": ",
                    parameters_[index].name, " = ", text(number), " does not fit the kernel's parameter");
        return static_cast<Type>(number);
    }

    CUstream stream() const {
        return c10::cuda::getCurrentCUDAStream(options_->device().index()).stream();
    }

    void check(CUresult result) const {
        const char *what = nullptr;
        if (result != CUDA_SUCCESS) {
            cuGetErrorString(result, &what);
        }
        TORCH_CHECK(result == CUDA_SUCCESS, kernel_, ": ", what ? what : "unknown error", " (", text(result),
                    ")");
    }

  private:
    void set(int index, int64_t value) {
        values_[static_cast<size_t>(index)] = value;
        known_[static_cast<size_t>(index)] = true;
    }

    // A thread of the backward pass may lack a context.
    void enter() {
        CUcontext context = nullptr;
        guard_.set_device(options_->device());
        check(cuCtxGetCurrent(&context));
        if (!context) {
            check(cuDevicePrimaryCtxRetain(&context, options_->device().index()));
            check(cuCtxSetCurrent(context));
        }
    }

    void bind(const Extent &extent, int64_t here, const Parameter &p, const at::Tensor &tensor,
              const char *what) {
        if (extent.parameter >= 0 && !known_[static_cast<size_t>(extent.parameter)]) {
            set(extent.parameter, here);
        }
        int64_t expected =
            extent.parameter < 0 ? extent.number : values_[static_cast<size_t>(extent.parameter)];
        TORCH_CHECK(here == expected, kernel_, ": ", p.name, " is ", text_of(tensor.sizes()),
                    " with strides ", text_of(tensor.strides()), ": the ", what,
                    extent.parameter < 0 ? "" : " ",
                    extent.parameter < 0 ? "" : parameters_[extent.parameter].name, " is ", text(here),
                    ", not ", text(expected));
    }

    // Reads the strides, from the innermost dimension out. A stride counts as dense if the dimension has one
    // element or the tensor has none.
    void read_strides(const Parameter &p, const at::Tensor &tensor) {
        int64_t dense = 1;
        for (int i = p.rank - 1; i >= 0; i--) {
            Extent extent = p.dimensions[i].stride;
            int64_t here = tensor.size(i) <= 1 || tensor.numel() == 0 ? dense : tensor.stride(i);
            if (extent.parameter < 0 && extent.number == DENSE) {
                extent.number = dense;
            }
            bind(extent, here, p, tensor, "stride");
            dense = here * tensor.size(i);
        }
    }

    const char *kernel_;
    const Parameter *parameters_;
    std::array<int64_t, N> values_{};
    std::array<bool, N> known_{};
    std::optional<at::TensorOptions> options_;
    c10::cuda::OptionalCUDAGuard guard_;
};

} // namespace tkc_torch
#endif
