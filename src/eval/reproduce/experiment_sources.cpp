#include "eval/reproduce/experiment_sources.h"

#include <algorithm>
#include <optional>

#include "core/json/json.h"
#include "eval/report/figures.h"

namespace rubric {
namespace {

// "12/890" of "…|trunc:12/890|…"; "–" of a metric that cuts nothing.
std::string texts_cut(const std::string& signature) {
  const std::string key = "|trunc:";
  const size_t begin = signature.find(key);
  if (begin == std::string::npos) return "–";
  const size_t end = std::min(signature.find('|', begin + 1), signature.size());
  return signature.substr(begin + key.size(), end - begin - key.size());
}

std::string text_of(const Json& json, const char* name) {
  const Json* const value = json.find(name);
  return value != nullptr && value->is_string() ? value->string() : "";
}

std::optional<double> number_of(const Json* value) {
  return value != nullptr && value->is_number() ? std::optional(value->number()) : std::nullopt;
}

std::optional<Interval> interval_of(const Json* ends) {
  if (ends == nullptr || !ends->is_array() || ends->array().size() != 2) return std::nullopt;
  const auto low = number_of(&ends->array()[0]), high = number_of(&ends->array()[1]);
  return low && high ? std::optional(Interval{*low, *high}) : std::nullopt;
}

void add_once(const std::string& text, std::vector<std::string>& texts) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

void add_scores(const StepRun& run, ExperimentSources& sources) {
  const auto file = run.folder / kScoreSummary;
  const Json summary = Json::parse_file(file);
  for (const auto& [metric, score] : summary.object()) {
    const std::string signature = score.require_string("signature", file.string());
    sources.scored.rows.push_back(
        {run.name, metric, std::to_string(score.require_integer("n", file.string())),
         cell(number_of(score.find("mean")), interval_of(score.find("ci95"))),
         texts_cut(signature)});
    add_once(run.name + ": " + signature, sources.signatures);  // of precision, recall, F1 the same
  }
}

void add_training(const StepRun& run, ExperimentSources& sources) {
  const auto file = run.folder / "results.json";
  const Json results = Json::parse_file(file);
  const Json& best = results.require("best", file.string()).require("value", file.string());
  sources.trained.rows.push_back({run.name, text_of(results, "data"),
                                  std::to_string(results.require_integer("steps", file.string())),
                                  text_of(results, "figure") + " " + cell(number_of(&best))});
  const Json* const versions = results.find("versions");
  if (versions == nullptr || !versions->is_array()) return;
  for (const Json& version : versions->array()) {
    if (version.is_string()) add_once(version.string(), sources.versions);
  }
}

}  // namespace

ExperimentSources experiment_sources(const Plan& plan, const ExperimentOutcome& outcome) {
  ExperimentSources sources;
  sources.scored = {"Scored",
                    {"step", "metric", "rows", "mean [95% interval]", "texts cut"},
                    {},
                    {Align::left, Align::left},
                    {}};
  sources.trained = {
      "Trained", {"step", "data", "updates", "best on dev"}, {}, {Align::left, Align::left}, {}};
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const StepRun& run = plan.runs[i];
    const std::string& command = run.step->command.front();
    if (!outcome.runs[i].is_done()) continue;
    if (command == "score" && std::filesystem::exists(run.folder / kScoreSummary)) {
      add_scores(run, sources);
    } else if (command == "train") {
      add_training(run, sources);
    } else if (command == "evaluate" && std::filesystem::exists(run.folder / "results.json")) {
      const std::string signature =
          text_of(Json::parse_file(run.folder / "results.json"), "signature");
      if (!signature.empty()) sources.signatures.push_back(run.name + ": " + signature);
    }
  }
  return sources;
}

}  // namespace rubric
