#include "models/weights/pickle_values.h"

#include <algorithm>
#include <array>

namespace rubric::pickled {
namespace {

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

}  // namespace

const Global* find_allowed_global(std::string_view module, std::string_view name) {
  const auto* const found = std::find_if(
      kAllowedGlobals.begin(), kAllowedGlobals.end(),
      [&](const Global& global) { return global.module == module && global.name == name; });
  return found == kAllowedGlobals.end() ? nullptr : found;
}

}  // namespace rubric::pickled
