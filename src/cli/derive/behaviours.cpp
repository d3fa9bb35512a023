// rubric derive behaviours: minimal pairs by rule.
#include <algorithm>

#include "cli/derive/list.h"
#include "core/context.h"
#include "core/error.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"
#include "eval/result/render.h"

namespace rubric::cli {

namespace {

// Pairs of each behaviour, those without any too: nothing is left out in silence.
Result counts_of(const data::BehaviourRows& made, const std::vector<std::string>& names) {
  Result result{
      .title = "Behaviours",
      .tables = {
          {.title = "Behaviours",
           .rows = {{"behaviour", &Keys::group}},
           .columns = {eval::counts_column("pairs", "pairs")}},
          {.title = "Questions",
           .columns = {eval::counts_column("questions", "questions"),
                       eval::counts_column("without words", "without_words"),
                       eval::counts_column("without incorrect", "without_incorrect")},
           .notes = {"without words: left out, as the first reference has no letter and no "
                     "digit; without incorrect: in no pair that needs an incorrect answer, as no "
                     "other question has a reference of the same kind and without a common "
                     "word"}}}};
  for (const data::Behaviour* const behaviour : data::kBehaviours) {
    if (!names.empty() && std::ranges::count(names, behaviour->name) == 0) continue;
    const auto n = std::ranges::count(made.rows, behaviour->name, &data::Answer::constituent);
    result.measurements.push_back(
        eval::count_of({.group = std::string(behaviour->name)}, "pairs", n / 2));
  }
  result.measurements.push_back(eval::count_of({}, "questions", made.questions));
  result.measurements.push_back(eval::count_of({}, "without_words", made.without_words));
  result.measurements.push_back(eval::count_of({}, "without_incorrect", made.without_incorrect));
  return result;
}

}  // namespace

std::map<std::string, std::string> listed_behaviours() {
  std::vector<std::string> lines;
  for (const data::Behaviour* const behaviour : data::kBehaviours) {
    lines.push_back("  " + std::string(behaviour->name) + ": " + std::string(behaviour->summary));
  }
  return {{"behaviours", join(lines, "\n")}};
}

Result derive_behaviours(const BehavioursRequest& request, const Context& context) {
  const ContextScope scope(context);
  const std::vector<data::Answer> answers =
      data::read_answers(request.input, data::input_format(request.row_format, request.input),
                         request.row_format.fields);
  data::warn_of_stray_scores(answers, [&](size_t) { return request.input.string(); });
  const data::BehaviourRows made = data::derive_behaviours(answers, request.options);
  if (made.rows.empty()) {
    throw InputError(
        "no question suits any of the rules", request.input.string(),
        "give more questions: most incorrect answers are references of other questions, of "
        "the same kind (person, other name, day or year, number, other text); year "
        "needs years alone as references, paraphrase needs human scores");
  }
  std::vector<Json> rows;
  rows.reserve(made.rows.size());
  for (const data::Answer& answer : made.rows) rows.push_back(data::answer_row(answer));
  data::write_rows(request.output, rows);
  Result result = counts_of(made, request.options.names);
  result.inputs = {request.input.string()};
  return result;
}

}  // namespace rubric::cli
