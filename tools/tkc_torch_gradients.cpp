// Gradients of operators: the node that PyTorch's autograd runs in the backward pass. Built once, for operators of any kernel. C++, since
// autograd has no other interface.
//
// An operator with a gradient gets a kernel for the key Autograd. It keeps the tensors and numbers that the gradient's function takes, and
// connects the results with a node that runs the function. The function is Python's (tkc_torch_gradients.py). Its first call with tensors
// of some shapes, strides and types, and with some numbers, is recorded as a list of operators; later calls replay the list. Where a
// gradient of the gradient is wanted, and where something traces or transforms the backward pass, the function itself is called.
//
//   tkc_gradients::declare   an operator, and what its gradient takes
//   tkc_gradients::teach     a recorded list; empty: the function cannot be recorded
//   tkc_gradients::python    Python's part: calls the function, and teaches its list where `learn` says so
#include <ATen/ScalarOps.h>
#include <ATen/TensorSubclassLikeUtils.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/library.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace {

using c10::IValue;
using torch::autograd::Node;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;

enum What : int64_t {
    ARGUMENT,
    RESULT,
    GRADIENT
};                              // of a value that the function takes: what it is of the operator
constexpr size_t PROGRAMS = 64; // of an operator

struct Value {
    What what;
    size_t index; // of the operator's arguments or results
    bool tensor;
};

// A list of tensors among the operands: slots, -1 for none.
struct List {
    size_t operand;
    bool optional;
    std::vector<int64_t> slots;
};

// A recorded call. Operands that are tensors are named by slots; the others are constants.
struct Step {
    c10::OperatorHandle op;
    std::vector<IValue> constants;                 // of all operands; None where a slot is
    std::vector<std::pair<size_t, int64_t>> slots; // operand and slot
    std::vector<List> lists;
};

struct Program {
    std::vector<int64_t> key;
    bool recorded;
    std::vector<Step> steps;
    std::vector<int64_t> results; // slots, -1: none
};

struct Operator {
    int64_t which;
    std::vector<Value> values;
    std::vector<size_t> tensors;      // arguments that are tensors
    std::vector<bool> differentiable; // results whose gradients the function takes; others have none
    std::mutex lock;
    std::vector<std::shared_ptr<const Program>> programs;
};

std::vector<std::unique_ptr<Operator>> &operators() {
    static std::vector<std::unique_ptr<Operator>> all;
    return all;
}

// ---- what a program depends on

struct Call {
    std::vector<std::optional<at::Tensor>> tensors;
    std::vector<c10::SymInt> integers;
    std::vector<double> floats;
    std::vector<bool> wanted;
};

void add_tensor(std::vector<int64_t> &key, const std::optional<at::Tensor> &tensor) {
    if (!tensor || !tensor->defined()) {
        key.push_back(-1);
        return;
    }
    key.push_back(tensor->dim());
    key.push_back(static_cast<int64_t>(tensor->scalar_type()));
    key.push_back(static_cast<int64_t>(tensor->device().type()) << 8 | (tensor->device().index() & 0xff));
    key.insert(key.end(), tensor->sizes().begin(), tensor->sizes().end());
    key.insert(key.end(), tensor->strides().begin(), tensor->strides().end());
}

std::vector<int64_t> key_of(const Call &call) {
    std::vector<int64_t> key;
    key.reserve(64);
    for (const auto &tensor : call.tensors) {
        add_tensor(key, tensor);
    }
    for (const auto &number : call.integers) {
        key.push_back(number.expect_int());
    }
    for (double number : call.floats) {
        int64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        key.push_back(bits);
    }
    for (bool wanted : call.wanted) {
        key.push_back(wanted);
    }
    return key;
}

