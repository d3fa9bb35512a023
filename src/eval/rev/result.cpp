#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "eval/rev/rev.h"
#include "eval/signature.h"

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
  const Adder of_kind{result.measurements, {.system = kind.name}};
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    Adder add = of_kind;
    add.keys.metric = kRevMetrics[metric].key;
    add.n = n;
    add.why_missing = kind.has(metric) ? "in a seed all rows leak, or none does" : kNotScored;
    Measurement& mean = add("mean", kind.means[metric], kind.intervals[metric]);
    if (resampled) mean.resampled = kind.resampled[metric];
    for (size_t seed = 0; kind.scores.size() > 1 && seed < kind.scores.size(); ++seed) {
      add.keys.seed = std::to_string(seed + 1);
      add("mean", kind.by_seed[metric][seed]);
    }
  }
  for (const auto& [name, value] : kind.details) {
    Adder add = of_kind;
    add.why_missing = name.starts_with("las_") && kind.has(kLas) ? "no such rows" : kNotScored;
    add(name, value);
  }
  of_kind.counts({{"seeds", std::ssize(kind.scores)}});
  for (size_t seed = 0; seed < kind.left_out.size(); ++seed) {
    Adder add = of_kind;
    add.keys.seed = std::to_string(seed + 1);
    add.counts({{"left_out", kind.left_out[seed]}});
  }
  for (const auto& [maker, rows] : kind.baselines) {
    Adder add = of_kind;
    add.keys.source = maker;
    add.counts({{"baselines", rows}});
  }
}

void add_humans(const RevEvaluation& evaluation, const RevHumans& humans, Result& result) {
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    const HumanKind& kind = humans.kinds[i];
    const Adder add{result.measurements,
                    {.metric = kHuman, .system = evaluation.kinds[i].name},
                    kind.n,
                    "not judged"};
    add("mean", kind.score, kind.interval);
    add("justified", kind.justified);
  }
  for (size_t metric = 0; metric <= kRevMetrics.size(); ++metric) {
    const auto ranks = ranks_of(judged_values(evaluation, humans, metric));
    Adder add{result.measurements, {}, {}, "not judged, or not scored"};
    add.keys.metric = metric < kRevMetrics.size() ? kRevMetrics[metric].key : kHuman;
    for (size_t i = 0; i < ranks.size(); ++i) {
      add.keys.system = evaluation.kinds[i].name;
      add("rank", ranks[i]);
    }
  }
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const bool is_scored =
        std::ranges::any_of(evaluation.kinds, [&](const auto& kind) { return kind.has(metric); });
    Adder add{result.measurements,
              {.metric = kRevMetrics[metric].key},
              {},
              is_scored ? "fewer than two, or equal values" : kNotScored};
    const RevAgreement& agreement = humans.metrics[metric];
    for (size_t i = 1; i < kSystemStatistics.size(); ++i) {  // ranks of kinds, not their values
      add(kSystemStatistics[i], agreement.kinds[i], agreement.kind_intervals[i]);
    }
    add.n = agreement.n;
    for (const RowStatistic which : {kSpearman, kKendall}) {
      add(kRowStatistics[which], agreement.rationales.values[which],
          agreement.rationales.intervals[which]);
    }
  }
}

// For each metric that any kind has, and for the human scores: the kinds' values, as in Figure 2 of
// Chen et al. 2022.
void add_plots(const RevEvaluation& evaluation, bool has_humans, Result& result) {
  const auto add = [&](const std::string& title, const std::string& axis, const char* metric) {
    result.interval_plots.push_back(
        {read_layout("rev", "plot", {{"title", title}, {"metric", metric}}), axis});
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
  Result result{.title = "Rationales by REV, LAS and RQ",
                .tables = {read_layout("rev", "kinds", {{"rows", std::to_string(evaluation.n)}}),
                           read_layout("rev", "details")},
                .notes = rev_notes(evaluation, humans)};
  for (const RevKind& kind : evaluation.kinds) {
    add_kind(kind, evaluation.n, resampled, result);
  }
  if (humans) {
    add_humans(evaluation, *humans, result);
    result.tables.push_back(read_layout("rev", "humans"));
    result.tables.push_back(read_layout("rev", "agreement"));
  }
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

// "rules=2194" over all kinds' rows.
std::vector<std::string> baseline_counts(const RevEvaluation& evaluation) {
  BaselineCounts all;
  for (const RevKind& kind : evaluation.kinds) {
    for (const auto& [maker, rows] : kind.baselines) all[maker] += rows;
  }
  std::vector<std::string> counts;
  for (const auto& [maker, rows] : all) counts.push_back(maker + "=" + std::to_string(rows));
  return counts;
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
  Signature signature("rev");
  for (const auto& [kind, file] : files) signature.file(signature_text(kind), file);
  signature.add("baselines", signature_texts(baseline_counts(evaluation)));
  if (request.common_rows) {
    signature.add("common", std::to_string(evaluation.n) + "/" +
                                std::to_string(evaluation.n + std::ssize(evaluation.left_out)));
  }
  return signature.file("human", request.human).end(request.bootstrap);
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
