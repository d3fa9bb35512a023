#include "core/json/json_pointer.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/error.h"

namespace rubric {
namespace {

std::string unescaped(std::string_view part) {
  std::string name;
  for (size_t i = 0; i < part.size(); ++i) {
    const bool is_escape = part[i] == '~' && i + 1 < part.size();
    if (is_escape) ++i;
    name += !is_escape ? part[i] : part[i] == '1' ? '/' : '~';
  }
  return name;
}

// The element that `name` stands for, nullptr when there is none.
const Json* element(const Json& parent, const std::string& name) {
  if (!parent.is_array()) return parent.find(name);
  size_t index = 0;
  const char* const end = name.data() + name.size();
  const auto [stopped, error] = std::from_chars(name.data(), end, index);
  if (error != std::errc() || stopped != end || index >= parent.array().size()) return nullptr;
  return &parent.array()[index];
}

std::string advice(const Json& parent, const std::string& name) {
  if (!parent.is_object()) return std::string("there is ") + parent.kind() + " there";
  std::vector<std::string> names;
  for (const auto& member : parent.object()) names.push_back(member.first);
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? "there are: " + join_some(names) : "did you mean " + nearest + "?";
}

}  // namespace

const Json& at_pointer(const Json& document, std::string_view pointer, const std::string& where) {
  if (!pointer.empty() && pointer.front() != '/') {
    throw InputError("not a JSON pointer: " + json_quote(pointer), where, "begin it with /");
  }
  const Json* value = &document;
  for (size_t begin = 0; begin < pointer.size();) {
    const size_t end = std::min(pointer.find('/', begin + 1), pointer.size());
    const std::string name = unescaped(pointer.substr(begin + 1, end - begin - 1));
    const Json* const next = element(*value, name);
    if (next == nullptr) {
      throw InputError("nothing at " + json_quote(pointer) + ": no " + json_quote(name) +
                           (begin == 0 ? "" : " below " + std::string(pointer.substr(0, begin))),
                       where, advice(*value, name));
    }
    value = next;
    begin = end;
  }
  return *value;
}

std::string pointer_part(std::string_view name) {
  std::string part;
  for (const char c : name) {
    if (c == '~') {
      part += "~0";
    } else if (c == '/') {
      part += "~1";
    } else {
      part += c;
    }
  }
  return part;
}

}  // namespace rubric
