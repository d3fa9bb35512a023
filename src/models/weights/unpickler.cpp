#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include <c10/core/ScalarType.h>

#include "core/json/json.h"
#include "models/weights/binary_reader.h"
#include "models/weights/torch_file.h"

namespace rubric::models {

namespace {

enum class Callable { ordered_dict, rebuild_tensor, rebuild_parameter, storage };

struct Global {
  std::string_view module, name;
  Callable callable;
  at::ScalarType type = at::ScalarType::Undefined;  // of a storage
};

// The only globals that a pickled state dict may name.
constexpr std::array kAllowedGlobals = {
    Global{"collections", "OrderedDict", Callable::ordered_dict},
    Global{"torch._utils", "_rebuild_tensor_v2", Callable::rebuild_tensor},
    Global{"torch._utils", "_rebuild_parameter", Callable::rebuild_parameter},
    Global{"torch", "FloatStorage", Callable::storage, at::kFloat},
    Global{"torch", "HalfStorage", Callable::storage, at::kHalf},
    Global{"torch", "BFloat16Storage", Callable::storage, at::kBFloat16},
    Global{"torch", "DoubleStorage", Callable::storage, at::kDouble},
    Global{"torch", "LongStorage", Callable::storage, at::kLong},
    Global{"torch", "IntStorage", Callable::storage, at::kInt},
    Global{"torch", "ShortStorage", Callable::storage, at::kShort},
    Global{"torch", "CharStorage", Callable::storage, at::kChar},
    Global{"torch", "ByteStorage", Callable::storage, at::kByte},
    Global{"torch", "BoolStorage", Callable::storage, at::kBool}};

// Finds the global of that name in the list, else nullptr. Nothing else is looked up.
const Global* find_allowed_global(std::string_view module, std::string_view name) {
  const auto* const found = std::find_if(
      kAllowedGlobals.begin(), kAllowedGlobals.end(),
      [&](const Global& global) { return global.module == module && global.name == name; });
  return found == kAllowedGlobals.end() ? nullptr : found;
}

// A value on the stack. Strings point into the pickle, and containers are indices into the
// interpreter's tables, so that copies are cheap however often the memo repeats a value, cycles
// leak nothing, and nested values are never freed recursively.
struct None {};
struct Mark {};
enum class Tuple : size_t {};
enum class Dict : size_t {};
enum class Tensor : size_t {};
struct Storage {
  const Global* type;
  std::string_view key;
  int64_t elements;
};
using Value = std::variant<None, Mark, bool, int64_t, double, std::string_view, const Global*,
                           Tuple, Dict, Storage, Tensor>;  // a list is a tuple

// Limits far above real state dicts, which take about 130 bytes and 15 memo entries a tensor.
constexpr size_t kLongestPickle = size_t{16} << 20;
constexpr size_t kMostValues = size_t{1} << 19;  // on the stack, in the memo, in each table
constexpr size_t kLongestKey = 100;              // of a storage; the keys are counting numbers
constexpr size_t kMostDimensions = 64;           // libtorch's own bound
constexpr int kMostSettings = 10'000, kDeepestSetting = 8;

// A name from the file for a message: quoted, and truncated to a readable length.
std::string shown(std::string_view name) {
  constexpr size_t kLongest = 200;
  return json_quote(name.substr(0, kLongest));
}

class Unpickler {
 public:
  Unpickler(std::string_view pickle, const std::string& where, bool reads_lists = false)
      : reader_(pickle, where), reads_lists_(reads_lists) {}

  std::vector<PickledTensor> run() { return state_dict(unpickled()); }

  std::vector<PickledTensor> run_checkpoint(Json& settings) {
    const Value top = unpickled();
    const Value* const weights = entry(top, "state_dict");
    if (weights == nullptr) fail("no checkpoint of PyTorch Lightning: it has no state_dict");
    if (const Value* const found = entry(top, "hyper_parameters")) settings = to_json(*found, 0);
    return state_dict(*weights);
  }

  size_t position() const { return reader_.position(); }
  [[noreturn]] void fail(const std::string& what) const { reader_.fail(what); }

 private:
  Value unpickled() {
    constexpr uint64_t kStop = '.';
    for (;;) {
      const uint64_t opcode = reader_.take_unsigned(1);
      if (opcode == kStop) return pop();
      execute(opcode);
    }
  }

