// rubric score with a neural metric in its list.
#include <memory>
#include <string>

#include <ATen/Parallel.h>

#include "cli/commands.h"
#include "cli/score_command.h"
#include "cli/score_pairs.h"
#include "cli/score_rationales.h"
#include "core/error.h"
#include "data/model_directory.h"
#include "metrics/light_metrics.h"
#include "neural_metrics/bartscore.h"
#include "neural_metrics/bertscore.h"
#include "neural_metrics/lerc.h"

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

}  // namespace

int run_score(const std::vector<std::string>& arguments) {
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return kDone;
  if (request->threads > 0) at::set_num_threads(static_cast<int>(request->threads));
  if (scores_pairs(*request)) {
    score_pairs(*request, require_model("likelihood", *request));
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
