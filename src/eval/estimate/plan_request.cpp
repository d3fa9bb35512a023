// Declared in include/rubric/plan.h.
#include <set>

#include "core/context.h"
#include "core/error.h"
#include "eval/estimate/labelled_answers.h"
#include "eval/estimate/plan.h"
#include "eval/report/table.h"
#include "rubric/plan.h"

namespace rubric {
namespace {

void check_size(const std::optional<double>& size, const std::string& option) {
  if (!size || *size > 0) return;
  throw InputError(option + " is " + eval::format_exact(*size), "", "give a number above 0");
}

void check_plan_request(const PlanRequest& request) {
  eval::check_labelled_request(request.pilot);
  if (!request.difference && !request.width) {
    throw InputError("nothing is said of what to plan for", "",
                     "give --difference, which is to be found, or --width, the widest half of an "
                     "interval; or both");
  }
  check_size(request.difference, "--difference");
  check_size(request.width, "--width");
  constexpr int64_t kFewest = 10;
  if (request.population == 0 || request.population >= kFewest) return;
  throw InputError("--population is " + std::to_string(request.population), "",
                   "give how many questions there are to draw from, 10 or more");
}

void check_population(int64_t population, const eval::LabelledAnswers& answers) {
  std::set<uint32_t> labelled;
  for (const uint32_t row : answers.labelled) labelled.insert(answers.questions.of[row]);
  if (population == 0 || population >= std::ssize(labelled)) return;
  throw InputError("--population is " + std::to_string(population) +
                       ", and the pilot has labels of " + counted(std::ssize(labelled), "question"),
                   "", "give how many questions there are to draw from, with those of the pilot");
}

std::string plan_signature(const PlanRequest& request, const std::vector<std::string>& metrics) {
  const auto number = [](const std::optional<double>& value) {
    return value ? eval::format_exact(*value) : "";
  };
  return eval::labelled_signature("plan", request.pilot, metrics,
                                  eval::hashes_of_files(request.pilot))
      .add("difference", number(request.difference))
      .add("width", number(request.width))
      .add("population", request.population > 0 ? std::to_string(request.population) : "")
      .end();
}

}  // namespace

Result plan(const PlanRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_plan_request(request);
  PlanRequest resolved = request;
  const eval::LabelledAnswers answers = eval::read_labelled_answers(resolved.pilot);
  check_population(resolved.population, answers);
  Result result = eval::plan_result(eval::plan(answers, resolved));
  result.signature = plan_signature(resolved, answers.metrics);
  result.inputs = eval::files_of(request.pilot);
  return result;
}

}  // namespace rubric
