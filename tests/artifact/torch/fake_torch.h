// The part of PyTorch needed by an extension, just enough to compile and record: tensors without elements,
// with addresses in steps of 256 bytes; registered operators by name.
#ifndef TESTS_ARTIFACT_FAKE_TORCH_H
#define TESTS_ARTIFACT_FAKE_TORCH_H

#include <any>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace fake_torch {
inline std::map<std::string, std::string> schemas; // by name
inline std::map<std::string, std::any> operators;  // by "namespace::name CUDA"
inline int current_device = 0;
inline uintptr_t next_address = 0x10000;

// Numbers reach a message as text: see launcher/torch.h.
template <class Part> void print(std::ostream &out, const Part &part) {
    static_assert(!std::is_arithmetic_v<Part>, "a number goes through a stream");
    out << part;
}

template <class... Parts> [[noreturn]] void fail(const Parts &...parts) {
    std::ostringstream text;
    (print(text, parts), ...);
    throw std::runtime_error(text.str());
}
} // namespace fake_torch

namespace c10 {
struct SymBool {
    bool value;
};

class SymInt {
  public:
    SymInt(int64_t value = 0) : value_(value) {}
    SymBool sym_eq(const SymInt &other) const {
        return {value_ == other.value_};
    }
    int64_t value() const {
        return value_;
    }

  private:
    int64_t value_;
};
} // namespace c10

#define TORCH_CHECK(condition, ...) ((condition) ? (void)0 : fake_torch::fail(__VA_ARGS__))
#define TORCH_SYM_CHECK(condition, ...) TORCH_CHECK((condition).value, __VA_ARGS__)

namespace at {
enum class ScalarType { Undefined, Byte, Char, Short, Int, Long, Half, BFloat16, Float, Double, Bool };
inline std::ostream &operator<<(std::ostream &out, ScalarType type) {
    return out << "type " << static_cast<int>(type);
}

struct Device {
    int ordinal; // -1: the host
    int8_t index() const {
        return static_cast<int8_t>(ordinal);
    }
    bool operator==(const Device &other) const {
        return ordinal == other.ordinal;
    }
};
inline std::ostream &operator<<(std::ostream &out, const Device &device) {
    return out << "cuda:" << device.ordinal;
}

struct TensorOptions {
    Device device_{0};
    ScalarType type_ = ScalarType::Undefined;
    Device device() const {
        return device_;
    }
    TensorOptions dtype(ScalarType type) const {
        return {device_, type};
    }
};

class Tensor {
  public:
    Tensor() = default;
    Tensor(std::vector<int64_t> sizes, TensorOptions options) : sizes_(std::move(sizes)), options_(options) {
        int64_t dense = 1;
        strides_.resize(sizes_.size());
        for (size_t i = sizes_.size(); i--; dense *= sizes_[i] > 0 ? sizes_[i] : 1) {
            strides_[i] = dense;
        }
        address_ = fake_torch::next_address += 256;
    }
    int64_t dim() const {
        return static_cast<int64_t>(sizes_.size());
    }
    int64_t size(int64_t i) const {
        return sizes_[static_cast<size_t>(i)];
    }
    int64_t stride(int64_t i) const {
        return strides_[static_cast<size_t>(i)];
    }
    c10::SymInt sym_size(int64_t i) const {
        return {size(i)};
    }
    int64_t numel() const {
        int64_t count = 1;
        for (int64_t side : sizes_) {
            count *= side;
        }
        return count;
    }
    const std::vector<int64_t> &sizes() const {
        return sizes_;
    }
    const std::vector<int64_t> &strides() const {
        return strides_;
    }
    ScalarType scalar_type() const {
        return options_.type_;
    }
    Device device() const {
        return options_.device_;
    }
    bool is_cuda() const {
        return options_.device_.ordinal >= 0;
    }
    TensorOptions options() const {
        return options_;
    }
    const void *const_data_ptr() const {
        return reinterpret_cast<const void *>(address_);
    }
    void *mutable_data_ptr() const {
        return reinterpret_cast<void *>(address_);
    }

    std::vector<int64_t> sizes_, strides_;
    TensorOptions options_;
    uintptr_t address_ = 0;
};

inline Tensor empty(const std::vector<int64_t> &sizes, TensorOptions options) {
    return Tensor(sizes, options);
}
inline Tensor empty_symint(const std::vector<c10::SymInt> &sizes, TensorOptions options) {
    std::vector<int64_t> numbers;
    for (const c10::SymInt &size : sizes) {
        numbers.push_back(size.value());
    }
    return Tensor(numbers, options);
}
} // namespace at

namespace c10::cuda {
class OptionalCUDAGuard {
  public:
    ~OptionalCUDAGuard() {
        fake_torch::current_device = before_;
    }
    void set_device(at::Device device) {
        fake_torch::current_device = device.ordinal;
    }

  private:
    int before_ = fake_torch::current_device;
};
struct CUDAStream {
    CUstream stream() const {
        return nullptr;
    }
};
inline CUDAStream getCurrentCUDAStream(int8_t) {
    return {};
}
} // namespace c10::cuda

namespace torch {
class Library {
  public:
    Library(const char *space, const char *key, void (*fill)(Library &)) : space_(space), key_(key) {
        fill(*this);
    }
    void def(const char *schema) {
        std::string text = schema;
        fake_torch::schemas[space_ + "::" + text.substr(0, text.find('('))] = text;
    }
    template <class Function> void impl(const char *name, Function *function) {
        fake_torch::operators[space_ + "::" + name + " " + key_] = function;
    }

  private:
    std::string space_, key_;
};
} // namespace torch
#define TORCH_LIBRARY_AS(space, key, library)                                                                \
    static void fill_##key(torch::Library &);                                                                \
    static torch::Library library_##key(#space, #key, fill_##key);                                           \
    static void fill_##key(torch::Library &library)
#define TORCH_LIBRARY_FRAGMENT(space, library) TORCH_LIBRARY_AS(space, schemas, library)
#define TORCH_LIBRARY_IMPL(space, key, library) TORCH_LIBRARY_AS(space, key, library)

#endif
