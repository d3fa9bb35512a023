#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "eval/rev/rev.h"

namespace rubric::eval {
namespace {

// An agreement's name, value and interval.
struct NamedValue {
  const char* name;
  std::optional<double> value;
  std::optional<stats::Interval> interval;
};

std::vector<NamedValue> over_kinds(const RevAgreement& agreement) {
  const SystemAgreement& statistics = agreement.kinds;
  const SystemInterval& intervals = agreement.kind_intervals;
  return {{"spearman", statistics.correlations.spearman, intervals.spearman},
          {"kendall", statistics.correlations.kendall, intervals.kendall},
          {"pairwise_accuracy", statistics.pairwise_accuracy, intervals.pairwise_accuracy}};
}

std::vector<NamedValue> over_rationales(const RevAgreement& agreement) {
  const MetricAgreement& metric = agreement.rationales;
  return {{"spearman", metric.correlations.spearman, metric.spearman},
          {"kendall", metric.correlations.kendall, metric.kendall}};
}

Json to_json(const std::vector<NamedValue>& statistics) {
  Json json;
  for (const auto& [name, value, interval] : statistics) {
    json[name] = Json::Object{{"value", or_null(value)}, {"ci95", or_null(interval)}};
  }
  return json;
}

Json kind_json(const RevKind& kind, int64_t n, bool resampled) {
  Json json, intervals, by_seed;
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const char* const key = kRevMetrics[metric].key;
    json[key] = or_null(kind.means[metric]);
    intervals[key] = or_null(kind.intervals[metric]);
    Json::Array seeds;
    for (const std::optional<double>& value : kind.by_seed[metric]) seeds.push_back(or_null(value));
    by_seed[key] = std::move(seeds);
  }
  json["n"] = n;
  json["ci95"] = std::move(intervals);
  json["seeds"] = static_cast<int64_t>(kind.scores.size());
  json["by_seed"] = std::move(by_seed);
  json["left_out"] = Json::Array(kind.left_out.begin(), kind.left_out.end());
  json["baselines"] = Json::Object(kind.baselines.begin(), kind.baselines.end());
  for (const auto& [name, value] : kind.details) json[name] = or_null(value);
  for (size_t metric = 0; resampled && metric < kRevMetrics.size(); ++metric) {
    add_resampled(json, kRevMetrics[metric].key, kind.resampled[metric]);
  }
  return json;
}

Json ranks_json(const RevEvaluation& evaluation, const RevHumans& humans, size_t metric) {
  const auto ranks = ranks_of(judged_values(evaluation, humans, metric));
  Json json{Json::Object()};
  for (size_t i = 0; i < ranks.size(); ++i) json[evaluation.kinds[i].name] = or_null(ranks[i]);
  return json;
}

Json human_json(const RevEvaluation& evaluation, const RevHumans& humans) {
  Json json;
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    const HumanKind& kind = humans.kinds[i];
    json["kinds"][evaluation.kinds[i].name] = Json::Object{{"score", or_null(kind.score)},
                                                           {"ci95", or_null(kind.interval)},
                                                           {"justified", or_null(kind.justified)},
                                                           {"n", kind.n}};
  }
  json["ranks"]["human"] = ranks_json(evaluation, humans, kRevMetrics.size());
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const char* const key = kRevMetrics[metric].key;
    const RevAgreement& agreement = humans.metrics[metric];
    json["ranks"][key] = ranks_json(evaluation, humans, metric);
    Json rationales = to_json(over_rationales(agreement));
    rationales["n"] = agreement.n;
    json["agreement"][key] = Json::Object{{"kinds", to_json(over_kinds(agreement))},
                                          {"rationales", std::move(rationales)}};
  }
  return json;
}

// "|baselines:rules=2194" over all kinds' rows; "" without baselines.
std::string baselines_part(const RevEvaluation& evaluation) {
  BaselineCounts all;
  for (const RevKind& kind : evaluation.kinds) {
    for (const auto& [maker, rows] : kind.baselines) all[maker] += rows;
  }
  std::vector<std::string> counts;
  for (const auto& [maker, rows] : all) counts.push_back(maker + "=" + std::to_string(rows));
  return counts.empty() ? "" : "|baselines:" + signature_texts(counts);
}

