#include "eval/neural/score_models.h"

#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "config/request.h"
#include "core/context.h"
#include "core/error.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/seen_questions.h"
#include "data/rows/rows.h"
#include "data/rows/seen_rows.h"
#include "data/source_targets/source_target.h"
#include "distributed/collective.h"
#include "eval/resampling.h"
#include "eval/score/answer_series.h"
#include "eval/score/score.h"
#include "eval/score/score_totals.h"
#include "metrics/list.h"
#include "metrics/neural/model_use.h"
#include "models/plain_errors.h"
#include "rubric/neural.h"

namespace rubric::eval {
namespace {

// In seconds: the time that rank 0 takes for light metrics is unbounded. Lost ranks are still
// noticed within seconds.
constexpr int64_t kLongestLightWork = 86'400;

metrics::ModelUse use_of(const distributed::Ranks& ranks, const Scoring& scoring,
                         const metrics::MetricKind& kind) {
  const auto named = scoring.models.find(std::string(kind.name));
  return {named == scoring.models.end() ? "" : named->second, scoring.settings,
          /*show_progress=*/true, ranks};
}

// The metrics that this rank computes: only rank 0 computes light metrics, which are not worth
// sharing.
std::vector<std::unique_ptr<metrics::AnswerMetric>> make_metrics(const distributed::Ranks& ranks,
                                                                 const Scoring& scoring) {
  std::vector<std::unique_ptr<metrics::AnswerMetric>> metrics;
  Json facts{Json::Object()};
  for (const metrics::MetricKind* const kind : scoring.metrics) {
    if (kind->needs_model()) {
      metrics.push_back(make_answer_metric(*kind, use_of(ranks, scoring, *kind)));
      facts[std::string(kind->name)] = metrics.back()->signature();
    } else {
      ranks.set_timeout(kLongestLightWork);
      if (ranks.is_main()) metrics.push_back(kind->make(scoring.settings));
    }
  }
  distributed::require_agreement(ranks, facts);
  return metrics;
}

// How rows become sources and targets: as the settings say, else as the model's card does.
data::PairConfig pair_config(const std::string& model, const metrics::Settings& settings) {
  data::PairConfig config = data::pair_config_of(data::find_model(model, data::sequence_types()));
  for (const auto& [setting, text] :
       {std::pair{&metrics::kSource, &config.source}, {&metrics::kTarget, &config.target}}) {
    if (!settings.has(*setting)) continue;
    *text = settings.text(*setting);
    if (!text->empty()) continue;
    throw InputError("the template is empty", std::string("--") + setting->name,
                     "write {source}, or {} around another field's name");
  }
  if (settings.has(metrics::kDecoderStart)) {
    config.decoder_start = settings.text(metrics::kDecoderStart);
    if (config.decoder_start != "model" && config.decoder_start != "last-input") {
      throw InputError("there is no such decoder start", "--decoder-start " + config.decoder_start,
                       "give model or last-input");
    }
  }
  if (settings.has(metrics::kNoEos)) config.target_eos = false;
  if (settings.has(metrics::kNoSourceEos)) config.source_eos = false;
  return config;
}

// Rows with one id form a cluster, and each row where the file has no ids.
stats::Clusters clusters_of(const data::SourceTargetRows& file, const std::string& id_field) {
  eval::QuestionHashes hashes;
  std::vector<eval::QuestionHash> keys;
  for (size_t i = 0; i < file.rows.size(); ++i) {
    const SourceTarget& record = file.records[i];
    data::Answer answer;
    answer.id = record.id;
    answer.is_numbered = data::is_missing(file.rows[i].find(id_field));
    answer.passage = record.source;
    answer.candidate = record.target;
    keys.push_back(hashes.add(answer));
  }
  return stats::clusters_by(keys);
}

// Which rows have a question that the model has seen. Throws InputError where a row could not say
// so.
data::SeenRows seen_rows(const std::string& model, const ScoreRequest& request,
                         const data::SourceTargetRows& file) {
  const auto lists = data::read_seen_questions(data::find_model(model, data::sequence_types()));
  const std::string name = data::field_name(request.row_format.fields, "question");
  std::vector<std::string> questions(file.rows.size());
  for (size_t i = 0; lists && i < file.rows.size(); ++i) {
    data::check_scores_member(file.rows[i], "seen", file.places[i]);
    const data::FieldValue question = data::find_field(file.rows[i], name);
    if (question != nullptr && question->is_string()) questions[i] = question->string();
  }
  return data::find_seen(lists, questions);
}

std::vector<FileScore> score_source_targets(const distributed::Ranks& ranks,
                                            const ScoreRequest& request, const Scoring& scoring) {
  const metrics::MetricKind& kind = *scoring.metrics.front();
  const metrics::ModelUse use = use_of(ranks, scoring, kind);
  const data::PairConfig config = pair_config(use.model, scoring.settings);
  data::SourceTargetRows file = data::read_source_targets_with_rows(
      request.input, data::input_format(request.row_format, request.input),
      data::PairTexts(config, request.row_format.fields), request.limit);
  data::check_scores(file);
  const data::SeenRows seen = seen_rows(use.model, request, file);
  ranks.set_activity("scoring");
  const auto metric = make_source_target_metric(kind, use, config);
  const std::vector<std::string> fields = metric->field_names();
  for (size_t i = 0; i < file.rows.size(); ++i) {
    for (const std::string& name : fields) {
      data::require_no_field(file.rows[i], name, file.places[i]);
    }
  }
  Json facts;
  facts[std::string(kind.name)] = metric->signature();
  distributed::require_agreement(ranks, facts);
  const Scores scores = metric->score(file.records);
  data::add_scores(file, scores);
  const std::vector<std::string> how = seen.texts(file.rows.size());
  for (size_t i = 0; i < file.rows.size(); ++i) {
    data::set_seen(file.rows[i], "seen", scores.names, how[i]);
    std::vector<Json> values = metric->fields(i);
    for (size_t f = 0; f < fields.size(); ++f) file.rows[i][fields[f]] = std::move(values[f]);
  }
  if (!ranks.is_main()) return {};
  if (!request.output.empty()) data::write_rows(request.output, file.rows);
  ScoreTotals totals;
  const stats::Clusters clusters =
      clusters_of(file, data::field_name(request.row_format.fields, "id"));
  totals.add(scores, clusters.of);
  std::vector<uint32_t> order(clusters.count);
  std::iota(order.begin(), order.end(), 0U);
  std::string signature = metric->signature();
  signature.insert(signature.rfind("|rubric:"),
                   data::seen_signature(std::ssize(seen.trained), std::ssize(seen.tuned),
                                        std::ssize(file.rows)));
  std::vector<FileScore> over_file = scores_over_rows({&totals, 1}, {&signature, 1}, order);
  for (FileScore& score : over_file) {
    score.trained_on = seen.trained;
    score.tuned_on = seen.tuned;
  }
  warn_of_seen(scores.names.front(), seen, std::ssize(file.rows));
  write_summary(request, over_file);
  return over_file;
}

}  // namespace

std::vector<FileScore> score_on(const distributed::Ranks& ranks, const ScoreRequest& request,
                                const Scoring& scoring) {
  if (scoring.record == metrics::RecordKind::source_target) {
    return score_source_targets(ranks, request, scoring);
  }
  if (scoring.record == metrics::RecordKind::rationale) {
    return score_rationales(ranks, request, scoring);
  }
  ranks.set_activity("loading the models");
  const auto metrics = make_metrics(ranks, scoring);
  ranks.set_activity("scoring");
  return score_rows(request, metrics, /*writes=*/ranks.is_main());
}

}  // namespace rubric::eval