  void push(Value value) {
    if (stack_.size() >= kMostValues) fail("too many values on the stack");
    stack_.push_back(value);
  }

  Value pop() {
    if (stack_.empty() || std::holds_alternative<Mark>(stack_.back())) fail("the stack is empty");
    const Value value = stack_.back();
    stack_.pop_back();
    return value;
  }

  std::vector<Value> pop_values(size_t count) {
    std::vector<Value> values(count);
    for (size_t i = count; i > 0; --i) values[i - 1] = pop();
    return values;
  }

  std::vector<Value> pop_to_mark() {
    const auto is_mark = [](const Value& value) { return std::holds_alternative<Mark>(value); };
    const auto mark = std::find_if(stack_.rbegin(), stack_.rend(), is_mark);
    if (mark == stack_.rend()) fail("no mark on the stack");
    std::vector<Value> values = pop_values(static_cast<size_t>(mark - stack_.rbegin()));
    stack_.pop_back();
    return values;
  }

  template <class T>
  T as(const Value& value, const char* expected) const {
    const T* held = std::get_if<T>(&value);
    if (held == nullptr) fail(std::string("expected ") + expected);
    return *held;
  }

  const std::vector<Value>& items(const Value& value) const {
    return tuples_[static_cast<size_t>(as<Tuple>(value, "a tuple"))];
  }

  template <class T>
  size_t store(std::vector<T>& table, T item) {
    if (table.size() >= kMostValues) fail("too many values");
    table.push_back(std::move(item));
    return table.size() - 1;
  }

  // The value of an opcode that pushes a constant, else nothing (opcodes named as in Python's
  // pickletools).
  std::optional<Value> constant(uint64_t opcode) {
    if (opcode == '(') return Mark{};                                          // MARK
    if (opcode == 'N') return None{};                                          // NONE
    if (opcode == 0x88) return true;                                           // NEWTRUE
    if (opcode == 0x89) return false;                                          // NEWFALSE
    if (opcode == 'J') return reader_.take_signed(4);                          // BININT
    if (opcode == 'K') return static_cast<int64_t>(reader_.take_unsigned(1));  // BININT1
    if (opcode == 'M') return static_cast<int64_t>(reader_.take_unsigned(2));  // BININT2
    if (opcode == 0x8a) return reader_.take_signed(reader_.take_unsigned(1));  // LONG1
    if (opcode == 0x8c) return reader_.take(reader_.take_unsigned(1));         // SHORT_BINUNICODE
    if (opcode == 'X') return reader_.take(reader_.take_unsigned(4));          // BINUNICODE
    if (opcode == 0x8d) return reader_.take(reader_.take_unsigned(8));         // BINUNICODE8
    if (opcode == '}') return Dict(store(dicts_, {}));                         // EMPTY_DICT
    return std::nullopt;
  }

  bool execute_on_list(uint64_t opcode) {
    if (opcode == 'G') {  // BINFLOAT, big-endian
      push(std::bit_cast<double>(__builtin_bswap64(reader_.take_unsigned(8))));
    } else if (opcode == ']') {  // EMPTY_LIST
      push_tuple({});
    } else if (opcode == 'a') {  // APPEND
      append(pop_values(1));
    } else if (opcode == 'e') {  // APPENDS
      append(pop_to_mark());
    } else {
      return false;
    }
    return true;
  }

  void append(const std::vector<Value>& values) {
    const Value list = pop();
    auto& items = tuples_[static_cast<size_t>(as<Tuple>(list, "a list to add to"))];
    if (items.size() + values.size() > kMostValues) fail("too many values in a list");
    items.insert(items.end(), values.begin(), values.end());
    push(list);
  }

