#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include <ATen/Parallel.h>

#include "cli/neural/run_on_ranks.h"
#include "cli/neural/score_rationales.h"
#include "cli/shared/program.h"
#include "cli/shared/score_command.h"
#include "core/error.h"
#include "core/files/files.h"
#include "data/model_files/model_directory.h"
#include "data/rows/rows.h"
#include "data/source_targets/source_target.h"
#include "distributed/collective.h"
#include "distributed/ranks.h"
#include "metrics/list.h"
#include "metrics/neural/bertscore.h"
#include "metrics/neural/lerc.h"
#include "metrics/neural/likelihood_metrics.h"

namespace rubric::cli {

// rubric score with a neural metric in its list. First `likelihood`, which reads source-target
// rows.

// Scores every row of the request by the likelihood that `model` gives its target. Collective; rank
// 0 writes. Throws InputError as find_model(), read_whole_source_targets() and Likelihood do.
void score_pairs(const distributed::Ranks& ranks, const ScoreRequest& request,
                 const std::string& model);

namespace {

using Made = std::unique_ptr<metrics::Metric<data::Answer>>;

struct NeuralMetricEntry {
  const char* name;
  Made (*make)(const std::string& model, const ScoreRequest& request,
               const distributed::Ranks& ranks);
};

Made lerc(const std::string& model, const ScoreRequest& request, const distributed::Ranks& ranks) {
  return metrics::make_lerc("lerc", data::find_model(model),
                            {.int8 = request.int8, .show_progress = true, .ranks = ranks});
}

Made similarity(const std::string& model, const ScoreRequest& request,
                const distributed::Ranks& ranks) {
  return metrics::make_lerc("similarity", data::find_model(model),
                            {.int8 = request.int8, .show_progress = true, .ranks = ranks});
}

Made bertscore(const std::string& model, const ScoreRequest& request,
               const distributed::Ranks& ranks) {
  return metrics::make_bertscore(model, {.layer = request.layer,
                                         .idf = request.idf,
                                         .baseline = request.baseline,
                                         .int8 = request.int8,
                                         .show_progress = true,
                                         .ranks = ranks});
}

Made bartscore(const std::string& model, const ScoreRequest&, const distributed::Ranks& ranks) {
  return metrics::make_bartscore(data::find_model(model), /*show_progress=*/true, ranks);
}

// All neural metrics of answers; a new one is one line here, and its name in metrics/list.cpp.
constexpr NeuralMetricEntry kEntries[] = {
    {"lerc", lerc}, {"similarity", similarity}, {"bertscore", bertscore}, {"bartscore", bartscore}};

const std::string& require_model(const std::string& metric, const ScoreRequest& request) {
  const auto model = request.models.find(metric);
  if (model != request.models.end()) return model->second;
  throw InputError("the metric " + metric + " needs a model", "command line",
                   "add --model DIR, such as the model/ folder of a finished run; of several "
                   "metrics with models: --model " +
                       metric + "=DIR");
}

// In seconds: the time that rank 0 takes for light metrics is unbounded. Lost ranks are still
// noticed within seconds.
constexpr int64_t kLongestLightWork = 86'400;

// The metrics that this rank computes: only rank 0 computes light metrics, which are not worth
// sharing.
std::vector<Made> make_metrics(const ScoreRequest& request, const distributed::Ranks& ranks) {
  std::vector<Made> metrics;
  Json facts{Json::Object()};
  for (const std::string& name : request.metrics) {
    const auto* const entry = std::ranges::find(kEntries, name, &NeuralMetricEntry::name);
    if (entry != std::end(kEntries)) {
      metrics.push_back(entry->make(require_model(name, request), request, ranks));
      facts[name] = metrics.back()->signature();
    } else {
      ranks.set_timeout(kLongestLightWork);
      if (ranks.is_main()) metrics.push_back(metrics::make_light_metric(name, {request.strip}));
    }
  }
  distributed::require_agreement(ranks, facts);
  return metrics;
}

void score_on(const distributed::Ranks& ranks, const std::vector<std::string>& arguments) {
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return;
  if (request->threads > 0) at::set_num_threads(static_cast<int>(request->threads));
  ranks.enter("reading the input");
  require_same_input(ranks, request->input);
  if (scores_pairs(*request)) {
    score_pairs(ranks, *request, require_model("likelihood", *request));
    return;
  }
  if (scores_rationales(*request)) {
    score_rationales(ranks, *request, require_model("rev", *request));
    return;
  }
  ranks.enter("loading the models");
  const std::vector<Made> metrics = make_metrics(*request, ranks);
  ranks.enter("scoring");
  data::AnswerFile file = read_score_input(*request);
  const Json summary = score_answers(metrics, file);
  if (ranks.is_main()) write_scored(*request, file, summary);
}

}  // namespace

void score_pairs(const distributed::Ranks& ranks, const ScoreRequest& request,
                 const std::string& model) {
  const std::filesystem::path directory = data::find_model(model);
  data::PairConfig config = data::pair_config_of(directory);
  if (!request.source_template.empty()) config.source = request.source_template;
  if (!request.target_template.empty()) config.target = request.target_template;
  if (!request.decoder_start.empty()) config.decoder_start = request.decoder_start;
  if (request.no_eos) config.target_eos = false;
  if (request.no_source_eos) config.source_eos = false;
  data::WholeSourceTargets file = data::read_whole_source_targets(
      request.input, data::input_format(request.input_format, request.input),
      data::PairTexts(config, request.fields), request.limit);
  data::check_scores(file);
  for (size_t i = 0; request.per_token && i < file.rows.size(); ++i) {
    if (file.rows[i].find("likelihood_tokens") == nullptr) continue;
    throw InputError("the row has a field \"likelihood_tokens\" already", file.wheres[i],
                     "take it out of the rows, or leave --per-token out");
  }
  ranks.enter("scoring");
  metrics::Likelihood metric(directory, config,
                             {.sum = request.sum, .show_progress = true, .ranks = ranks});
  Json facts;
  facts["likelihood"] = metric.signature();
  distributed::require_agreement(ranks, facts);
  const data::Scores scores = metric.score(file.records);
  data::add_scores(file, scores);
  for (size_t i = 0; request.per_token && i < file.rows.size(); ++i) {
    Json::Array tokens;
    for (const float value : metric.tokens()[i]) tokens.emplace_back(static_cast<double>(value));
    file.rows[i]["likelihood_tokens"] = std::move(tokens);
  }
  Json summary{Json::Object()};
  summarise(scores, metric.signature(), summary);
  if (!ranks.is_main()) return;
  data::write_rows(request.output, file.rows);
  if (!request.summary.empty()) write_file(request.summary, summary.dump(2) + "\n");
}

// The command.

int run_score(const std::vector<std::string>& arguments) {
  return run_on_ranks("score", arguments,
                      [&](const distributed::Ranks& ranks) { score_on(ranks, arguments); });
}

}  // namespace rubric::cli