// False while something traces, transforms or wants a gradient of the gradient.
bool can_replay(const Call &call) {
    if (at::GradMode::is_enabled() || c10::impl::TorchDispatchModeTLS::any_modes_set()) {
        return false;
    }
    for (const auto &tensor : call.tensors) {
        if (tensor && tensor->defined() && (at::isTensorSubclassLike(*tensor) || !tensor->has_storage())) {
            return false;
        }
    }
    for (const auto &number : call.integers) {
        if (number.is_symbolic()) {
            return false;
        }
    }
    return true;
}

// ---- programs

// Values between blanks: t3 a slot, n none, i5, f0x1p-3, b1, dcuda:0 a device, - the default, [ and ] around a list.
class Reader {
  public:
    explicit Reader(const std::string &text) : in_(text) {}

    Program read() {
        Program program{{}, false, {}, {}};
        std::string word;
        while (in_ >> word && word != "return") {
            program.steps.push_back(step(word));
        }
        program.recorded = word == "return";
        while (in_ >> word) {
            program.results.push_back(slot(word));
        }
        return program;
    }

  private:
    static int64_t slot(const std::string &word) {
        return word[0] == 't' ? std::atoll(word.c_str() + 1) : -1;
    }

    Step step(const std::string &name) {
        std::string overload;
        in_ >> overload;
        Step step{c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(),
                                                                 overload == "." ? "" : overload.c_str()),
                  {},
                  {},
                  {}};
        for (const auto &argument : step.op.schema().arguments()) {
            operand(step, argument);
        }
        return step;
    }

    void operand(Step &step, const c10::Argument &argument) {
        std::string word;
        in_ >> word;
        size_t place = step.constants.size();
        step.constants.emplace_back();
        if (word[0] == 't') {
            step.slots.emplace_back(place, slot(word));
        } else if (word[0] == '[') {
            list(step, place, argument);
        } else {
            IValue value = word[0] == '-' ? argument.default_value().value() : constant(word);
            bool number = argument.type()->kind() == c10::TypeKind::TensorType && value.isScalar();
            step.constants[place] = number ? IValue(wrapped(value.toScalar())) : value;
        }
    }

    // A number in a tensor's place, as in `x * 2`.
    static at::Tensor wrapped(const at::Scalar &number) {
        at::Tensor tensor = at::scalar_to_tensor(number);
        tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
        return tensor;
    }

    static IValue constant(const std::string &word) {
        const char *rest = word.c_str() + 1;
        switch (word[0]) {
        case 'i':
            return static_cast<int64_t>(std::atoll(rest));
        case 'f':
            return std::strtod(rest, nullptr);
        case 'b':
            return *rest == '1';
        case 'd':
            return c10::Device(std::string(rest));
        default:
            return {};
        }
    }

    void list(Step &step, size_t place, const c10::Argument &argument) {
        std::vector<IValue> values;
        std::vector<int64_t> slots;
        std::string word;
        while (in_ >> word && word != "]") {
            values.push_back(constant(word));
            slots.push_back(slot(word));
        }
        auto type = argument.type();
        if (auto optional = type->cast<c10::OptionalType>()) {
            type = optional->getElementType();
        }
        auto element = type->expect<c10::ListType>()->getElementType();
        if (element->kind() == c10::TypeKind::TensorType || element->kind() == c10::TypeKind::OptionalType) {
            step.lists.push_back({place, element->kind() == c10::TypeKind::OptionalType, std::move(slots)});
        } else {
            c10::impl::GenericList made(element->kind() == c10::TypeKind::SymIntType ? c10::IntType::get()
                                                                                     : element);
            for (auto &value : values) {
                made.push_back(std::move(value));
            }
            step.constants[place] = IValue(made);
        }
    }

    std::istringstream in_;
};

void keep_results(std::vector<at::Tensor> &slots, torch::jit::Stack &stack) {
    for (auto &value : stack) {
        if (value.isTensorList()) {
            for (const at::Tensor &tensor : value.toTensorList()) {
                slots.push_back(tensor);
            }
        } else {
            slots.push_back(value.isTensor() ? std::move(value).toTensor() : at::Tensor());
        }
    }
}

