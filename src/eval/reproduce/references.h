// Placeholders {…} in an experiment's texts (commands, files, pointers): filling them in, the steps
// that they refer to, and checking that all names exist.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/reproduce/experiment.h"

namespace rubric::eval {

// {name} or {name:axis=value,axis=value}; a name may contain placeholders: {rows_{axis}}
struct Placeholder {
  std::string name;
  Bindings given;
};

// Replaces the placeholders of `text` by their values, inner ones first. Throws InputError at
// `where` for unbalanced braces and for an empty name.
std::string fill_placeholders(std::string_view text, const std::string& where,
                              const std::function<std::string(const Placeholder&)>& value);

// References.

// A step that another step's command names. A reference may leave open at most the axis that the
// other step selects, and its seeds.
struct StepReference {
  const Step* step;
  Bindings given;  // in the reference itself
  bool operator==(const StepReference&) const = default;
};

// The references of the step's run with these values of its axes.
std::vector<StepReference> references_of(const Experiment& experiment, const Step& step,
                                         const Bindings& bindings);

// The value of `axis` for a step that a run with `bindings` refers to; "" if open.
std::string bound_value(const std::string& axis, const Bindings& given, const Bindings& bindings);

// Throw InputError with the step's or the cell's file:line, and the nearest valid name.
void check_steps(const Experiment& experiment);
void check_cells(const Experiment& experiment);

}  // namespace rubric::eval
