#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "eval/resampling.h"
#include "eval/result/render.h"
#include "eval/rev/rev.h"

namespace rubric::eval {
namespace {

constexpr const char *kNotScored = "not scored", *kHuman = "human";

std::string interval_note(const RevEvaluation& evaluation) {
  const bool has_seeds = std::ranges::any_of(
      evaluation.kinds, [](const RevKind& kind) { return kind.scores.size() > 1; });
  std::string note = "95% intervals of " + std::to_string(evaluation.bootstrap.resamples) +
                     " bootstrap resamples" + (has_seeds ? " of seeds and rows" : "");
  if (evaluation.questions < evaluation.n) {
    note += "; " + std::to_string(evaluation.n) + " rows of " +
            std::to_string(evaluation.questions) + " questions, resampled by question";
  }
  return note;
}

// The number of rows of each file that are not common to all.
std::string left_out_note(const RevEvaluation& evaluation) {
  std::vector<std::string> files;
  for (const RevKind& kind : evaluation.kinds) {
    std::vector<std::string> by_seed;
    for (const int64_t rows : kind.left_out) by_seed.push_back(std::to_string(rows));
    files.push_back(join(by_seed, " and ") + " of " + kind.name);
  }
  return "Only the " + std::to_string(evaluation.n) + " of " +
         std::to_string(evaluation.n + std::ssize(evaluation.left_out)) +
         " rows that all files hold, with all scores; left out: " + join(files);
}

// Empty when the kinds' baselines were made in the same way.
std::string baseline_note(const RevEvaluation& evaluation) {
  std::set<std::string> different;
  std::vector<std::string> kinds;
  for (const RevKind& kind : evaluation.kinds) {
    if (kind.baselines.empty()) continue;
    std::vector<std::string> makers;
    for (const auto& [maker, rows] : kind.baselines) makers.push_back(maker);
    different.insert(join(makers));
    kinds.push_back(kind.name + " by " + join(makers, " and "));
  }
  if (different.size() < 2) return "";
  return "The kinds' baselines were not made alike, and REV is the gain over them: " +
         join(kinds, "; ");
}

// On the metrics that a kind lacks, and on LAS, which needs rows in both of its groups.
std::vector<std::string> metric_notes(const RevKind& kind) {
  std::vector<std::string> notes, not_scored;
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    if (!kind.has(metric)) not_scored.emplace_back(kRevMetrics[metric].title);
  }
  if (!not_scored.empty()) notes.push_back(join(not_scored) + " of " + kind.name + ": not scored");
  if (!kind.has(kLas)) return notes;
  if (!kind.means[kLas]) {
    notes.push_back("LAS of " + kind.name + " is undefined: in a seed all rows leak, or none does");
    return notes;
  }
  const auto undefined =
      std::ranges::count_if(kind.resampled[kLas], [](const auto& statistic) { return !statistic; });
  if (undefined > 0) {
    notes.push_back("LAS of " + kind.name + ": " + std::to_string(undefined) +
                    " resamples without rows in both groups are left out of the interval");
  }
  return notes;
}

void add_human_notes(const RevHumans& humans, std::vector<std::string>& notes) {
  add_count("Rationales that as many annotators call justified as not, which counts as not (-1)",
            humans.ties, notes);
  add_count("Judgements of kinds that are not evaluated, which do not count", humans.other_kinds,
            notes);
  add_count("Judgements of rows that are left out, which do not count", humans.left_out, notes);
  if (!humans.is_same_rows) notes.emplace_back("Not the same rows are judged of every kind");
}

// How intervals are computed, rows left out, what is not scored or undefined, seeds whose texts
// differ, baselines made in different ways; judgements that tie, are ignored, or are not of the
// same rows for every kind.
std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans) {
  std::vector<std::string> notes = {interval_note(evaluation)};
  if (!evaluation.left_out.empty()) notes.push_back(left_out_note(evaluation));
  notes.push_back(baseline_note(evaluation));
  std::erase(notes, "");
  for (const RevKind& kind : evaluation.kinds) {
    for (std::string& note : metric_notes(kind)) notes.push_back(std::move(note));
    add_count(kind.name + ": rows whose label or rationale is not the same in all seeds",
              std::ranges::count(kind.has_other_texts, true), notes);
  }
  if (humans) add_human_notes(*humans, notes);
  return notes;
}

