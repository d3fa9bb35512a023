// `plan`: how many labels it takes, from a pilot.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/estimate/estimate.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "rubric/plan.h"

namespace rubric::eval {

using rubric::PlannedKind;
using rubric::PlannedLabels;
using rubric::PlannedQuestions;
using rubric::PlanRequest;
using rubric::PlanResult;

// Throws InputError as estimate() does, and where there is no difference to find. Tells its
// progress.
PlanResult plan(const LabelledAnswers& answers, const PlanRequest& request);

// For each aim how many questions it takes with the source that takes least, and with labels alone,
// until the last of all means, or differences, reaches it.
std::string plan_sentence(const PlanResult& result);

// A table for each aim; the sentence is the first note.
std::vector<Table> plan_tables(const PlanResult& result);

// A value a row: kind ("mean", "difference", "correlation", "correlation_difference"), first,
// second, aim ("difference", "width"), size, source ("labels", "both"), metric, questions,
// simulated_questions, labels_per_question.
Table plan_value_table(const PlanResult& result);

// {"human", "difference", "width", "population", "planned": [{"kind", "first", "second", "aim",
// "labels_per_question", "labels_alone": {"by_formula", "by_simulation"}, "with": {PREDICTOR:
// {…}}}], "signature", "notes"}, without what there is not.
Json to_json(const PlanResult& result);

Report plan_report(const PlanResult& result);

}  // namespace rubric::eval