  void execute(uint64_t opcode) {
    if (const std::optional<Value> value = constant(opcode)) return push(*value);
    if (reads_lists_ && execute_on_list(opcode)) return;
    if (opcode == 0x80) return void(reader_.take(1));             // PROTO
    if (opcode == 0x95) return void(reader_.take(8));             // FRAME
    if (opcode == 'h') return recall(reader_.take_unsigned(1));   // BINGET
    if (opcode == 'j') return recall(reader_.take_unsigned(4));   // LONG_BINGET
    if (opcode == 'q') return memoize(reader_.take_unsigned(1));  // BINPUT
    if (opcode == 'r') return memoize(reader_.take_unsigned(4));  // LONG_BINPUT
    if (opcode == 0x94) return memoize(memo_.size());             // MEMOIZE
    if (opcode == ')') return push_tuple({});                     // EMPTY_TUPLE
    if (opcode == 't') return push_tuple(pop_to_mark());          // TUPLE
    if (opcode == 0x85) return push_tuple(pop_values(1));         // TUPLE1
    if (opcode == 0x86) return push_tuple(pop_values(2));         // TUPLE2
    if (opcode == 0x87) return push_tuple(pop_values(3));         // TUPLE3
    if (opcode == 's') return set_items(pop_values(2));           // SETITEM
    if (opcode == 'u') return set_items(pop_to_mark());           // SETITEMS
    if (opcode == 'b') return ignore_attributes();                // BUILD
    if (opcode == 'Q') return push_storage(items(pop()));         // BINPERSID
    if (opcode == 'c') {                                          // GLOBAL
      const std::string_view module = reader_.take_line();
      return push_global(module, reader_.take_line());
    }
    if (opcode == 0x93) {  // STACK_GLOBAL
      const auto name = as<std::string_view>(pop(), "the name of a global");
      return push_global(as<std::string_view>(pop(), "the module of a global"), name);
    }
    if (opcode == 'R') {  // REDUCE
      const std::vector<Value> arguments = items(pop());
      return call(pop(), arguments);
    }
    fail("the pickle opcode " + std::to_string(opcode) + " has no place in a state dict");
  }

  void recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) fail("the memo has no entry " + std::to_string(key));
    push(found->second);
  }

  void memoize(uint64_t key) {
    if (memo_.size() >= kMostValues) fail("too many values in the memo");
    const Value value = pop();
    memo_[key] = value;
    push(value);
  }

  void push_tuple(std::vector<Value> items) { push(Tuple(store(tuples_, std::move(items)))); }

  void set_items(const std::vector<Value>& pairs) {
    const Value top = pop();
    auto& dict = dicts_[static_cast<size_t>(as<Dict>(top, "a dictionary to add to"))];
    if (pairs.size() % 2 != 0) fail("a key without a value");
    for (size_t i = 0; i < pairs.size(); i += 2) dict.emplace_back(pairs[i], pairs[i + 1]);
    push(top);
  }

  // state_dict() attaches _metadata (versions of modules) to the dictionary as an attribute.
  void ignore_attributes() {
    as<Dict>(pop(), "a dictionary of attributes");
    const Value top = pop();
    push(as<Dict>(top, "a dictionary that has attributes"));
  }

  void push_global(std::string_view module, std::string_view name) {
    const Global* global = find_allowed_global(module, name);
    if (global != nullptr) return push(global);
    fail("refuses to run " + shown(std::string(module) + "." + std::string(name)) +
         ", which the file names: weights need no code");
  }

  // ("storage", type, key, location, elements), in the old format followed by None; the location, a
  // device, is ignored.
  void push_storage(const std::vector<Value>& id) {
    const bool is_old = id.size() == 6 && std::holds_alternative<None>(id[5]);
    if ((id.size() != 5 && !is_old) || as<std::string_view>(id[0], "a string") != "storage") {
      fail("expected a storage's id of five parts");
    }
    const Global* type = as<const Global*>(id[1], "a storage type");
    const auto key = as<std::string_view>(id[2], "a storage key");
    const auto elements = as<int64_t>(id[4], "a storage's number of elements");
    if (type->callable != Callable::storage || key.size() > kLongestKey) fail("not a storage's id");
    push(Storage{type, key, elements});
  }

  void call(const Value& function, const std::vector<Value>& arguments) {
    const Global* global = as<const Global*>(function, "a function to call");
    if (global->callable == Callable::ordered_dict && arguments.empty()) {
      return push(Dict(store(dicts_, {})));
    }
    if (global->callable == Callable::rebuild_tensor) {
      return push(Tensor(store(tensors_, rebuild_tensor(arguments))));
    }
    if (global->callable == Callable::rebuild_parameter && arguments.size() == 3) {
      return push(as<Tensor>(arguments[0], "a tensor"));  // the others: requires_grad, hooks
    }
    fail("refuses to run " + std::string(global->module) + "." + std::string(global->name) +
         " with these arguments");
  }

