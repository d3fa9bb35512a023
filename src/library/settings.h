// Settings by name, as people give them.
#pragma once

#include <span>

#include "metrics/kind.h"
#include "rubric/metrics.h"

namespace rubric::library {

// Throws InputError for a setting that does not exist, with the nearest, or that none of the
// metrics has, and as Settings::set() does.
metrics::Settings settings_of(std::span<const metrics::MetricKind* const> metrics,
                              const SettingValues& values);

}  // namespace rubric::library
