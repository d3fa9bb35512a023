// The interface of every metric: records in, named scores out.
#pragma once

#include "data/records.h"
#include "rubric/metrics.h"

namespace rubric::metrics {

using rubric::Metric;

}  // namespace rubric::metrics
