// What include/rubric/metrics.h declares.
#include "rubric/metrics.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "config/request.h"
#include "core/context.h"
#include "core/error.h"
#include "metrics/list.h"
#include "rubric/scoring.h"
#include "stats/bootstrap.h"

namespace rubric {

std::vector<double> score_of_all(const Scores& scores) {
  const bool is_corpus = !scores.statistics.empty();
  const auto& rows = is_corpus ? scores.statistics : scores.rows;
  if (rows.empty()) throw Error("there are no rows to score");
  std::vector<double> sums(rows.front().size());
  for (const auto& row : rows) {
    std::ranges::transform(sums, row, sums.begin(), std::plus());
  }
  return is_corpus ? scores.corpus_scores(sums)
                   : stats::means_of_sums(sums, static_cast<double>(rows.size()));
}

namespace {

// "bertscore: the layer whose output counts"
std::string help_of(const metrics::Setting& setting) {
  return join(metrics::metrics_with(setting)) + ": " + setting.help;
}

std::string model_help() {
  std::string help =
      "model directory, name or GGUF file of a neural metric; of several: lerc=MODEL, once for "
      "each";
  for (const metrics::MetricKind* const kind : metrics::kMetrics) {
    if (kind->default_model == nullptr) continue;
    help += "; of " + std::string(kind->name) + " by default " + kind->default_model_name();
  }
  return help;
}

}  // namespace

void visit_metric_fields(config::RequestFields& field, std::vector<std::string>& models,
                         SettingValues& settings) {
  field("model", models, model_help()).model();
  for (const metrics::Setting* const setting : metrics::all_settings()) {
    const char* const name = setting->name;
    config::RequestField& added = field.add(name, help_of(*setting));
    added.value_name = setting->value_name;
    // Settings::set() checks it, as it does the settings of other programs.
    added.read = [name, &settings](const auto&, const config::Texts& texts) {
      settings[name] = texts.back();
    };
    added.texts = [name, &settings] {
      return settings.contains(name) ? config::Texts{settings.at(name)} : config::Texts();
    };
    if (setting->type == metrics::Setting::Type::file) added.input();
    if (setting->type == metrics::Setting::Type::model) added.role = config::FieldRole::model;
  }
}

std::vector<MetricInfo> list_metrics() {
  std::vector<MetricInfo> infos;
  for (const metrics::MetricKind* const kind : metrics::kMetrics) {
    MetricInfo info{std::string(kind->name),
                    std::string(kind->summary),
                    {kind->aliases.begin(), kind->aliases.end()},
                    name_of(kind->record),
                    kind->needs_model(),
                    kind->default_model_name(),
                    {},
                    std::string(kind->example)};
    for (const metrics::Setting* const setting : kind->settings) {
      info.settings.push_back({setting->name, setting->value_name, setting->help});
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

namespace {

// Scores in the context that it was made with.
class MetricInContext final : public Metric<Answer> {
 public:
  MetricInContext(std::unique_ptr<Metric<Answer>> metric, Context context)
      : metric_(std::move(metric)), context_(std::move(context)) {}
  Scores score(std::span<const Answer> answers) override {
    const ContextScope scope(context_);
    return metric_->score(answers);
  }
  std::string signature() const override { return metric_->signature(); }

 private:
  std::unique_ptr<Metric<Answer>> metric_;
  Context context_;
};

}  // namespace

std::unique_ptr<Metric<Answer>> make_metric(const std::string& name, const SettingValues& settings,
                                            const Context& context) {
  const ContextScope scope(context);
  const metrics::MetricKind& kind = metrics::require_metric(name);
  if (kind.needs_model()) {
    throw InputError("the metric " + name + " needs a model, and libtorch", "",
                     "call make_metric_with_model() of rubric/neural.h");
  }
  return std::make_unique<MetricInContext>(kind.make(metrics::settings_of({{&kind}}, settings)),
                                           context);
}

}  // namespace rubric
