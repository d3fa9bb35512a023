// rubric score with a neural metric in its list.
#include <filesystem>

#include <ATen/Parallel.h>

#include "cli/commands.h"
#include "cli/score_command.h"
#include "core/error.h"
#include "data/model_directory.h"
#include "metrics/light_metrics.h"
#include "neural_metrics/lerc.h"

namespace rubric {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Metric<Answer>> (*make)(const std::filesystem::path& model_directory);
};

// Every neural metric: a new one is a line here, and its name in score_command.cpp.
constexpr Entry kEntries[] = {
    {"lerc",
     [](const auto& directory) { return make_lerc("lerc", directory, {.show_progress = true}); }},
    {"similarity",
     [](const auto& directory) {
       return make_lerc("similarity", directory, {.show_progress = true});
     }},
};

std::unique_ptr<Metric<Answer>> make_metric(const std::string& name, const ScoreRequest& request) {
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    if (request.model.empty()) {
      throw InputError("the metric " + name + " needs a model", "command line",
                       "add --model DIR, such as the model/ folder of a finished run");
    }
    return entry.make(find_model(request.model));
  }
  return make_light_metric(name, {request.strip});
}

}  // namespace

int run_score(const std::vector<std::string>& arguments) {
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return kDone;
  if (request->threads > 0) at::set_num_threads(static_cast<int>(request->threads));
  std::vector<std::unique_ptr<Metric<Answer>>> metrics;
  for (const std::string& name : request->metrics) metrics.push_back(make_metric(name, *request));
  score_file(*request, metrics);
  return kDone;
}

}  // namespace rubric
