// Whether the names in an experiment stand for something.
#pragma once

#include <vector>

#include "eval/reproduce/experiment.h"
#include "eval/reproduce/references.h"

namespace rubric {

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

}  // namespace rubric
