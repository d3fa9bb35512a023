#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/json/json.h"
#include "eval/reproduce/plan.h"
#include "eval/reproduce/report.h"
#include "eval/resampling.h"
#include "eval/result/render.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

class ResultFiles {
 public:
  const Json& of(const StepRun& run) {
    const auto file = run.folder / "results.json";
    const auto known = files_.find(file);
    return known != files_.end() ? known->second
                                 : files_.emplace(file, Json::parse_file(file)).first->second;
  }

 private:
  std::map<std::filesystem::path, Json> files_;
};

// "/a/b/pearson": the resamples are at "/a/b/resampled/pearson"; those of a measurement's "value"
// are its member "resampled".
std::vector<double> resamples(const Json& results, const std::string& pointer) {
  const size_t slash = pointer.rfind('/');
  if (slash == std::string::npos) return {};
  const Json& parent = at_pointer(results, pointer.substr(0, slash), "");
  const Json* const all = parent.find("resampled");
  const bool is_measurement = all != nullptr && all->is_array();
  const Json* const listed =
      all == nullptr || is_measurement ? all : all->find(pointer.substr(slash + 1));
  if (listed == nullptr || !listed->is_array()) return {};
  std::vector<double> values;
  for (const Json& value : listed->array()) {
    values.push_back(value.is_number() ? value.number() : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

// The value of one run; nothing if undefined.
std::optional<RunValue> run_value(const Cell& cell, const Json& results, const std::string& pointer,
                                  const StepRun& run) {
  const std::string where = cell.where + ", in " + (run.folder / "results.json").string();
  const Json& value = at_pointer(results, pointer, where);
  if (value.is_null()) return std::nullopt;
  if (value.is_bool()) return RunValue{(value.boolean() ? 1 : 0) * cell.scale, {}};
  if (!value.is_number()) {
    throw InputError(json_quote(pointer) + " leads to " + value.kind() + ", not to a number", where,
                     "correct the value: of the cell " + cell.name());
  }
  RunValue result{value.number() * cell.scale, resamples(results, pointer)};
  for (double& resampled : result.resampled) resampled *= cell.scale;
  return result;
}

// Of two runs on the same rows: their resamples of one number are the same rows, too.
RunValue difference(const RunValue& value, const RunValue& less) {
  RunValue result{value.value - less.value, {}};
  const size_t count = std::min(value.resampled.size(), less.resampled.size());
  for (size_t i = 0; i < count; ++i) {
    result.resampled.push_back(value.resampled[i] - less.resampled[i]);
  }
  return result;
}

CellResult cell_result(const Experiment& experiment, const Plan& plan,
                       const ExperimentOutcome& outcome, const CellRuns& cell_runs,
                       ResultFiles& files) {
  const Cell& cell = *cell_runs.cell;
  CellResult result{&cell, {}, {}, {}, ""};
  std::vector<std::vector<RunValue>> values(cell_runs.runs.size());
  // One run's value; nothing, with the reason in `result`, where there is none.
  const auto value_of = [&](size_t index, size_t which) -> std::optional<RunValue> {
    const StepRun& run = plan.runs[index];
    if (const RunStatus& status = outcome.runs[index]; !status.is_done()) {
      const bool has_failed = status.state == RunState::failed;
      result.why = "not run: " + (has_failed ? run.name + " " : "") + status.why;
      return std::nullopt;
    }
    const std::string pointer = pointer_of(experiment, cell, cell.bindings[which]);
    auto value = run_value(cell, files.of(run), pointer, run);
    if (!value) result.why = "undefined: " + pointer + " of " + run.name;
    return value;
  };
  for (size_t which = 0; which < values.size(); ++which) {
    for (size_t seed = 0; seed < cell_runs.runs[which].size(); ++seed) {
      auto value = value_of(cell_runs.runs[which][seed], which);
      if (!value) return result;
      if (!cell_runs.minus.empty()) {
        const auto less = value_of(cell_runs.minus[which][seed], which);
        if (!less) return result;
        value = difference(*value, *less);
      }
      values[which].push_back(std::move(*value));
    }
  }
  for (size_t seed = 0; seed < values.front().size(); ++seed) {
    std::vector<double> of_seed;
    for (const auto& seeds : values) of_seed.push_back(seeds[seed].value);
    result.by_seed.push_back(stats::mean(of_seed));
  }
  if (!cell.is_p) result.interval = seed_and_instance_interval(values);
  if (cell.paper && experiment.substitute.empty()) {
    const bool has_seeds = experiment.find_step(cell.step)->runs_over(kSeedAxis);
    result.verdict = verdict(*cell.paper, stats::mean(result.by_seed), result.interval, has_seeds);
  }
  return result;
}

// "12/890" of "…|trunc:12/890|…"; "" for a metric that does not truncate.
std::string texts_cut(const std::string& signature) {
  const std::string key = "|trunc:";
  const size_t begin = signature.find(key);
  if (begin == std::string::npos) return "";
  const size_t end = std::min(signature.find('|', begin + 1), signature.size());
  return signature.substr(begin + key.size(), end - begin - key.size());
}

std::string text_or_empty(const Json& json, const char* name) {
  const Json* const value = json.find(name);
  return value != nullptr && value->is_string() ? value->string() : "";
}

RecordValue number_or_nothing(const Json* value) {
  return value != nullptr && value->is_number() ? RecordValue(value->number()) : RecordValue();
}

// What finished steps report, a row a score, a training and a signature.
struct SourceRows {
  RecordRows scored, trained, signatures;
};

void add_scores(const StepRun& run, SourceRows& sources) {
  const auto file = run.folder / kScoreSummary;
  const Json summary = Json::parse_file(file);
  std::map<std::string, std::string> signatures;  // by metric
  for (const Json& row :
       summary.require("records", file.string()).require("signatures", file.string()).array()) {
    const std::string& signature = row.require_string("signature", file.string());
    signatures[row.require_string("metric", file.string())] = signature;
    // The same for precision, recall and F1.
    const std::vector<RecordValue> one = {run.name, signature};
    if (std::ranges::find(sources.signatures, one) == sources.signatures.end()) {
      sources.signatures.push_back(one);
    }
  }
  for (const Json& score : summary.require("measurements", file.string()).array()) {
    const std::string& statistic = score.require_string("statistic", file.string());
    if (statistic != "mean" && statistic != "corpus") continue;
    const std::string& metric = score.require_string("metric", file.string());
    sources.scored.push_back(
        {run.name, metric, score.require_integer("n", file.string()),
         number_or_nothing(score.find("value")), number_or_nothing(score.find("low")),
         number_or_nothing(score.find("high")), texts_cut(signatures[metric])});
  }
}

void add_training(const StepRun& run, SourceRows& sources) {
  const auto file = run.folder / "results.json";
  const Json results = Json::parse_file(file);
  const Json& facts = at_pointer(results, "/records/run/0", file.string());
  // The best validation is the first measurement.
  const Json& best = at_pointer(results, "/measurements/0", file.string());
  const Json& updates =
      at_pointer(results, "/measurements/[statistic=updates]/value", file.string());
  sources.trained.push_back(
      {run.name, text_or_empty(facts, "data"), static_cast<int64_t>(updates.number()),
       text_or_empty(best, "statistic"), number_or_nothing(best.find("value")),
       text_or_empty(results, "signature")});
}

}  // namespace

std::vector<CellResult> cell_results(const Experiment& experiment, const Plan& plan,
                                     const ExperimentOutcome& outcome) {
  ResultFiles files;
  std::vector<CellResult> results;
  for (const CellRuns& cell : plan.cells) {
    results.push_back(cell_result(experiment, plan, outcome, cell, files));
  }
  return results;
}

int verdict(const PaperValue& paper, double mean, const std::optional<stats::Interval>& interval,
            bool has_seeds) {
  constexpr double kRounding = 1e-9;  // for rounding in our own sums
  double low = mean, high = mean;
  if (has_seeds && interval) {
    low = interval->low;
    high = interval->high;
  } else {
    // Equal at the printed precision; a value half-way may round either way.
    const double half_digit = 0.5 * std::pow(10.0, -paper.decimals);
    low -= half_digit;
    high += half_digit;
  }
  if (paper.value >= low - kRounding && paper.value <= high + kRounding) return 0;
  return mean > paper.value ? 1 : -1;
}

std::vector<Records> source_records(const Plan& plan, const ExperimentOutcome& outcome) {
  SourceRows sources;
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const StepRun& run = plan.runs[i];
    const StepCommand& command = run.step->declared.back();
    if (!outcome.runs[i].is_done()) continue;
    if (command.writes_summary && std::filesystem::exists(run.folder / kScoreSummary)) {
      add_scores(run, sources);
    } else if (command.makes_directory && std::filesystem::exists(run.folder / "results.json")) {
      add_training(run, sources);
    } else if (command.prints_results && std::filesystem::exists(run.folder / "results.json")) {
      const std::string signature =
          text_or_empty(Json::parse_file(run.folder / "results.json"), "signature");
      if (!signature.empty()) sources.signatures.push_back({run.name, signature});
    }
  }
  const auto records = [](const char* name, const char* title, std::vector<std::string> columns,
                          RecordRows rows) {
    return held_records({.name = name,
                         .title = title,
                         .columns = std::move(columns),
                         .is_printed = false,
                         .is_whole = true},
                        std::move(rows));
  };
  return {
      records("scored", "Scored", {"step", "metric", "rows", "mean", "low", "high", "truncated"},
              std::move(sources.scored)),
      records("trained", "Trained",
              {"step", "data", "updates", "statistic", "best on dev", "versions"},
              std::move(sources.trained)),
      records("signatures", "Signatures", {"step", "signature"}, std::move(sources.signatures))};
}

}  // namespace rubric::eval