// Measurements.

void add_kind(const RevKind& kind, int64_t n, bool resampled, Result& result) {
  const Keys keys{.system = kind.name};
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const std::string why = kind.has(metric) ? "in a seed all rows leak, or none does" : kNotScored;
    Measurement one{.keys = keys, .interval = kind.intervals[metric], .n = n};
    one.keys.metric = kRevMetrics[metric].key;
    if (resampled) one.resampled = kind.resampled[metric];
    add_value(one, "mean", kind.means[metric], why, result.measurements);
    for (size_t seed = 0; kind.scores.size() > 1 && seed < kind.scores.size(); ++seed) {
      Keys of_seed = one.keys;
      of_seed.seed = std::to_string(seed + 1);
      add_value({.keys = of_seed, .n = n}, "mean", kind.by_seed[metric][seed], why,
                result.measurements);
    }
  }
  for (const auto& [name, value] : kind.details) {
    const bool is_group = name.starts_with("las_") && kind.has(kLas);
    add_value({.keys = keys}, name, value, is_group ? "no such rows" : kNotScored,
              result.measurements);
  }
  result.measurements.push_back(count_of(keys, "seeds", std::ssize(kind.scores)));
  for (size_t seed = 0; seed < kind.left_out.size(); ++seed) {
    result.measurements.push_back(count_of({.system = kind.name, .seed = std::to_string(seed + 1)},
                                           "left_out", kind.left_out[seed]));
  }
  for (const auto& [maker, rows] : kind.baselines) {
    result.measurements.push_back(
        count_of({.system = kind.name, .source = maker}, "baselines", rows));
  }
}

void add_humans(const RevEvaluation& evaluation, const RevHumans& humans, Result& result) {
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    const HumanKind& kind = humans.kinds[i];
    const Keys keys{.metric = kHuman, .system = evaluation.kinds[i].name};
    add_value({.keys = keys, .interval = kind.interval, .n = kind.n}, "mean", kind.score,
              "not judged", result.measurements);
    add_value({.keys = keys, .n = kind.n}, "justified", kind.justified, "not judged",
              result.measurements);
  }
  for (size_t metric = 0; metric <= kRevMetrics.size(); ++metric) {
    const auto ranks = ranks_of(judged_values(evaluation, humans, metric));
    for (size_t i = 0; i < ranks.size(); ++i) {
      add_value({.keys = {.metric = metric < kRevMetrics.size() ? kRevMetrics[metric].key : kHuman,
                          .system = evaluation.kinds[i].name}},
                "rank", ranks[i], "not judged, or not scored", result.measurements);
    }
  }
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const bool is_scored =
        std::ranges::any_of(evaluation.kinds, [&](const auto& kind) { return kind.has(metric); });
    const std::string why = is_scored ? "fewer than two, or equal values" : kNotScored;
    const RevAgreement& agreement = humans.metrics[metric];
    const auto add = [&](const std::string& statistic, std::optional<double> value,
                         const std::optional<stats::Interval>& interval,
                         std::optional<int64_t> n = {}) {
      add_value({.keys = {.metric = kRevMetrics[metric].key}, .interval = interval, .n = n},
                statistic, value, why, result.measurements);
    };
    const stats::Correlations &kinds = agreement.kinds.correlations,
                              &rationales = agreement.rationales.correlations;
    const SystemInterval& intervals = agreement.kind_intervals;
    add("system_spearman", kinds.spearman, intervals.spearman);
    add("system_kendall", kinds.kendall, intervals.kendall);
    add("system_pairwise_accuracy", agreement.kinds.pairwise_accuracy, intervals.pairwise_accuracy);
    add("spearman", rationales.spearman, agreement.rationales.spearman, agreement.n);
    add("kendall", rationales.kendall, agreement.rationales.kendall, agreement.n);
  }
}

// Layouts.

RowKey kind_row() {
  return {"kind", &Keys::system};
}

// A column for each metric.
void add_metric_columns(const std::string& statistic, const std::string& prefix, NumberForm form,
                        Layout& layout) {
  for (const RevMetric& metric : kRevMetrics) {
    layout.columns.push_back({.title = prefix + metric.title,
                              .statistics = {statistic},
                              .keys = {.metric = metric.key},
                              .form = form});
  }
}

