#include "library/settings.h"

#include <algorithm>

#include "core/error.h"
#include "metrics/list.h"

namespace rubric::library {

metrics::Settings settings_of(std::span<const metrics::MetricKind* const> metrics,
                              const SettingValues& values) {
  const std::vector<const metrics::Setting*> known = metrics::all_settings();
  metrics::Settings settings;
  for (const auto& [name, value] : values) {
    const auto found = std::ranges::find_if(
        known, [&](const metrics::Setting* setting) { return setting->name == name; });
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const metrics::Setting* const setting : known) names.emplace_back(setting->name);
      throw unknown_name("setting of a metric", name, names);
    }
    settings.set(**found, value);
    const bool is_of_one = std::ranges::any_of(metrics, [&](const metrics::MetricKind* kind) {
      return std::ranges::count(kind->settings, *found) > 0;
    });
    if (!is_of_one) {
      const std::vector<std::string> of = metrics::metrics_with(**found);
      throw InputError("--" + name + " is of " + join(of, " or ") + ", which is not scored",
                       "command line", "leave it out, or add " + of.front() + " to the metrics");
    }
  }
  return settings;
}

}  // namespace rubric::library
