// The value of an axis that a step's selection rule chooses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/reproduce/experiment.h"

namespace rubric {

struct Candidate {
  std::string value;
  std::optional<double> mean;  // of the figure over the seeds; nothing: undefined for one of them
};

struct SelectedValue {
  std::string step;
  Bindings bindings;  // of the step's other axes but the seeds
  std::string axis, value;
  std::vector<Candidate> candidates;  // in the axis's order
};

// Of finished runs: reads their results.json. `bindings` binds the step's axes but the selected
// one; the seeds do not count. The first of equally good values. Throws InputError when the rule's
// pointer leads nowhere, Error when no value has a figure.
SelectedValue select_value(const Experiment& experiment, const Step& step,
                           const Bindings& bindings);

}  // namespace rubric
