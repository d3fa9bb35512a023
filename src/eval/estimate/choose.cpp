#include "eval/estimate/choose.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/random.h"
#include "eval/estimate/estimate.h"
#include "eval/report/table.h"
#include "stats/cross_fitting.h"
#include "stats/unequal_sampling.h"

namespace rubric::eval {
namespace {

constexpr size_t kStrata = 5;  // of --method score

// Rows that are drawn together.
struct Unit {
  std::vector<uint32_t> rows;
  uint32_t stratum = 0;
  double size = 0;   // the mean of its rows'
  uint64_t key = 0;  // gives a random order
};

// What decides how likely each row is drawn.
struct RowSizes {
  std::vector<double> sizes;  // above 0
  std::vector<uint32_t> strata;
  std::vector<ChosenStratum> described;
  std::vector<std::string> notes;
};

// Which rows are in the earlier sheet.
std::vector<bool> earlier_rows(const ChoicePool& pool) {
  std::vector<bool> is_earlier(pool.questions.size(), false);
  for (const uint32_t row : pool.earlier) is_earlier[row] = true;
  return is_earlier;
}

// The scores by which strata are made: the only metric, or what combines several.
std::vector<double> scores_of_strata(const ChoicePool& pool) {
  if (pool.scores.size() == 1) return pool.scores.front();
  if (std::ssize(pool.labels) < kFewestLabels) {
    throw InputError("there are several metrics, and no ten labels tell how to combine them",
                     "--metric", "name one metric, whose scores make the strata");
  }
  stats::Clusters questions{pool.questions, 0};
  questions.count = size_t{*std::ranges::max_element(pool.questions)} + 1;
  return stats::cross_fitted(pool.scores, pool.labelled, pool.labels, questions);
}

// What labels differ from the line that fits them best.
std::vector<double> residuals(const ChoicePool& pool, const std::vector<double>& scores) {
  const auto n = static_cast<double>(pool.labels.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (size_t l = 0; l < pool.labels.size(); ++l) {
    x += scores[pool.labelled[l]] / n;
    y += pool.labels[l] / n;
  }
  for (size_t l = 0; l < pool.labels.size(); ++l) {
    const double of_score = scores[pool.labelled[l]] - x;
    xx += of_score * of_score;
    xy += of_score * (pool.labels[l] - y);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  std::vector<double> errors;
  for (size_t l = 0; l < pool.labels.size(); ++l) {
    errors.push_back(pool.labels[l] - y - slope * (scores[pool.labelled[l]] - x));
  }
  return errors;
}

// The standard deviation of the pilot's labels about the metric in each stratum (Neyman 1934): with
// few labels in it drawn to that of all, as if five more had this.
std::vector<double> standard_deviations_of(const ChoicePool& pool,
                                           const std::vector<double>& scores,
                                           const std::vector<uint32_t>& strata, size_t count) {
  constexpr double kPrior = 5, kLeast = 0.1;  // of that of all: no stratum is left out
  const std::vector<double> errors = residuals(pool, scores);
  std::vector<double> squares(count), labels(count);
  double all = 0;
  for (size_t l = 0; l < errors.size(); ++l) {
    const uint32_t stratum = strata[pool.labelled[l]];
    squares[stratum] += errors[l] * errors[l];
    labels[stratum] += 1;
    all += errors[l] * errors[l] / static_cast<double>(errors.size());
  }
  std::vector<double> standard_deviations;
  for (size_t h = 0; h < count; ++h) {
    const double shrunk = std::sqrt((squares[h] + kPrior * all) / (labels[h] + kPrior));
    standard_deviations.push_back(std::max(shrunk, kLeast * std::sqrt(all)));
  }
  return standard_deviations;
}

RowSizes by_score(const ChoicePool& pool, const std::vector<bool>& is_earlier) {
  const std::vector<double> scores = scores_of_strata(pool), ends = ends_of_strata(scores);
  RowSizes result;
  result.described.resize(ends.size() + 1);
  std::vector<bool> is_empty(ends.size() + 1, true);
  for (size_t row = 0; row < scores.size(); ++row) {
    const auto stratum =
        static_cast<uint32_t>(std::ranges::upper_bound(ends, scores[row]) - ends.begin());
    result.strata.push_back(stratum);
    if (is_earlier[row]) continue;
    ChosenStratum& described = result.described[stratum];
    described.low = is_empty[stratum] ? scores[row] : std::min(described.low, scores[row]);
    described.high = is_empty[stratum] ? scores[row] : std::max(described.high, scores[row]);
    ++described.answers;
    is_empty[stratum] = false;
  }
  const size_t count = result.described.size();
  if (count < kStrata) {
    result.notes.push_back(counted(std::ssize(result.described), "stratum", "strata") +
                           " in place of " + std::to_string(kStrata) +
                           ", because many answers have the same score");
  }
  std::vector<double> standard_deviations(count, 1);
  if (std::ssize(pool.labels) >= kFewestLabels) {
    standard_deviations = standard_deviations_of(pool, scores, result.strata, count);
    for (size_t h = 0; h < count; ++h)
      result.described[h].standard_deviation = standard_deviations[h];
  } else {
    result.notes.push_back("fewer than " + std::to_string(kFewestLabels) +
                           " labels so far: every answer has the same chance in all strata");
  }
  for (const uint32_t stratum : result.strata) {
    result.sizes.push_back(standard_deviations[stratum] > 0 ? standard_deviations[stratum] : 1);
  }
  return result;
}

// The share of rows with a lower score, and half of those with the same.
std::vector<double> shares_below(const std::vector<double>& scores) {
  std::vector<double> sorted = scores, shares;
  std::ranges::sort(sorted);
  for (const double score : scores) {
    const auto [low, high] = std::ranges::equal_range(sorted, score);
    const auto ranks = static_cast<double>((low - sorted.begin()) + (high - sorted.begin()));
    shares.push_back(ranks / 2 / static_cast<double>(scores.size()));
  }
  return shares;
}

// Half of the probability is alike, so that no label is to stand for many more than another.
RowSizes by_disagreement(const ChoicePool& pool) {
  if (pool.scores.size() < 2) {
    throw InputError("one metric cannot disagree", "--metric",
                     "name two or more, and score the answers with another one if they have none; "
                     "or draw with --method random");
  }
  RowSizes result;
  result.sizes = rank_disagreement(pool.scores);
  double mean_size = 0;
  for (const double size : result.sizes) {
    mean_size += size / static_cast<double>(pool.questions.size());
  }
  if (mean_size == 0) result.notes.emplace_back("metrics agree on the order of all answers");
  for (double& size : result.sizes) size = mean_size == 0 ? 1 : 1 + size / mean_size;
  return result;
}

RowSizes sizes_of(const ChoicePool& pool, ChooseMethod method,
                  const std::vector<bool>& is_earlier) {
  RowSizes result;
  if (method == ChooseMethod::score) result = by_score(pool, is_earlier);
  if (method == ChooseMethod::disagreement) result = by_disagreement(pool);
  if (result.sizes.empty()) result.sizes.assign(pool.questions.size(), 1);
  if (result.strata.empty()) result.strata.assign(pool.questions.size(), 0);
  return result;
}

std::vector<Unit> units_of(const ChoicePool& pool, const RowSizes& sizes,
                           const std::vector<bool>& is_earlier, uint64_t seed) {
  std::vector<Unit> units;
  std::map<uint32_t, size_t> of_question;
  for (uint32_t row = 0; row < pool.questions.size(); ++row) {
    if (is_earlier[row]) continue;
    size_t unit = units.size();
    if (pool.draws_questions) {
      unit = of_question.emplace(pool.questions[row], units.size()).first->second;
    }
    if (unit == units.size()) {
      units.push_back({{}, sizes.strata[row], 0, random_bits(seed, Purpose::choice, 1, row)});
    }
    units[unit].rows.push_back(row);
  }
  for (Unit& unit : units) {
    // Else the order of the systems would tell which is which.
    std::ranges::sort(unit.rows, {},
                      [&](uint32_t row) { return random_bits(seed, Purpose::choice, 3, row); });
    for (const uint32_t row : unit.rows) {
      unit.size += sizes.sizes[row] / static_cast<double>(unit.rows.size());
    }
  }
  std::ranges::sort(units, {}, [](const Unit& unit) { return std::pair(unit.stratum, unit.key); });
  return units;
}

void check_budget(const ChoicePool& pool, int64_t budget) {
  const int64_t all = std::ssize(pool.questions), earlier = std::ssize(pool.earlier);
  if (budget > all) {
    throw InputError(
        "the budget is " + std::to_string(budget) + " and there are " + counted(all, "answer"),
        "--budget", "give at most as many");
  }
  if (budget > earlier) return;
  throw InputError("the budget is " + std::to_string(budget) + " and the earlier sheet has " +
                       counted(earlier, "row"),
                   "--budget", "give how many rows the sheet is to have with those");
}

// The first sheet must have been drawn as the second one is. One of answers that were drawn by
// themselves has all answers to each of its questions by a chance that is next to nothing.
void check_units(const ChoicePool& pool) {
  if (pool.draws_questions || pool.earlier.empty()) return;
  std::map<uint32_t, std::pair<int64_t, int64_t>> of_questions;  // rows in the sheet, and in all
  for (const uint32_t row : pool.earlier) ++of_questions[pool.questions[row]].first;
  for (const uint32_t question : pool.questions) {
    const auto found = of_questions.find(question);
    if (found != of_questions.end()) ++found->second.second;
  }
  const auto is_whole = [](const auto& of) { return of.second.first == of.second.second; };
  const auto several =
      std::ranges::count_if(of_questions, [](const auto& of) { return of.second.second > 1; });
  constexpr int64_t kFewest = 2;
  if (several < kFewest || !std::ranges::all_of(of_questions, is_whole)) return;
  throw InputError(
      "the earlier sheet has all answers to each of its questions: it was drawn with --system",
      "--labels", "give the same --system, so that the new answers are drawn in the same way");
}

constexpr double kFewestDrawn = 2;  // units, without which nothing is known of their error

double mean_rows(const std::vector<Unit>& units) {
  double rows = 0;
  for (const Unit& unit : units) rows += static_cast<double>(unit.rows.size());
  return rows / static_cast<double>(units.size());
}

// How many units may be drawn for `rows` more rows.
double units_for(const std::vector<Unit>& units, int64_t rows) {
  const auto count = static_cast<double>(units.size());
  const double per_unit = mean_rows(units);
  // Half a row more is expected, at most: of 3.001 answers to a question 40 make 120 rows.
  const double drawn = std::floor((static_cast<double>(rows) + 0.5) / per_unit);
  if (drawn >= kFewestDrawn || drawn == count) return drawn;
  throw InputError("the budget leaves " + counted(rows, "row") +
                       (per_unit > 1 ? ", and the answers to one question are " +
                                           format_significant(per_unit, 3) + " on average"
                                     : ""),
                   "--budget",
                   per_unit > 1 ? "give at least " + format_significant(2 * per_unit, 3) +
                                      " more; answers to one question are drawn together"
                                : "give at least two more: one answer tells nothing of the error");
}

// Neighbours from which fewer than two units are drawn are one stratum (collapsed strata: Cochran
// 1977, 5A.12). By stratum, of units in their order: what it is called.
std::vector<std::string> stratum_names(const std::vector<Unit>& units,
                                       const std::vector<double>& probabilities, int draw) {
  constexpr double kRounding = 1e-6;
  std::vector<double> drawn(size_t{units.back().stratum} + 1);
  for (size_t u = 0; u < units.size(); ++u) drawn[units[u].stratum] += probabilities[u];
  std::vector<size_t> numbers;
  size_t count = 0;
  double sum = 0;
  for (const double of : drawn) {
    numbers.push_back(count);
    sum += of;
    if (sum < kFewestDrawn - kRounding) continue;
    ++count;
    sum = 0;
  }
  std::vector<std::string> names;
  for (const size_t number : numbers) {
    names.push_back(std::to_string(draw));
    if (count > 1) names.back() += "." + std::to_string(std::min(number, count - 1) + 1);
  }
  return names;
}

// One more than those that the earlier sheet names.
int next_draw(const std::vector<std::string>& strata) {
  int last = 0;
  for (const std::string& stratum : strata) {
    int draw = 0;
    std::from_chars(stratum.data(), stratum.data() + stratum.size(), draw);
    last = std::max(last, draw);
  }
  return last + 1;
}

// The earlier rows: answers drawn together stay together.
std::vector<size_t> in_random_order(const ChoicePool& pool, uint64_t seed) {
  std::vector<size_t> order(pool.earlier.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) {
    const uint32_t row = pool.earlier[i];
    const uint32_t unit = pool.draws_questions ? pool.questions[row] : row;
    return std::pair(random_bits(seed, Purpose::choice, 4, unit),
                     random_bits(seed, Purpose::choice, 3, row));
  });
  return order;
}

}  // namespace

std::vector<double> rank_disagreement(std::span<const std::vector<double>> scores) {
  std::vector<std::vector<double>> shares;
  for (const std::vector<double>& of_metric : scores) shares.push_back(shares_below(of_metric));
  std::vector<double> standard_deviations;
  for (size_t row = 0; row < scores.front().size(); ++row) {
    stats::Moments moments;
    for (const std::vector<double>& of_metric : shares) moments.add(of_metric[row]);
    standard_deviations.push_back(std::sqrt(moments.squares / static_cast<double>(moments.n)));
  }
  return standard_deviations;
}

std::vector<double> ends_of_strata(std::vector<double> scores) {
  std::ranges::sort(scores);
  std::vector<double> ends;
  for (size_t h = 1; h < kStrata; ++h) {
    const double end = scores[h * scores.size() / kStrata];
    if (end > scores.front() && (ends.empty() || end > ends.back())) ends.push_back(end);
  }
  return ends;
}

bool is_one_of_several(const std::string& stratum) {
  const size_t dot = stratum.find('.');
  return dot != std::string::npos && dot + 1 < stratum.size() && stratum[dot + 1] >= '1' &&
         stratum[dot + 1] <= '9';
}

Choice choose_rows(const ChoicePool& pool, ChooseMethod method, int64_t budget, uint64_t seed) {
  check_budget(pool, budget);
  check_units(pool);
  const std::vector<bool> is_earlier = earlier_rows(pool);
  RowSizes sizes = sizes_of(pool, method, is_earlier);
  const uint64_t key = random_bits(seed, Purpose::choice, 0, pool.earlier.size());
  const std::vector<Unit> units = units_of(pool, sizes, is_earlier, key);
  const int64_t more = budget - std::ssize(pool.earlier);
  const double count = units_for(units, more);
  // The mean of two estimates without bias: one from the earlier rows, and one that knows these and
  // draws from the rest. No probability of the latter is above its part.
  const double part = std::max(static_cast<double>(more) / static_cast<double>(budget),
                               count / static_cast<double>(units.size()));
  std::vector<double> of_units;
  for (const Unit& unit : units) of_units.push_back(unit.size);
  of_units = stats::inclusion_probabilities(of_units, count, part);
  const std::vector<std::string> names = stratum_names(units, of_units, next_draw(pool.strata));
  Choice choice{{}, {}, {}, std::move(sizes.described), std::move(sizes.notes)};
  for (const size_t i : in_random_order(pool, key)) {
    choice.rows.push_back(pool.earlier[i]);
    choice.probabilities.push_back(1 / ((1 - part) / pool.probabilities[i] + part));
    choice.strata.push_back(pool.strata[i]);
  }
  std::vector<size_t> drawn =
      stats::systematic_sample(of_units, uniform(random_bits(key, Purpose::choice, 2)));
  std::ranges::sort(drawn, {}, [&](size_t unit) { return mix(units[unit].key); });
  for (const size_t unit : drawn) {
    for (const uint32_t row : units[unit].rows) {
      choice.rows.push_back(row);
      choice.probabilities.push_back(std::min(of_units[unit] / part, 1.0));
      choice.strata.push_back(names[units[unit].stratum]);
      if (!choice.described.empty()) ++choice.described[sizes.strata[row]].chosen;
    }
  }
  if (std::ssize(choice.rows) != budget) {
    choice.notes.push_back(counted(std::ssize(choice.rows), "row") + " for a budget of " +
                           std::to_string(budget) +
                           ": a question is drawn with all its answers, of which there are " +
                           format_significant(mean_rows(units), 3) + " on average");
  }
  return choice;
}

}  // namespace rubric::eval
