// rubric score with a neural metric in its list.
#include <memory>
#include <string>

#include <ATen/Parallel.h>

#include "cli/commands.h"
#include "cli/score_command.h"
#include "cli/score_rationales.h"
#include "config/model_card.h"
#include "core/error.h"
#include "core/files.h"
#include "data/model_directory.h"
#include "data/rows.h"
#include "data/source_target.h"
#include "metrics/light_metrics.h"
#include "neural_metrics/bartscore.h"
#include "neural_metrics/bertscore.h"
#include "neural_metrics/lerc.h"
#include "neural_metrics/likelihood.h"

namespace rubric {
namespace {

using Made = std::unique_ptr<Metric<Answer>>;

struct Entry {
  const char* name;
  Made (*make)(const std::string& model, const ScoreRequest& request);
};

Made lerc(const std::string& model, const ScoreRequest&) {
  return make_lerc("lerc", find_model(model), {.show_progress = true});
}

Made similarity(const std::string& model, const ScoreRequest&) {
  return make_lerc("similarity", find_model(model), {.show_progress = true});
}

Made bertscore(const std::string& model, const ScoreRequest& request) {
  return make_bertscore(model, {.layer = request.layer,
                                .idf = request.idf,
                                .baseline = request.baseline,
                                .show_progress = true});
}

Made bartscore(const std::string& model, const ScoreRequest&) {
  return make_bartscore(find_model(model), /*show_progress=*/true);
}

// Every neural metric of answers: a new one is a line here, and its name in score_command.cpp.
constexpr Entry kEntries[] = {
    {"lerc", lerc}, {"similarity", similarity}, {"bertscore", bertscore}, {"bartscore", bartscore}};

const std::string& require_model(const std::string& metric, const ScoreRequest& request) {
  const auto model = request.models.find(metric);
  if (model != request.models.end()) return model->second;
  throw InputError("the metric " + metric + " needs a model", "command line",
                   "add --model DIR, such as the model/ folder of a finished run; of several "
                   "metrics with models: --model " +
                       metric + "=DIR");
}

Made make_metric(const std::string& name, const ScoreRequest& request) {
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    return entry.make(require_model(name, request), request);
  }
  return make_light_metric(name, {request.strip});
}

void score_pairs(const ScoreRequest& request) {
  const std::filesystem::path directory = find_model(require_model("likelihood", request));
  PairConfig config = pair_config_of(directory);
  if (!request.source_template.empty()) config.source = request.source_template;
  if (!request.target_template.empty()) config.target = request.target_template;
  if (!request.decoder_start.empty()) config.decoder_start = request.decoder_start;
  if (request.no_eos) config.target_eos = false;
  if (request.no_source_eos) config.source_eos = false;
  WholeSourceTargets file =
      read_whole_source_targets(request.input, input_format(request.input_format, request.input),
                                PairTexts(config, request.fields), request.limit);
  check_scores(file);
  for (size_t i = 0; request.per_token && i < file.rows.size(); ++i) {
    if (file.rows[i].find("likelihood_tokens") == nullptr) continue;
    throw InputError("the row has a field \"likelihood_tokens\" already", file.wheres[i],
                     "take it out of the rows, or leave --per-token out");
  }
  Likelihood metric(directory, config, {.sum = request.sum, .show_progress = true});
  const Scores scores = metric.score(file.records);
  add_scores(file, scores);
  for (size_t i = 0; request.per_token && i < file.rows.size(); ++i) {
    Json::Array tokens;
    for (const float value : metric.tokens()[i]) tokens.emplace_back(static_cast<double>(value));
    file.rows[i]["likelihood_tokens"] = std::move(tokens);
  }
  Json summary{Json::Object()};
  for (size_t column = 0; column < scores.names.size(); ++column) {
    std::vector<double> values;
    for (const auto& row : scores.rows) values.push_back(row[column]);
    summary[scores.names[column]] = summarise(scores.names[column], values, metric.signature());
  }
  write_rows(request.output, file.rows);
  if (!request.summary.empty()) write_file(request.summary, summary.dump(2) + "\n");
}

}  // namespace

int run_score(const std::vector<std::string>& arguments) {
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return kDone;
  if (request->threads > 0) at::set_num_threads(static_cast<int>(request->threads));
  if (scores_pairs(*request)) {
    score_pairs(*request);
    return kDone;
  }
  if (scores_rationales(*request)) {
    score_rationales(*request, require_model("rev", *request));
    return kDone;
  }
  std::vector<std::unique_ptr<Metric<Answer>>> metrics;
  for (const std::string& name : request->metrics) metrics.push_back(make_metric(name, *request));
  score_file(*request, metrics);
  return kDone;
}

}  // namespace rubric
