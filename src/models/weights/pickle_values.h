// What a pickled state dict is made of, and the only globals it may name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include <c10/core/ScalarType.h>

namespace rubric::pickled {

enum class Callable { ordered_dict, rebuild_tensor, rebuild_parameter, storage };

struct Global {
  std::string_view module, name;
  Callable callable;
  at::ScalarType type = at::ScalarType::Undefined;  // of a storage
};

// The global of that name, or nullptr when weights have no use for it. Nothing is looked up beyond
// a fixed list.
const Global* find_allowed_global(std::string_view module, std::string_view name);

// What can lie on the stack. Strings point into the pickle, and what holds other values is an index
// into the interpreter's tables: a value is cheap to copy however often the memo repeats it, cycles
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
using Value = std::variant<None, Mark, bool, int64_t, std::string_view, const Global*, Tuple, Dict,
                           Storage, Tensor>;

}  // namespace rubric::pickled