Layout kind_layout(const RevEvaluation& evaluation) {
  Layout layout{.title = "REV, LAS and RQ of " + std::to_string(evaluation.n) + " rows",
                .rows = {kind_row()}};
  add_metric_columns("mean", "", NumberForm::fixed4, layout);
  layout.columns.push_back(counts_column("seeds", "seeds"));
  return layout;
}

Layout detail_layout() {
  Layout layout{.title = "Behind them: shares of the rows, and LAS of its two groups",
                .rows = {kind_row()},
                .notes = {"sim: how often the simulator that reads the question (x), the rationale "
                          "(r) or both chooses the label"}};
  for (const auto& [title, statistic] : {std::pair("REV > 0", "positive"),
                                         {"label = gold", "correct_labels"},
                                         {"sim(x)", "sim_x"},
                                         {"sim(r)", "sim_r"},
                                         {"sim(x,r)", "sim_xr"}}) {
    layout.columns.push_back({.title = title, .statistics = {statistic}});
  }
  layout.columns.push_back(counts_column("leaking", "leaking"));
  layout.columns.push_back(counts_column("not leaking", "non_leaking"));
  layout.columns.push_back({.title = "LAS, leaking", .statistics = {"las_leaking"}});
  layout.columns.push_back({.title = "LAS, not leaking", .statistics = {"las_non_leaking"}});
  return layout;
}

Layout human_layout() {
  const Keys human{.metric = kHuman};
  Layout layout{
      .title = "Human judgements of the kinds, and the kinds' ranks",
      .rows = {kind_row()},
      .columns = {{.title = "judged", .statistics = {"mean"}, .keys = human, .part = CellPart::n},
                  {.title = "justified", .statistics = {"justified"}, .keys = human},
                  {.title = "score", .statistics = {"mean"}, .keys = human},
                  {.title = "rank by humans",
                   .statistics = {"rank"},
                   .keys = human,
                   .form = NumberForm::count}}};
  add_metric_columns("rank", "by ", NumberForm::count, layout);
  return layout;
}

Layout agreement_layout() {
  return {.title = "Agreement with human scores, over kinds and over judged rationales",
          .rows = {{"metric", &Keys::metric}},
          .columns = {{"kinds: Spearman", {"system_spearman"}},
                      {"kinds: Kendall", {"system_kendall"}},
                      {"kinds: pairs in order", {"system_pairwise_accuracy"}},
                      {.title = "rationales: n", .statistics = {"spearman"}, .part = CellPart::n},
                      {"rationales: Spearman", {"spearman"}},
                      {"rationales: Kendall", {"kendall"}}},
          .notes = {"pairs in order: the share of the pairs of kinds that humans tell apart which "
                    "the metric orders as they do"}};
}

// For each metric that any kind has, and for the human scores: the kinds' values, as in Figure 2 of
// Chen et al. 2022.
void add_plots(const RevEvaluation& evaluation, bool has_humans, Result& result) {
  const auto add = [&](const std::string& title, const std::string& axis, const char* metric) {
    result.interval_plots.push_back({{.title = title + " by kind, 95% intervals",
                                      .rows = {kind_row()},
                                      .columns = {{.statistics = {"mean"}}},
                                      .keys = {.metric = metric}},
                                     axis});
  };
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const auto has_value = [&](const RevKind& kind) { return kind.means[metric].has_value(); };
    const std::string title = kRevMetrics[metric].title;
    if (std::ranges::any_of(evaluation.kinds, has_value)) {
      add(title, metric == kRev ? title + ", nats" : title, kRevMetrics[metric].key);
    }
  }
  if (has_humans) add("Human scores", "-1 (not justified) to 3 (enough information)", kHuman);
}

}  // namespace

Result rev_result(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans,
                  bool resampled) {
  Result result{
      .title = "Rationales by REV, LAS and RQ",
      .tables = {kind_layout(evaluation), detail_layout(), human_layout(), agreement_layout()},
      .notes = rev_notes(evaluation, humans)};
  for (const RevKind& kind : evaluation.kinds) {
    add_kind(kind, evaluation.n, resampled, result);
  }
  if (humans) add_humans(evaluation, *humans, result);
  if (!humans) result.tables.resize(2);
  add_plots(evaluation, humans.has_value(), result);
  return result;
}