void run(const Step &step, std::vector<at::Tensor> &slots, torch::jit::Stack &stack) {
    stack.assign(step.constants.begin(), step.constants.end());
    for (auto [place, slot] : step.slots) {
        stack[place] = slots[static_cast<size_t>(slot)];
    }
    for (const List &list : step.lists) {
        c10::List<std::optional<at::Tensor>> some;
        c10::List<at::Tensor> all;
        for (int64_t slot : list.slots) {
            at::Tensor tensor = slot < 0 ? at::Tensor() : slots[static_cast<size_t>(slot)];
            list.optional ? some.push_back(slot < 0 ? std::nullopt : std::optional<at::Tensor>(tensor))
                          : all.push_back(tensor);
        }
        stack[list.operand] = list.optional ? IValue(some) : IValue(all);
    }
    step.op.callBoxed(stack);
    keep_results(slots, stack);
}

variable_list replay(const Program &program, const Call &call) {
    at::AutoDispatchBelowADInplaceOrView guard;
    std::vector<at::Tensor> slots;
    slots.reserve(32);
    for (const auto &tensor : call.tensors) {
        slots.push_back(tensor ? *tensor : at::Tensor());
    }
    torch::jit::Stack stack;
    for (const Step &step : program.steps) {
        run(step, slots, stack);
    }
    variable_list results;
    for (int64_t slot : program.results) {
        results.push_back(slot < 0 ? at::Tensor() : slots[static_cast<size_t>(slot)]);
    }
    return results;
}

// ---- the node of a call

variable_list in_python(const Operator &of, const Call &call, bool learn) {
    static auto python = c10::Dispatcher::singleton().findSchemaOrThrow("tkc_gradients::python", "");
    c10::List<std::optional<at::Tensor>> tensors;
    for (const auto &tensor : call.tensors) {
        tensors.push_back(tensor && tensor->defined() ? tensor : std::nullopt);
    }
    c10::SymIntArrayRef integers(call.integers);
    c10::List<bool> wanted;
    for (bool one : call.wanted) {
        wanted.push_back(one);
    }
    torch::jit::Stack stack;
    torch::jit::push(stack, of.which, tensors, integers, call.floats, wanted, learn);
    python.callBoxed(stack);
    variable_list results;
    for (const IValue &value : stack.at(0).toListRef()) {
        results.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
    }
    return results;
}

// Nodes are counted by std::shared_ptr in PyTorch 2.11 and by themselves in 2.15: as SavedVariable takes them.
template <class Pointer> Pointer pointer_of(at::Tensor (SavedVariable::*)(Pointer) const);
using NodePointer = decltype(pointer_of(&SavedVariable::unpack));

template <class Pointer> struct Counted {
    template <class T> static auto make(Operator *of) {
        return c10::make_intrusive<T>(of);
    }
    template <class T> static NodePointer self(T *node) {
        return c10::intrusive_ptr<T>::reclaim_copy(node);
    }
};
template <> struct Counted<std::shared_ptr<Node>> {
    template <class T> static auto make(Operator *of) {
        return std::shared_ptr<T>(new T(of), [](T *node) { deleteNode(node); });
    }
    template <class T> static NodePointer self(T *node) {
        return node->shared_from_this();
    }
};

struct Gradient : Node {
    explicit Gradient(Operator *of) : of_(of), kept_(of->values.size()) {}

    std::string name() const override {
        return "tkc_gradient";
    }

    variable_list apply(variable_list &&gradients) override {
        Call call = given(gradients);
        if (!can_replay(call)) {
            return in_python(*of_, call, false);
        }
        auto program = find(key_of(call));
        return program && program->recorded ? replay(*program, call) : in_python(*of_, call, !program);
    }

    void release_variables() override {
        for (auto &variable : kept_) {
            variable.reset_data();
        }
    }

