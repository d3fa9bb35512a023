// Texts with {…} in them, as experiments have: commands, files, pointers.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "eval/reproduce/experiment.h"

namespace rubric {

// {name} or {name:axis=value,axis=value}; a name may hold others: {rows_{axis}}
struct Placeholder {
  std::string name;
  Bindings given;
};

// `text` with the value of each placeholder in its place, inner ones first. Throws InputError at
// `where` for a brace without its partner and for a name that is empty.
std::string fill_in(std::string_view text, const std::string& where,
                    const std::function<std::string(const Placeholder&)>& value);

}  // namespace rubric
