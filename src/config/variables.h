// Environment variables in configuration values.
#pragma once

#include <string>
#include <string_view>

namespace rubric {

// `text` with `${VAR}` replaced by the environment variable's value and `${VAR:-default}` by the
// value or, when the variable is unset or empty, by the default (as in a shell). `$${` stands for
// a literal `${`; any other `$` is itself. What comes out is not expanded again. Throws InputError
// at `where`, naming `key`, when a variable without default is not set. (Inside YAML's [ ] and { }
// a scalar with a variable needs quotes.)
std::string expand_variables(std::string_view text, const std::string& key,
                             const std::string& where);

// `text` so that expand_variables gives it back unchanged: every `${` becomes `$${`.
std::string escape_variables(std::string_view text);

}  // namespace rubric
