// How many labels it takes: from a pilot of some labelled answers (docs/estimate.md).
#pragma once

#include <cstdint>
#include <optional>

#include "rubric/context.h"
#include "rubric/estimate.h"
#include "rubric/export.h"
#include "rubric/result.h"

namespace rubric {

struct PlanRequest {
  EstimateRequest pilot;  // `bootstrap` and `group` are not used
  // A true difference that is to be found with a power of 80%, by a two-sided test at 5%: of two
  // systems' means, or of two metrics' correlations with the label. Above 0.
  std::optional<double> difference = {};
  // The widest half of a 95% interval: of each mean, difference and correlation. Above 0.
  std::optional<double> width = {};
  int64_t population = 0;  // questions of which labels will be drawn; 0: those of the pilot's file

  void visit_fields(auto& field) {
    pilot.visit_pilot_fields(field);
    field("difference", difference, "the true difference to find, in the label's units")
        .named("SIZE");
    field("width", width, "the widest half of a 95% interval: 0.03 for intervals of +-0.03")
        .named("SIZE");
    field("population", population,
          "labels will be drawn from so many questions; 0: from those in --all")
        .range(0, 1'000'000'000);
  }
};

// How many questions to label, and how many answers these are, from the variance of errors among
// the pilot's labels. docs/results_format.md has the measurements. A value is undefined where the
// pilot does not tell.
//
// Throws InputError as estimate() does, without difference and width, and for a difference if there
// are only one system and one metric. A difference of means is at most the range of labels (or
// their scale), of correlations at most 2. A width is at most that range, or 1.
RUBRIC_PUBLIC Result plan(const PlanRequest& request, const Context& context = {});

}  // namespace rubric
