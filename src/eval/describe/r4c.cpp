#include <algorithm>
#include <utility>

#include "eval/describe/describe.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

void add_counts(const DerivationCounts& counts, Result& result) {
  Adder{result.measurements, {.subset = counts.split}}.counts(
      {{"questions", counts.questions},
       {"derivations", counts.derivations},
       {"steps_1", counts.one_step},
       {"steps_2", counts.two_steps},
       {"steps_3", counts.three_steps},
       {"steps_4_or_more", counts.more_steps}});
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
  for (const DerivationCounts& split : splits) add_counts(split, result);
  add_totals({"questions", "derivations", "steps_1", "steps_2", "steps_3", "steps_4_or_more"},
             result);
  Layout layout = read_layout("describe", "r4c");
  const bool has_one_step =
      std::ranges::any_of(splits, [](const DerivationCounts& split) { return split.one_step > 0; });
  if (!has_one_step)
    std::erase_if(layout.columns, [](const Column& column) { return column.title == "1 step"; });
  result.tables.push_back(std::move(layout));
  return result;
}

}  // namespace rubric::eval