    // A value of the operator's arguments or results.
    void keep(size_t place, const IValue &value) {
        const Value &of = of_->values[place];
        if (of.tensor) {
            kept_[place] = SavedVariable(value.toTensor(), of.what == RESULT);
        } else if (value.isDouble()) {
            floats_.push_back(value.toDouble());
        } else {
            integers_.push_back(value.isBool() ? c10::SymInt(value.toBool()) : value.toSymInt());
        }
    }

  private:
    // What the function takes. A gradient that there is none of is zeros.
    Call given(const variable_list &gradients) {
        Call call;
        call.integers = integers_;
        call.floats = floats_;
        for (size_t i = 0; i < kept_.size(); i++) {
            const Value &value = of_->values[i];
            if (value.what == GRADIENT) {
                const at::Tensor &gradient = gradients.at(value.index);
                call.tensors.emplace_back(gradient.defined() ? gradient
                                                             : input_metadata(value.index).zeros_like());
            } else if (value.tensor) {
                call.tensors.emplace_back(
                    kept_[i].unpack(value.what == RESULT ? Counted<NodePointer>::self(this) : NodePointer()));
            }
        }
        for (size_t i = 0; i < of_->tensors.size(); i++) {
            call.wanted.push_back(task_should_compute_output(i));
        }
        return call;
    }

    std::shared_ptr<const Program> find(const std::vector<int64_t> &key) const {
        std::lock_guard<std::mutex> guard(of_->lock);
        for (const auto &program : of_->programs) {
            if (program->key == key) {
                return program;
            }
        }
        return nullptr;
    }

    Operator *of_;
    std::vector<SavedVariable> kept_; // by value
    std::vector<c10::SymInt> integers_;
    std::vector<double> floats_;
};

using GradientPointer = decltype(Counted<NodePointer>::make<Gradient>(nullptr));

// ---- the operator's kernel for the key Autograd

class Forward : public c10::OperatorKernel {
  public:
    explicit Forward(Operator *of) : of_(of) {}

    void operator()(const c10::OperatorHandle &op, c10::DispatchKeySet keys, torch::jit::Stack *stack) {
        size_t count = op.schema().arguments().size();
        GradientPointer node = at::GradMode::is_enabled() ? connect(*stack, count) : GradientPointer();
        if (node) {
            keep(*node, ARGUMENT, *stack, count);
        }
        {
            at::AutoDispatchBelowADInplaceOrView guard;
            op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
        }
        if (node) {
            finish(op, *stack, node);
        }
    }

  private:
    // The values that are the operator's arguments, or its results: the last `count` of the stack.
    void keep(Gradient &node, What what, const torch::jit::Stack &stack, size_t count) {
        for (size_t i = 0; i < of_->values.size(); i++) {
            if (of_->values[i].what == what) {
                node.keep(i, torch::jit::peek(stack, of_->values[i].index, count));
            }
        }
    }

    // The node in front of the arguments' history; none where no gradient is wanted.
    GradientPointer connect(const torch::jit::Stack &stack, size_t count) {
        torch::autograd::edge_list edges;
        bool any = false;
        for (size_t i : of_->tensors) {
            const at::Tensor &tensor = torch::jit::peek(stack, i, count).toTensor();
            any |= tensor.requires_grad();
        }
        if (!any) {
            return GradientPointer();
        }
        for (size_t i : of_->tensors) {
            edges.push_back(
                torch::autograd::impl::gradient_edge(torch::jit::peek(stack, i, count).toTensor()));
        }
        GradientPointer node = Counted<NodePointer>::make<Gradient>(of_);
        node->set_next_edges(std::move(edges));
        return node;
    }

    void finish(const c10::OperatorHandle &op, torch::jit::Stack &stack, const GradientPointer &node) {
        size_t results = op.schema().returns().size();
        for (size_t i = 0; i < results; i++) {
            const at::Tensor &result = torch::jit::peek(stack, i, results).toTensor();
            if (of_->differentiable[i]) {
                torch::autograd::set_history(result, node);
            } else {
                node->add_input_metadata(Node::undefined_input());
            }
        }
        keep(*node, RESULT, stack, results);
    }

