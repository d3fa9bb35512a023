#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "eval/agreement/agreement.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "eval/result/render.h"
#include "metrics/list.h"

namespace rubric::eval {
namespace {

// Whether the tests' assumption holds: Williams' test assumes independent rows.
bool tests_hold(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  return agreement.options.test == AgreementTest::permutation || all.questions == all.n;
}

// Whether every metric that has a correlation has an interval of r below 0.
bool are_reversed(const GroupAgreement& group) {
  const auto has_r = [](const MetricAgreement& metric) {
    return metric.values[kPearson].has_value();
  };
  return std::ranges::any_of(group.metrics, has_r) &&
         std::ranges::all_of(group.metrics, [&](const MetricAgreement& metric) {
           return !has_r(metric) ||
                  (metric.intervals[kPearson] && metric.intervals[kPearson]->high < 0);
         });
}

// "" when fewer than two metrics have a correlation, unless labels are the wrong way round.
std::string best_metric_note(const Agreement& agreement, const GroupAgreement& group,
                             std::span<const Measurement> measurements) {
  const std::string where = group.is_unseen ? name_of(group) + ": " : "";
  if (are_reversed(group)) return where + reversed_note(agreement.metrics);
  std::vector<size_t> order = by_agreement(group);
  std::erase_if(order, [&](size_t i) { return !group.metrics[i].values[kPearson]; });
  if (order.size() < 2) return "";
  const std::string value = "Pearson's r";
  std::vector<std::string> metrics;
  for (const size_t i : order) metrics.push_back(agreement.metrics[i]);
  if (!tests_hold(agreement)) return where + metrics.front() + " has the highest " + value;
  const Keys keys{.subset = group.is_unseen ? kUnseen : "", .method = method_of(agreement)};
  return where + best_note(measurements, keys, &Keys::metric, metrics, {metrics.front()}, value);
}

// What else a group of one label lacks.
std::string undefined_binary(const Agreement& agreement, const GroupAgreement& group) {
  if (!agreement.labels) return "";
  if (!agreement.dev) return ", and so are ROC AUC, accuracy, F1 and ECE";
  return group.positives > 0 ? ", and so is ROC AUC"
                             : ", and so are ROC AUC and F1, as no row is positive";
}

// What a group lacks, and why; "": nothing.
std::string undefined_note(const Agreement& agreement, const GroupAgreement& group) {
  if (group.is_human_constant) {
    return why_undefined(group) + ", correlations" + (group.n < 2 ? "" : " and pairwise accuracy") +
           " are undefined" + undefined_binary(agreement, group);
  }
  if (group.n == 2) return why_undefined(group) + ", correlations are undefined";
  std::vector<std::string> constant;
  for (size_t i = 0; i < group.metrics.size(); ++i) {
    if (!group.metrics[i].values[kPearson]) constant.push_back(agreement.metrics[i]);
  }
  if (constant.empty()) return "";
  return "all scores are the same, correlations are undefined for " + join(constant);
}

// Where labels differ, but not within questions.
std::string pairs_note(const GroupAgreement& group) {
  if (group.is_human_constant || group.pairs.n == 0 || group.pairs.tied != 1) return "";
  return why_no_pairs(group) + ", pairwise accuracy is undefined";
}

// "" if the thresholds of the halves can be measured, or no value for two labels is defined anyway.
std::string halves_note(const Agreement& agreement, const GroupAgreement& group) {
  if (!agreement.labels || group.has_halves || group.is_human_constant) return "";
  return "a half of the questions has one of the two labels only, accuracy, F1 and ECE are "
         "undefined";
}

std::string few_rows_note(const Agreement& agreement, const GroupAgreement& group) {
  constexpr int64_t kFewest = 4;
  if (group.n >= kFewest || agreement.metrics.size() < 2) return "";
  return "too few rows (" + std::to_string(group.n) + ") to test metrics against each other";
}

// What groups lack: one sentence of all that lack it for the same reason.
std::vector<std::string> lack_notes(const Agreement& agreement) {
  std::vector<std::string> notes;
  std::map<std::string, std::vector<std::string>> groups;  // by note
  for (const GroupAgreement& group : agreement.groups) {
    for (const std::string& note :
         {undefined_note(agreement, group), pairs_note(group), halves_note(agreement, group),
          few_rows_note(agreement, group)}) {
      if (note.empty()) continue;
      std::vector<std::string>& names = groups[note];
      if (names.empty()) notes.push_back(note);
      names.push_back(name_of(group));
    }
  }
  for (std::string& note : notes) note = join_some(groups[note]) + ": " + note;
  return notes;
}

// On the pairs of all rows, and on those of groups that have others.
std::vector<std::string> pair_notes(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  if (all.pairs.n == 0 || all.pairs.tied == 1) return {};
  const std::string which = all.pairs.is_within_questions ? " within questions" : "";
  std::vector<std::string> notes = {
      "pairwise accuracy (acc_eq): the share of " + counted(all.pairs.n, "pair") + " of rows" +
      which +
      " that the metric orders or ties as humans do. It ties scores that differ by at most "
      "epsilon. Tables round epsilon, CSV and JSON have all its digits. A metric with "
      "one score for all rows has " +
      cell(all.pairs.tied)};
  std::vector<std::string> others;
  for (const GroupAgreement& group : agreement.groups) {
    if (group.pairs.n > 0 && group.pairs.is_within_questions != all.pairs.is_within_questions) {
      others.push_back(name_of(group));
    }
  }
  if (others.empty()) return notes;
  notes.push_back(std::string("pairwise accuracy of ") +
                  (all.pairs.is_within_questions ? "all pairs of rows, not only within questions: "
                                                 : "pairs of rows within questions: ") +
                  join_some(others));
  return notes;
}

// Notes on what the intervals resample, and what they and the tests assume to be independent.
std::vector<std::string> resampling_notes(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  const std::string unit = agreement.has_questions ? "question" : "record";
  std::vector<std::string> notes = {"95% intervals of " +
                                    std::to_string(agreement.options.bootstrap.resamples) +
                                    " bootstrap resamples (percentiles)"};
  std::vector<CountedQuestions> parts;
  for (const GroupAgreement& group : agreement.groups) {
    parts.push_back({name_of(group), group.questions});
  }
  notes.push_back(few_questions_note(parts));
  if (all.questions == all.n) {
    if (!agreement.has_questions) {
      notes.emplace_back("no row has a \"question\": rows are taken as independent");
    }
    return notes;
  }
  notes.push_back(name_of(all) + ": " + counted(all.n, "row") + " of " +
                  counted(all.questions, unit) + ", resampled by " + unit +
                  (agreement.groups.size() > 1 ? ", as every group is" : ""));
  if (agreement.metrics.size() < 2) return notes;
  notes.push_back(tests_hold(agreement)
                      ? "the permutation test permutes the rows of a " + unit +
                            " together; --test williams takes rows as independent"
                      : "Williams' test takes rows as independent, but those of one " + unit +
                            " are not: --test permutation permutes them together");
  return notes;
}

// What models have seen, and where the values on the other rows are.
std::vector<std::string> notes_of_seen(const Agreement& agreement) {
  std::vector<std::string> notes =
      seen_notes(agreement.metrics, agreement.seen, agreement.groups.front().n);
  if (notes.empty()) return notes;
  const bool has_unseen = agreement.groups.size() > 1 && agreement.groups[1].is_unseen;
  notes.push_back(
      has_unseen ? "unseen questions: " + counted(agreement.groups[1].n, "row has", "rows have") +
                       " questions that no metric's model was trained or tuned on"
                 : "no row has a question that the models have not seen");
  return notes;
}

std::string systems_note(const std::vector<std::string>& systems) {
  if (systems.size() == 1) {
    return "one system only (" + systems[0] + "): no values at the level of systems";
  }
  if (systems.size() == 2) {
    return "two systems always correlate by 1 or -1: only their order is given";
  }
  return "";
}

}  // namespace

std::string why_undefined(const GroupAgreement& group) {
  if (group.is_human_constant) return group.n < 2 ? "one row" : "all human labels are the same";
  return group.n == 2 ? "two rows, of which a correlation is 1 or -1" : "all scores are the same";
}

std::string why_no_pairs(const GroupAgreement& group) {
  if (group.pairs.n == 0) return "no pair of rows";
  return std::string("all pairs of rows") +
         (group.pairs.is_within_questions ? " within questions" : "") + " have the same labels";
}

std::string reversed_note(std::span<const std::string> metrics) {
  return "labels fall as " + (metrics.size() == 1 ? metrics.front() : "every metric") +
         " rises: check that the higher label is that of the better answer";
}

std::vector<std::string> agreement_notes(const Agreement& agreement,
                                         std::span<const Measurement> measurements) {
  std::vector<std::string> notes = notes_of_seen(agreement);
  const auto add = [&](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  for (const GroupAgreement& group : agreement.groups) {
    if (group.name.empty()) notes.push_back(best_metric_note(agreement, group, measurements));
  }
  const std::string direction = metrics::direction_note(agreement.metrics);
  if (!direction.empty()) notes.push_back(direction + ": they are negated here");
  add(resampling_notes(agreement));
  add(pair_notes(agreement));
  if (agreement.unlabelled > 0) notes.push_back(unlabelled_note(agreement.unlabelled));
  add(agreement.notes);
  add(lack_notes(agreement));
  if (!agreement.systems.empty()) {
    notes.push_back(systems_note(agreement.systems));
    notes.push_back(row_means_note(agreement.metrics));
  }
  std::erase(notes, "");
  return notes;
}

std::vector<std::string> seen_notes(std::span<const std::string> metrics,
                                    std::span<const SeenCounts> seen, int64_t rows) {
  std::vector<std::string> notes;
  for (size_t i = 0; i < seen.size(); ++i) {
    const auto& [trained, tuned] = seen[i];
    if (trained + tuned == 0) continue;
    notes.push_back(metrics[i] + ": its model was trained on the questions of " +
                    counted(trained, "row") + " and tuned on those of " + std::to_string(tuned) +
                    ", of " + std::to_string(rows) +
                    ": on all rows its values do not show how it agrees on new questions");
  }
  return notes;
}

std::string name_of(const GroupAgreement& group) {
  if (group.is_unseen) return kUnseen;
  return group.name.empty() ? "all rows" : group.name;
}

std::string unlabelled_note(int64_t rows) {
  return counted(rows, "row") + " without a human label left out";
}

std::string row_means_note(std::span<const std::string> names) {
  std::vector<std::string> averaged;
  for (const std::string& name : names) {
    const auto* const kind = find<metrics::MetricKind>(metrics::kMetrics, name);
    if (kind != nullptr && kind->has_corpus_score) averaged.push_back(name);
  }
  if (averaged.empty()) return "";
  return join(averaged) +
         ": means of the rows' scores, not the corpus score that `rubric score` gives for a file";
}

void warn_of_scales(const std::string& metric, std::span<const std::string> systems,
                    std::span<const ScoreRange> ranges) {
  // Scores of 1 to 5 may be 1 at most for a system that has no good answer.
  constexpr double kFar = 10;
  const auto is_share = [](const ScoreRange& range) {
    return range.least >= 0 && range.most > 0 && range.most <= 1;
  };
  const auto low = std::ranges::find_if(ranges, is_share);
  const auto high = std::ranges::max_element(ranges, {}, &ScoreRange::most);
  if (low == ranges.end() || high->most <= kFar) return;
  log_warning(metric + ": the scores of " + systems[low - ranges.begin()] +
              " lie between 0 and 1, and those of " + systems[high - ranges.begin()] + " reach " +
              Json(high->most).dump() +
              ": where these are percentages, divide them by 100, as means on two scales are not "
              "comparable");
}

std::vector<std::string> binary_notes(const Agreement& agreement) {
  const GroupAgreement& all = agreement.groups.front();
  const auto n = static_cast<double>(all.n), positives = static_cast<double>(all.positives);
  std::vector<std::string> notes = {
      "positive: label " + Json(agreement.labels->positive).dump() + " (" +
      counted(all.positives, "row") + "; the negative label is " +
      Json(agreement.labels->negative).dump() + "); predicting all rows positive has accuracy " +
      format_fixed(positives / n, 3) + " and F1 " +
      format_fixed(2 * positives / (n + positives), 3)};
  const std::string predicted =
      "threshold: a row is predicted positive if its score is at least the threshold (inf: no row "
      "is). ";
  const std::string ece =
      " ECE is the expected calibration error, with ten bins of equal numbers of rows";
  if (!agreement.dev) {
    notes.push_back(
        predicted +
        "The first is the best on all rows, and the one to use. The other two are the best on each "
        "half of the questions: where they lie far apart, the rows are too few to rely on it");
    notes.push_back(
        "accuracy, F1 and ECE: each half is measured with the threshold, or the logistic curve, "
        "of the other half." +
        ece);
    return notes;
  }
  const DevRows& dev = *agreement.dev;
  notes.push_back(predicted + "It is the best on the " + counted(dev.n, "dev row") + " (" +
                  std::to_string(dev.positives) + " positive)");
  notes.push_back(
      "accuracy, F1 and ECE: all rows and every group are measured with the threshold, or the "
      "logistic curve, of the dev rows." +
      ece);
  if (dev.unlabelled > 0) notes.push_back("dev rows: " + unlabelled_note(dev.unlabelled));
  if (dev.shared > 0) {
    notes.push_back(counted(dev.shared, "row has", "rows have") +
                    " a question that the dev rows have too: thresholds may look too good there");
  }
  return notes;
}

}  // namespace rubric::eval