namespace rubric {
namespace {

// Scores in the context that it was made with.
class ModelMetric final : public Metric<Answer> {
 public:
  ModelMetric(std::unique_ptr<Metric<Answer>> metric, Context context)
      : metric_(std::move(metric)), context_(std::move(context)) {}
  Scores score(std::span<const Answer> answers) override {
    const ContextScope scope(context_);
    return models::with_plain_errors(models::kMemory, [&] { return metric_->score(answers); });
  }
  std::string signature() const override { return metric_->signature(); }

 private:
  std::unique_ptr<Metric<Answer>> metric_;
  Context context_;
};

}  // namespace

std::unique_ptr<Metric<Answer>> make_metric_with_model(const std::string& name,
                                                       const std::string& model,
                                                       const SettingValues& settings,
                                                       const Context& context) {
  const ContextScope scope(context);
  const metrics::MetricKind& kind = metrics::require_metric(name);
  if (!kind.needs_model()) {
    throw InputError("the metric " + name + " takes no model", "", "call make_metric()");
  }
  if (kind.record != metrics::RecordKind::answer) {
    throw InputError("the metric " + name + " does not score answers", "",
                     "score a file: score_file_with_models()");
  }
  return models::with_plain_errors(models::kMemory, [&] {
    return std::make_unique<ModelMetric>(
        metrics::make_answer_metric(
            kind, {model, metrics::settings_of({{&kind}}, settings), /*show_progress=*/true}),
        context);
  });
}

std::vector<FileScore> score_file_with_models(const ScoreRequest& request, const Context& context) {
  const ContextScope scope(context);
  config::check_written_files(request);
  return models::with_plain_errors(models::kMemory, [&] {
    return eval::score_on(distributed::kSingleProcess, request, eval::check_request(request));
  });
}

}  // namespace rubric
