// rubric derive behaviours: minimal pairs by rule.
#include "cli/derive/behaviours.h"

#include <algorithm>
#include <iostream>

#include "cli/shared/options.h"
#include "core/error.h"
#include "data/answers/answer_rows.h"
#include "data/behaviours/behaviours.h"
#include "data/rows/rows.h"
#include "eval/report/table.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax behaviours_syntax() {
  CommandSyntax syntax;
  std::string behaviours;
  for (const data::Behaviour* const behaviour : data::kBehaviours) {
    behaviours += "\n  " + std::string(behaviour->name) + ": " + std::string(behaviour->summary);
  }
  syntax.listed["behaviours"] = behaviours.substr(1);
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [] { return po::value<int64_t>()->default_value(0)->value_name("N"); };
  syntax.options.add_options()("input,i", text("FILE")->required(),
                               "answers to questions, with references")(
      "output,o", text("FILE")->required(), "the pairs, as JSON lines")(
      "behaviour", po::value<std::vector<std::string>>()->value_name("NAME"),
      "a behaviour, or several: a,b; may be repeated; all when left out")(
      "wordings", text("SET")->default_value("testing"), "learning, tuning or testing")(
      "each", number(), "at most N pairs of each behaviour, drawn; 0: all")(
      "seed", number(), "another seed, other wrong answers and wordings");
  add_input_format_option(syntax);
  add_field_option(syntax);
  add_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  return syntax;
}

namespace {

const std::vector<std::string> kWordings = {"learning", "tuning", "testing"};  // as data::Wordings

data::BehaviourOptions options_of(const OptionValues& values) {
  constexpr int64_t kMostPairs = int64_t{1} << 40;
  data::BehaviourOptions options;
  const std::string wordings = text_option(values, "wordings");
  const auto set = std::ranges::find(kWordings, wordings);
  if (set == kWordings.end()) throw unknown_name("set of wordings", wordings, kWordings);
  options.wordings = static_cast<data::Wordings>(set - kWordings.begin());
  options.names = names_option(values, "behaviour");
  options.pairs = integer_option(values, "each", 0, kMostPairs);
  options.seed = static_cast<uint64_t>(integer_option(values, "seed", 0, INT64_MAX));
  return options;
}

// Pairs of each behaviour, those without any too: nothing is left out in silence.
eval::Table counts_of(const data::BehaviourRows& made, const std::vector<std::string>& names) {
  eval::Table table;
  table.title = "Behaviours";
  table.header = {"behaviour", "pairs"};
  for (const data::Behaviour* const behaviour : data::kBehaviours) {
    if (!names.empty() && std::ranges::count(names, behaviour->name) == 0) continue;
    const auto n = std::ranges::count(made.rows, behaviour->name, &data::Answer::constituent);
    table.rows.push_back({std::string(behaviour->name), std::to_string(n / 2)});
  }
  eval::add_count("questions", made.questions, table.notes);
  eval::add_count("left out, because the first reference has no letter and no digit",
                  made.without_words, table.notes);
  eval::add_count(
      "without a wrong answer (no other question has a reference of the same kind and without a "
      "common word), so in no pair that needs one",
      made.without_wrong, table.notes);
  return table;
}

}  // namespace

int run_derive_behaviours(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(behaviours_syntax(), arguments);
  if (!values) return kDone;
  const std::string input = input_option(*values, "input");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {input});
  check_json_lines_name(output);
  const data::BehaviourOptions options = options_of(*values);
  const eval::OutputFormat format = format_option(*values);
  const std::vector<data::Answer> answers =
      data::read_answers(input, input_format_option(*values, input), field_option(*values));
  const data::BehaviourRows made = data::derive_behaviours(answers, options);
  if (made.rows.empty()) {
    throw InputError(
        "no question suits any of the rules", input,
        "give more questions: most wrong answers are references of other questions, of "
        "the same kind (person, other name, day or year, number, other text); year "
        "needs years alone as references, paraphrase needs human scores");
  }
  std::vector<Json> rows;
  rows.reserve(made.rows.size());
  for (const data::Answer& answer : made.rows) rows.push_back(data::answer_row(answer));
  data::write_rows(output, rows);
  std::cout << print_table(counts_of(made, options.names), format);
  return kDone;
}

}  // namespace rubric::cli