std::string rev_signature(const RevRequest& request, const RevEvaluation& evaluation) {
  std::string signature = "rev";
  for (const auto& [kind, file] : request.files) {
    signature += "|" + signature_text(kind) + ":" + short_sha256_file(file);
  }
  signature += baselines_part(evaluation);
  if (request.rows == RowsWanted::common) {
    signature += "|common:" + std::to_string(evaluation.n) + "/" +
                 std::to_string(evaluation.n + std::ssize(evaluation.left_out));
  }
  if (!request.human.empty()) signature += "|human:" + short_sha256_file(request.human);
  return signature + signature_end(request.bootstrap);
}

}  // namespace

Json to_json(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans,
             bool resampled) {
  Json json;
  for (const RevKind& kind : evaluation.kinds) {
    json["kinds"][kind.name] = kind_json(kind, evaluation.n, resampled);
  }
  if (humans) json["human"] = human_json(evaluation, *humans);
  const std::vector<std::string> notes = rev_notes(evaluation, humans);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

Table rev_value_table(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans) {
  Table table{"", {"kind", "figure", "value", "low", "high"}, {}, {}, {}};
  const auto text = [](double value) { return Json(value).number_text(); };
  const auto add = [&](const std::string& kind, const std::string& statistic,
                       std::optional<double> value,
                       const std::optional<stats::Interval>& interval) {
    table.rows.push_back({kind, statistic, value ? text(*value) : "",
                          interval ? text(interval->low) : "",
                          interval ? text(interval->high) : ""});
  };
  for (size_t i = 0; i < evaluation.kinds.size(); ++i) {
    const RevKind& kind = evaluation.kinds[i];
    for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
      add(kind.name, kRevMetrics[metric].key, kind.means[metric], kind.intervals[metric]);
    }
    add(kind.name, "n", static_cast<double>(evaluation.n), {});
    for (const auto& [name, value] : kind.details) add(kind.name, name, value, {});
    if (!humans) continue;
    add(kind.name, "human_score", humans->kinds[i].score, humans->kinds[i].interval);
    add(kind.name, "human_justified", humans->kinds[i].justified, {});
  }
  for (size_t metric = 0; humans && metric < kRevMetrics.size(); ++metric) {
    const std::string key = kRevMetrics[metric].key;
    for (const auto& [name, value, interval] : over_kinds(humans->metrics[metric])) {
      add("", key + "_kinds_" + name, value, interval);
    }
    for (const auto& [name, value, interval] : over_rationales(humans->metrics[metric])) {
      add("", key + "_rationales_" + name, value, interval);
    }
  }
  return table;
}

SuiteOutput evaluate_rev_files(const RevRequest& request) {
  const std::vector<RevPairs> pairs = read_rev_pairs(request.files, request.rows);
  const std::vector<size_t> shown =
      choose_rows(pairs.front().seeds.front(), request.pointwise, request.show);
  std::vector<data::RationaleJudgement> judgements;
  if (!request.human.empty()) judgements = data::read_rationale_judgements(request.human);
  const RevEvaluation evaluation = evaluate_rev(pairs, request.bootstrap);
  std::optional<RevHumans> humans;
  if (!judgements.empty()) humans = evaluate_rev_humans(judgements, pairs, evaluation);
  SuiteOutput output;
  output.report.title = "Rationales by REV, LAS and RQ";
  output.report.tables = rev_tables(evaluation, humans);
  output.report.plots = rev_plots(evaluation, humans);
  output.report.signatures = {rev_signature(request, evaluation)};
  output.json = to_json(evaluation, humans, request.resampled);
  output.values = rev_value_table(evaluation, humans);
  output.notes = rev_notes(evaluation, humans);
  if (request.shows_rows()) {
    output.values = rev_row_table(evaluation, pairs, shown);
    output.report.tables.push_back(output.values);
    output.json["pointwise"] = rev_row_json(evaluation, pairs, shown);
  }
  output.json["signature"] = output.report.signatures.front();
  return output;
}

}  // namespace rubric::eval
