// Texts with {…} in them, as experiments have: commands, files, pointers.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/reproduce/experiment.h"

namespace rubric::eval {

// {name} or {name:axis=value,axis=value}; a name may hold others: {rows_{axis}}
struct Placeholder {
  std::string name;
  Bindings given;
};

// `text` with the value of each placeholder in its place, inner ones first. Throws InputError at
// `where` for a brace without its partner and for a name that is empty.
std::string fill_placeholders(std::string_view text, const std::string& where,
                              const std::function<std::string(const Placeholder&)>& value);

// Whether the names in an experiment stand for something.

// Another step that a step's command names. Axes that the reference leaves open: at most the one
// that the other step selects, and then its seeds.
struct StepReference {
  const Step* step;
  Bindings given;  // in the reference itself
  bool operator==(const StepReference&) const = default;
};

// Of the step's run with these values of its axes.
std::vector<StepReference> references_of(const Experiment& experiment, const Step& step,
                                         const Bindings& bindings);

// The value of `axis` for a step that a run with `bindings` refers to; "" where it is open.
std::string bound_value(const std::string& axis, const Bindings& given, const Bindings& bindings);

// Throw InputError with the step's or the cell's file:line, and the nearest valid name.
void check_steps(const Experiment& experiment);
void check_cells(const Experiment& experiment);

}  // namespace rubric::eval
