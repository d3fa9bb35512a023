#include <utility>

#include "eval/describe/describe.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

DerivationCounts total_counts(std::span<const DerivationCounts> splits) {
  DerivationCounts sum{"total"};
  for (const DerivationCounts& split : splits) {
    sum.questions += split.questions;
    sum.derivations += split.derivations;
    sum.one_step += split.one_step;
    sum.two_steps += split.two_steps;
    sum.three_steps += split.three_steps;
    sum.more_steps += split.more_steps;
  }
  return sum;
}

void add_counts(const Keys& keys, const DerivationCounts& counts, Result& result) {
  for (const auto& [statistic, count] : {std::pair("questions", counts.questions),
                                         {"derivations", counts.derivations},
                                         {"steps_1", counts.one_step},
                                         {"steps_2", counts.two_steps},
                                         {"steps_3", counts.three_steps},
                                         {"steps_4_or_more", counts.more_steps}}) {
    result.measurements.push_back(count_of(keys, statistic, count));
  }
}

}  // namespace

DerivationCounts count_derivations(const std::string& split,
                                   std::span<const data::DerivationQuestion> questions) {
  DerivationCounts counts{split};
  counts.questions = static_cast<int64_t>(questions.size());
  for (const data::DerivationQuestion& question : questions) {
    for (const data::Derivation& derivation : question.references) {
      ++counts.derivations;
      switch (derivation.size()) {
        case 1:
          ++counts.one_step;
          break;
        case 2:
          ++counts.two_steps;
          break;
        case 3:
          ++counts.three_steps;
          break;
        default:
          ++counts.more_steps;
      }
    }
  }
  return counts;
}

Result r4c_description(std::span<const DerivationCounts> splits) {
  Result result{.title = "R4C's data"};
  for (const DerivationCounts& split : splits) add_counts({.subset = split.split}, split, result);
  const DerivationCounts sum = total_counts(splits);
  add_counts({}, sum, result);
  RowKey split{"split", &Keys::subset};
  if (splits.size() > 1) split.empty = "total";
  Layout layout{.title = "Derivations",
                .rows = {split},
                .columns = {counts_column("questions", "questions")}};
  if (sum.one_step > 0) layout.columns.push_back(counts_column("1 step", "steps_1"));
  for (const auto& [title, statistic] : {std::pair("2 steps", "steps_2"),
                                         {"3 steps", "steps_3"},
                                         {"≥ 4 steps", "steps_4_or_more"},
                                         {"derivations", "derivations"}}) {
    layout.columns.push_back(counts_column(title, statistic));
  }
  result.tables.push_back(std::move(layout));
  return result;
}

}  // namespace rubric::eval
