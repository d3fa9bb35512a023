#include "eval/describe/describe.h"

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

Json derivation_counts_json(const DerivationCounts& counts) {
  Json json;
  json["questions"] = counts.questions;
  json["derivations"] = counts.derivations;
  json["derivations of 1 step"] = counts.one_step;
  json["derivations of 2 steps"] = counts.two_steps;
  json["derivations of 3 steps"] = counts.three_steps;
  json["derivations of 4 steps and more"] = counts.more_steps;
  return json;
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

Table r4c_description_table(std::span<const DerivationCounts> splits) {
  const DerivationCounts sum = total_counts(splits);
  const bool has_one_step = sum.one_step > 0;
  Table table{"Derivations", {"split", "questions"}, {}, {Align::left}, {}};
  if (has_one_step) table.header.emplace_back("1 step");
  for (const char* const column : {"2 steps", "3 steps", "≥ 4 steps", "derivations"}) {
    table.header.emplace_back(column);
  }
  const auto add = [&](const DerivationCounts& counts) {
    std::vector<std::string> row = {counts.split, std::to_string(counts.questions)};
    if (has_one_step) row.push_back(std::to_string(counts.one_step));
    for (const int64_t count :
         {counts.two_steps, counts.three_steps, counts.more_steps, counts.derivations}) {
      row.push_back(std::to_string(count));
    }
    table.rows.push_back(std::move(row));
  };
  for (const DerivationCounts& split : splits) add(split);
  if (splits.size() > 1) add(sum);
  return table;
}

Table r4c_description_value_table(std::span<const DerivationCounts> splits) {
  Table table{"", {"split", "figure", "value"}, {}, {}, {}};
  for (const DerivationCounts& split : splits) {
    const Json counts = derivation_counts_json(split);
    for (const auto& [statistic, value] : counts.object()) {
      table.rows.push_back({split.split, statistic, value.number_text()});
    }
  }
  return table;
}

Json to_json(std::span<const DerivationCounts> splits) {
  Json json;
  for (const DerivationCounts& split : splits)
    json["splits"][split.split] = derivation_counts_json(split);
  json["total"] = derivation_counts_json(total_counts(splits));
  return json;
}

}  // namespace rubric::eval
