#include "metrics/list.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::metrics {

const MetricKind& require_metric(std::string_view name) {
  const MetricKind* const in_lower_case = find<MetricKind>(kMetrics, ascii_lower(name));
  if (in_lower_case != nullptr && find<MetricKind>(kMetrics, name) == nullptr) {
    throw InputError("there is no metric called " + json_quote(name), "",
                     "did you mean " + std::string(in_lower_case->name) + "?");
  }
  if (const MetricKind* const kind = find<MetricKind>(kMetrics, name)) return *kind;
  // The name of a shipped model is taken for that of the metric that uses it.
  std::vector<std::pair<std::string, std::string>> others = aliases_of<MetricKind>(kMetrics);
  for (const MetricKind* const kind : kMetrics) {
    if (kind->default_model == nullptr) continue;
    others.emplace_back(kind->default_model->name, kind->name);
    for (const std::string_view alias : kind->default_model->aliases) {
      others.emplace_back(alias, kind->name);
    }
  }
  throw unknown_name("metric", std::string(name), names_of<MetricKind>(kMetrics), "", others);
}

std::vector<std::string> other_names(std::string_view name) {
  const MetricKind* const kind = find<MetricKind>(kMetrics, name);
  if (kind == nullptr) return {};
  std::vector<std::string> names = {std::string(kind->name)};
  names.insert(names.end(), kind->aliases.begin(), kind->aliases.end());
  std::erase(names, name);
  return names;
}

bool is_lower_better(std::string_view name) {
  const MetricKind* const kind = find<MetricKind>(kMetrics, name);
  return kind != nullptr && kind->lower_is_better;
}

std::string direction_note(std::span<const std::string> names) {
  std::vector<std::string> lower;
  std::ranges::copy_if(names, std::back_inserter(lower), is_lower_better);
  return lower.empty() ? "" : "lower scores of " + join(lower, " and ") + " are better";
}

std::vector<const MetricKind*> require_metrics(std::span<const std::string> names) {
  if (names.empty()) {
    throw InputError("no metric is named", "",
                     "name one of " + join(metric_names(/*with_model=*/false)));
  }
  std::vector<const MetricKind*> kinds;
  for (const std::string& name : names) kinds.push_back(&require_metric(name));
  require_distinct_metrics(names);
  return kinds;
}

void require_distinct_metrics(std::span<const std::string> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string> others = other_names(names[i]);
    for (const std::string& name : names.subspan(i + 1)) {
      if (name == names[i]) {
        throw InputError("the metric " + name + " is named twice", "", "name it once");
      }
      if (std::ranges::count(others, name) == 0) continue;
      throw InputError("the metric " + names[i] + " is named twice, also as " + name, "",
                       "name it once");
    }
  }
}

Settings settings_of(std::span<const MetricKind* const> metrics, const SettingValues& values) {
  const std::vector<const Setting*> known = all_settings();
  Settings settings;
  for (const auto& [name, value] : values) {
    const auto found = std::ranges::find_if(
        known, [&name = name](const Setting* setting) { return setting->name == name; });
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const Setting* const setting : known) names.emplace_back(setting->name);
      throw unknown_name("setting of a metric", name, names);
    }
    settings.set(**found, value);
    const bool is_used = std::ranges::any_of(metrics, [&](const MetricKind* kind) {
      return std::ranges::count(kind->settings, *found) > 0;
    });
    if (!is_used) {
      const std::vector<std::string> users = metrics_with(**found);
      const bool is_one = users.size() == 1;
      throw InputError(
          "--" + name + " belongs to " + join(users, " or ") +
              (is_one ? ", which is not scored" : ", none of which is scored"),
          "",
          "leave it out, or add " + (is_one ? users.front() : "one of them") + " to the metrics");
    }
  }
  return settings;
}

std::map<std::string, std::vector<std::string>> other_names(std::span<const std::string> names) {
  std::map<std::string, std::vector<std::string>> others;
  for (const std::string& name : names) others[name] = other_names(name);
  return others;
}

std::vector<std::string> metric_names(bool with_model) {
  std::vector<std::string> names;
  for (const MetricKind* const kind : kMetrics) {
    if (kind->needs_model() == with_model) names.emplace_back(kind->name);
  }
  return names;
}

std::vector<std::string> metrics_with(const Setting& setting) {
  std::vector<std::string> names;
  for (const MetricKind* const kind : kMetrics) {
    if (std::ranges::count(kind->settings, &setting) == 0) continue;
    const bool is_one_of_many =
        kind->is_recipe && std::ranges::count(kind->settings, &kRecipeFile) == 0;
    names.emplace_back(is_one_of_many ? "a recipe" : kind->name);
  }
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<const Setting*> all_settings() {
  std::vector<const Setting*> settings;
  for (const MetricKind* const kind : kMetrics) {
    for (const Setting* const setting : kind->settings) {
      if (std::ranges::count(settings, setting) == 0) settings.push_back(setting);
    }
  }
  return settings;
}

ModelOption parse_model_option(const std::string& value) {
  const size_t equals = value.find('=');
  if (equals == std::string::npos) return {"", value};
  const MetricKind* const kind = find<MetricKind>(kMetrics, value.substr(0, equals));
  if (kind == nullptr) return {"", value};
  if (!kind->needs_model()) {
    throw InputError("the metric " + std::string(kind->name) + " takes no model",
                     "--model " + value, "leave it out; a folder of this name is ./" + value);
  }
  return {value.substr(0, equals), value.substr(equals + 1)};
}

}  // namespace rubric::metrics
