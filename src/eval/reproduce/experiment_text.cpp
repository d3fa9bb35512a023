#include "eval/reproduce/references.h"

#include <algorithm>
#include <cstdint>

#include "core/error.h"

namespace rubric {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& where) {
  throw InputError("cannot read the braces of " + std::string(text), where,
                   "write {name} or {step:axis=value,axis=value}");
}

Placeholder placeholder(std::string_view inside, std::string_view text, const std::string& where) {
  const size_t colon = std::min(inside.find(':'), inside.size());
  Placeholder result{std::string(inside.substr(0, colon)), {}};
  if (result.name.empty()) refuse(text, where);
  for (size_t begin = colon; begin < inside.size();) {
    const size_t end = std::min(inside.find(',', begin + 1), inside.size());
    const std::string_view pair = inside.substr(begin + 1, end - begin - 1);
    const size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos) refuse(text, where);
    result.given[std::string(pair.substr(0, equals))] = pair.substr(equals + 1);
    begin = end;
  }
  return result;
}

// Where the brace at `begin` is closed; npos where it is not.
size_t partner(std::string_view text, size_t begin) {
  int64_t open = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++open;
    if (text[i] == '}' && --open == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::string fill_in(std::string_view text, const std::string& where,
                    const std::function<std::string(const Placeholder&)>& value) {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}') refuse(text, where);
    if (text[i] != '{') {
      filled += text[i];
      continue;
    }
    const size_t end = partner(text, i);
    if (end == std::string_view::npos) refuse(text, where);
    const std::string inside = fill_in(text.substr(i + 1, end - i - 1), where, value);
    filled += value(placeholder(inside, text, where));
    i = end;
  }
  return filled;
}

}  // namespace rubric