std::vector<size_t> choose_rows(std::span<const data::ScoredRationale> rows, int64_t count,
                                std::span<const std::string> ids) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < rows.size() && std::cmp_less(i, count); ++i) chosen.push_back(i);
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(rows, id, &data::ScoredRationale::id);
    if (found == rows.end()) {
      throw InputError("no row has the id " + json_quote(id), "--show", "name one of the files'");
    }
    const auto row = static_cast<size_t>(found - rows.begin());
    if (std::ranges::find(chosen, row) == chosen.end()) chosen.push_back(row);
  }
  return chosen;
}

namespace {

Records rationale_records(const RevEvaluation& evaluation, std::span<const RevPairs> pairs,
                          std::span<const size_t> chosen) {
  std::vector<std::vector<RecordValue>> rows;
  for (size_t k = 0; k < pairs.size(); ++k) {
    for (const size_t i : chosen) {
      for (size_t seed = 0; seed < pairs[k].seeds.size(); ++seed) {
        const data::ScoredRationale& row = pairs[k].seeds[seed][i];
        rows.push_back({pairs[k].kind, std::to_string(seed + 1), row.id, row.question, row.premise,
                        row.hypothesis, row.label, row.gold, row.rationale});
        const RevScores& scores = evaluation.kinds[k].scores[seed];
        for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
          RecordValue& value = rows.back().emplace_back();
          if (scores.has(metric)) value = scores.values[metric][i];
        }
      }
    }
  }
  return held_records({.name = "rationales",
                       .title = "Row by row",
                       .columns = {"system", "seed", "id", "question", "premise", "hypothesis",
                                   "label", "gold", "rationale", "rev", "las", "rq"},
                       .key_columns = 3,
                       .is_whole = true},
                      std::move(rows));
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

std::vector<RevFile> files_of(const std::vector<std::string>& assignments) {
  std::vector<RevFile> files;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == assignment.size()) {
      throw InputError("expected KIND=FILE, found " + json_quote(assignment), "--pairs",
                       "name the kind before the file: gold=gold.jsonl");
    }
    RevFile file{assignment.substr(0, equals), assignment.substr(equals + 1)};
    for (const RevFile& other : files) {
      if (!is_same_file(other.second.string(), file.second.string())) continue;
      throw InputError("a file is named twice: " + file.second.string(), "--pairs",
                       "give each kind and seed its own file");
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::string rev_signature(const RevRequest& request, const std::vector<RevFile>& files,
                          const RevEvaluation& evaluation) {
  std::string signature = "rev";
  for (const auto& [kind, file] : files) {
    signature += "|" + signature_text(kind) + ":" + short_sha256_file(file);
  }
  signature += baselines_part(evaluation);
  if (request.common_rows) {
    signature += "|common:" + std::to_string(evaluation.n) + "/" +
                 std::to_string(evaluation.n + std::ssize(evaluation.left_out));
  }
  if (!request.human.empty()) signature += "|human:" + short_sha256_file(request.human);
  return signature + signature_end(request.bootstrap);
}

}  // namespace

Result evaluate_rev_files(const RevRequest& request, const Context& context) {
  const ContextScope scope(context);
  const std::vector<RevFile> files = files_of(request.pairs);
  const std::vector<RevPairs> pairs =
      read_rev_pairs(files, request.common_rows ? RowsWanted::common : RowsWanted::same);
  const std::vector<size_t> shown =
      choose_rows(pairs.front().seeds.front(), request.pointwise, request.show);
  std::vector<data::RationaleJudgement> judgements;
  if (!request.human.empty()) judgements = data::read_rationale_judgements(request.human);
  const RevEvaluation evaluation = evaluate_rev(pairs, request.bootstrap);
  std::optional<RevHumans> humans;
  if (!judgements.empty()) humans = evaluate_rev_humans(judgements, pairs, evaluation);
  Result result = rev_result(evaluation, humans, request.resampled);
  result.signature = rev_signature(request, files, evaluation);
  for (const auto& [kind, file] : files) result.inputs.push_back(file.string());
  if (!request.human.empty()) result.inputs.push_back(request.human);
  if (!shown.empty()) result.records.push_back(rationale_records(evaluation, pairs, shown));
  return result;
}

}  // namespace rubric::eval
