// rubric score with a neural metric in its list.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include <ATen/Parallel.h>

#include "cli/shared/commands.h"
#include "cli/neural/run_on_ranks.h"
#include "cli/score/score_command.h"
#include "cli/neural/score_pairs.h"
#include "cli/neural/score_rationales.h"
#include "core/error.h"
#include "data/model_files/model_directory.h"
#include "distributed/collective.h"
#include "metrics/list.h"
#include "metrics/neural/bartscore.h"
#include "metrics/neural/bertscore.h"
#include "metrics/neural/lerc_part.h"

namespace rubric {
namespace {

using Made = std::unique_ptr<Metric<Answer>>;

struct Entry {
  const char* name;
  Made (*make)(const std::string& model, const ScoreRequest& request, const Ranks& ranks);
};

Made lerc(const std::string& model, const ScoreRequest& request, const Ranks& ranks) {
  return make_lerc("lerc", find_model(model),
                   {.int8 = request.int8, .show_progress = true, .ranks = ranks});
}

Made similarity(const std::string& model, const ScoreRequest& request, const Ranks& ranks) {
  return make_lerc("similarity", find_model(model),
                   {.int8 = request.int8, .show_progress = true, .ranks = ranks});
}

Made bertscore(const std::string& model, const ScoreRequest& request, const Ranks& ranks) {
  return make_bertscore(model, {.layer = request.layer,
                                .idf = request.idf,
                                .baseline = request.baseline,
                                .int8 = request.int8,
                                .show_progress = true,
                                .ranks = ranks});
}

Made bartscore(const std::string& model, const ScoreRequest&, const Ranks& ranks) {
  return make_bartscore(find_model(model), /*show_progress=*/true, ranks);
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

// In seconds: nobody knows how long rank 0 computes light metrics. A rank that is lost is seen at
// once all the same.
constexpr int64_t kLongestLightWork = 86'400;

// Those that this rank computes: light metrics take no time worth sharing and are rank 0's.
std::vector<Made> make_metrics(const ScoreRequest& request, const Ranks& ranks) {
  std::vector<Made> metrics;
  Json facts{Json::Object()};
  for (const std::string& name : request.metrics) {
    const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
    if (entry != std::end(kEntries)) {
      metrics.push_back(entry->make(require_model(name, request), request, ranks));
      facts[name] = metrics.back()->signature();
    } else {
      ranks.set_timeout(kLongestLightWork);
      if (ranks.is_main()) metrics.push_back(make_light_metric(name, {request.strip}));
    }
  }
  require_agreement(ranks, facts);
  return metrics;
}

void score_on(const Ranks& ranks, const std::vector<std::string>& arguments) {
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
  AnswerFile file = read_answers(*request);
  const Json summary = score_answers(metrics, file);
  if (ranks.is_main()) write_scored(*request, file, summary);
}

}  // namespace

int run_score(const std::vector<std::string>& arguments) {
  return run_on_ranks("score", arguments, [&](const Ranks& ranks) { score_on(ranks, arguments); });
}

}  // namespace rubric
