// Declared in include/rubric/metrics.h.
#include "rubric/metrics.h"

#include <algorithm>

#include "core/context.h"
#include "core/error.h"
#include "library/settings.h"
#include "metrics/list.h"

namespace rubric {

std::vector<MetricInfo> list_metrics() {
  std::vector<MetricInfo> infos;
  for (const metrics::MetricKind* const kind : metrics::kMetrics) {
    MetricInfo info{std::string(kind->name),
                    std::string(kind->summary),
                    name_of(kind->record),
                    kind->needs_model(),
                    {},
                    std::string(kind->example)};
    for (const metrics::Setting* const setting : kind->settings) {
      info.settings.push_back({setting->name, setting->value_name, setting->help});
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

std::unique_ptr<Metric<Answer>> make_metric(const std::string& name, const SettingValues& settings,
                                            const Context& context) {
  const ContextScope scope(context);
  const metrics::MetricKind& kind = metrics::require_metric(name);
  if (kind.needs_model()) {
    throw InputError("the metric " + name + " needs a model, and libtorch", "",
                     "call make_metric_with_model() of rubric-neural");
  }
  return kind.make(library::settings_of({{&kind}}, settings));
}

Scores score(Metric<Answer>& metric, std::span<const Answer> answers, const Context& context) {
  const ContextScope scope(context);
  return metric.score(answers);
}

}  // namespace rubric