    Operator *of_;
};

int64_t declare(const std::string &space, const std::string &name, at::IntArrayRef what,
                at::IntArrayRef indices) {
    auto op = c10::Dispatcher::singleton().findSchemaOrThrow((space + "::" + name).c_str(), "");
    auto of = std::make_unique<Operator>();
    of->which = static_cast<int64_t>(operators().size());
    const auto &arguments = op.schema().arguments();
    of->differentiable.resize(std::max(arguments.size(), op.schema().returns().size()));
    for (size_t i = 0; i < what.size(); i++) {
        auto index = static_cast<size_t>(indices[i]);
        bool tensor = what[i] != ARGUMENT || arguments[index].type()->kind() == c10::TypeKind::TensorType;
        of->values.push_back({static_cast<What>(what[i]), index, tensor});
        of->differentiable[index] = of->differentiable[index] || what[i] == GRADIENT;
    }
    for (size_t i = 0; i < arguments.size(); i++) {
        if (arguments[i].type()->kind() == c10::TypeKind::TensorType) {
            of->tensors.push_back(i);
        }
    }
    static std::vector<std::unique_ptr<torch::Library>> libraries;
    libraries.push_back(std::make_unique<torch::Library>(torch::Library::IMPL, space,
                                                         c10::DispatchKey::Autograd, __FILE__, __LINE__));
    libraries.back()->impl(name.c_str(),
                           torch::CppFunction::makeFromBoxedKernel(
                               c10::BoxedKernel::makeFromFunctor(std::make_unique<Forward>(of.get()))));
    operators().push_back(std::move(of));
    return operators().back()->which;
}

void teach(int64_t which, c10::List<std::optional<at::Tensor>> tensors, std::vector<int64_t> integers,
           std::vector<double> floats, std::vector<bool> wanted, const std::string &text) {
    Call call;
    for (std::optional<at::Tensor> tensor : tensors) {
        call.tensors.push_back(tensor);
    }
    call.integers.assign(integers.begin(), integers.end());
    call.floats = floats;
    call.wanted = wanted;
    auto program = std::make_shared<Program>(Reader(text).read());
    program->key = key_of(call);
    Operator &of = *operators().at(static_cast<size_t>(which));
    std::lock_guard<std::mutex> guard(of.lock);
    if (of.programs.size() >= PROGRAMS) {
        of.programs.clear();
    }
    of.programs.push_back(std::move(program));
}

void teach_boxed(const c10::OperatorHandle &, torch::jit::Stack *stack) {
    std::vector<IValue> values(stack->end() - 6, stack->end());
    torch::jit::drop(*stack, 6);
    std::vector<bool> wanted;
    for (bool one : values[4].toBoolList()) {
        wanted.push_back(one);
    }
    c10::List<std::optional<at::Tensor>> tensors;
    for (const IValue &value : values[1].toListRef()) {
        tensors.push_back(value.isTensor() ? std::optional<at::Tensor>(value.toTensor()) : std::nullopt);
    }
    teach(values[0].toInt(), tensors, values[2].toIntVector(), values[3].toDoubleVector(), wanted,
          values[5].toStringRef());
}

} // namespace

TORCH_LIBRARY(tkc_gradients, library) {
    library.def("declare(str space, str name, int[] what, int[] indices) -> int", declare);
    library.def("teach(int which, Tensor?[] tensors, int[] integers, float[] floats, bool[] wanted, str "
                "program) -> ()",
                torch::CppFunction::makeFromBoxedFunction<&teach_boxed>());
    library.def("python(int which, Tensor?[] tensors, SymInt[] integers, float[] floats, bool[] wanted, bool "
                "learn) -> Tensor?[]");
}