  std::vector<int64_t> integers(const Value& value) const {
    std::vector<int64_t> numbers;
    if (items(value).size() > kMostDimensions) fail("a tensor of too many dimensions");
    for (const Value& item : items(value)) numbers.push_back(as<int64_t>(item, "a number"));
    return numbers;
  }

  // Arguments: storage, offset, sizes, strides, and requires_grad, hooks, metadata, which are
  // ignored.
  PickledTensor rebuild_tensor(const std::vector<Value>& arguments) const {
    if (arguments.size() < 6 || arguments.size() > 7) fail("a tensor of unknown form");
    const auto storage = as<Storage>(arguments[0], "a storage");
    PickledTensor tensor;
    tensor.storage_key = storage.key;
    tensor.type = storage.type->type;
    tensor.storage_elements = storage.elements;
    tensor.offset = as<int64_t>(arguments[1], "a tensor's offset");
    tensor.sizes = integers(arguments[2]);
    tensor.strides = integers(arguments[3]);
    return tensor;
  }

  std::vector<PickledTensor> state_dict(const Value& top) const {
    std::vector<PickledTensor> result;
    std::unordered_set<std::string_view> names;
    const auto index = static_cast<size_t>(as<Dict>(top, "a dictionary of tensors"));
    for (const auto& [key, value] : dicts_[index]) {
      const auto name = as<std::string_view>(key, "a string as a tensor's name");
      const auto* tensor = std::get_if<Tensor>(&value);
      if (tensor == nullptr) fail("the entry " + shown(name) + " is not a tensor");
      if (!names.insert(name).second) fail("the name " + shown(name) + " occurs twice");
      result.push_back(tensors_[static_cast<size_t>(*tensor)]);
      result.back().name = name;
    }
    return result;
  }

  const Value* entry(const Value& top, std::string_view name) const {
    const auto& dict = dicts_[static_cast<size_t>(as<Dict>(top, "a dictionary"))];
    const auto found = std::ranges::find_if(dict, [&](const auto& item) {
      const auto* const key = std::get_if<std::string_view>(&item.first);
      return key != nullptr && *key == name;
    });
    return found == dict.end() ? nullptr : &found->second;
  }

  // Nothing in the place of a tensor. A list may hold itself.
  Json to_json(const Value& value, int depth) {
    if (++settings_ > kMostSettings || depth > kDeepestSetting) fail("too many settings");
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* const number = std::get_if<int64_t>(&value)) return *number;
    if (const auto* const number = std::get_if<double>(&value)) return *number;
    if (const auto* const words = std::get_if<std::string_view>(&value)) return std::string(*words);
    if (const auto* const tuple = std::get_if<Tuple>(&value)) {
      Json::Array array;
      for (const Value& item : tuples_[static_cast<size_t>(*tuple)]) {
        array.push_back(to_json(item, depth + 1));
      }
      return array;
    }
    if (const auto* const dict = std::get_if<Dict>(&value)) {
      Json object = Json::Object{};
      for (const auto& [key, item] : dicts_[static_cast<size_t>(*dict)]) {
        object[as<std::string_view>(key, "a setting's name")] = to_json(item, depth + 1);
      }
      return object;
    }
    return {};
  }

  PickleReader reader_;
  bool reads_lists_;
  int settings_ = 0;
  std::vector<Value> stack_;
  std::unordered_map<uint64_t, Value> memo_;
  std::vector<std::vector<Value>> tuples_;
  std::vector<std::vector<std::pair<Value, Value>>> dicts_;
  std::vector<PickledTensor> tensors_;
};

}  // namespace

std::vector<PickledTensor> unpickle_state_dict(std::string_view pickle, const std::string& where,
                                               Json* settings) {
  Unpickler unpickler(pickle, where, /*reads_lists=*/settings != nullptr);
  if (pickle.size() > kLongestPickle) {
    unpickler.fail("over 16 MB long, which no state dict needs");
  }
  return settings == nullptr ? unpickler.run() : unpickler.run_checkpoint(*settings);
}

std::vector<PickledTensor> take_state_dict(std::string_view& bytes, const std::string& where) {
  Unpickler unpickler(bytes.substr(0, kLongestPickle), where);
  std::vector<PickledTensor> tensors = unpickler.run();
  bytes.remove_prefix(unpickler.position());
  return tensors;
}

}  // namespace rubric::models
