#include "eval/estimate/labelled_answers.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/beside.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/estimate/choose.h"
#include "eval/estimate/labels.h"
#include "eval/resampling.h"
#include "judge/ledger/ledger.h"
#include "metrics/list.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

const std::filesystem::path& answer_file(const EstimateRequest& request) {
  return request.ledger.empty() ? request.all : request.ledger;
}

const std::filesystem::path& label_file(const EstimateRequest& request) {
  return request.labels.empty() ? answer_file(request) : request.labels;
}

void check_fields(const EstimateRequest& request) {
  if (request.human.empty()) {
    throw InputError("no field of labels is named", "", "name it, such as --human verdict");
  }
  require_group_beside_system(request.group, request.system);
  if (request.scale && !(request.scale->low < request.scale->high)) {
    throw InputError("the low end is not below the high one", "--scale", "such as --scale 1:5");
  }
}

// In place of scored rows a judge's ledger, which has no labels and one metric.
void check_ledger_request(const EstimateRequest& request) {
  if (!request.all.empty()) {
    throw InputError("both --all and --ledger are given", "",
                     "give the one that holds all answers: scored rows, or a judge's replies");
  }
  if (request.labels.empty()) {
    throw InputError("no file of human labels is named beside the ledger", "--labels",
                     "name rows with id, system and the label");
  }
  if (!request.metrics.empty()) {
    throw InputError("metrics are named beside the ledger", "--metric",
                     "leave them out: the judge is the metric");
  }
}

data::InputFormat format_of_file(const EstimateRequest& request,
                                 const std::filesystem::path& file) {
  return data::input_format(request.row_format, file);
}

// Two files in each other's place: that of answers has fewer rows, and labels.
void require_not_swapped(const EstimateRequest& request, const data::ScoredSource& all,
                         const data::ScoredSource& labels) {
  if (all.rows.size() >= labels.rows.size() || !data::has_values(all, request.human)) return;
  const bool are_scores_there =
      data::has_values(labels, "scores") && !data::has_values(all, "scores");
  if (!are_scores_there && data::has_values(labels, request.human)) return;
  throw InputError("--all has " + counted(std::ssize(all.rows), "row") +
                       " with labels, and --labels " + counted(std::ssize(labels.rows), "row") +
                       (are_scores_there ? " with scores" : " without any"),
                   all.file.string() + ", " + labels.file.string(),
                   "change them round: --all is the file of all scored answers");
}

std::string hex(const eval::QuestionHash& hash) {
  char text[33];
  std::snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64, hash.first, hash.second);
  return text;
}

// Of a million answers their texts would be most of what is kept. Those of labelled answers are
// compared with the labels', and those of rows without id and question identify these. Of the
// others the question and its passage become their hash, and another long text is left out.
data::RowShortener without_texts(const EstimateRequest& request,
                                 const std::optional<data::ScoredSource>& labels,
                                 bool keeps_questions) {
  std::set<std::string> texts = {"candidate", "reference", "explanation"}, labelled;
  std::set<std::string> named = {request.human, request.system, request.group, request.probability,
                                 request.strata};
  named.insert(request.metrics.begin(), request.metrics.end());
  for (const std::string& field : named) texts.erase(field);
  const std::vector<std::string> names = {request.system, request.group, request.strata};
  for (const char* const field : {"id", "constituent", "question"}) named.insert(field);
  if (labels) labelled.insert(labels->ids.begin(), labels->ids.end());
  return [=](Json& row, const std::string& id, bool is_first) -> std::optional<data::QuestionHash> {
    constexpr size_t kLong = 64;
    const auto lacks = [&](const char* field) { return data::is_missing(row.find(field)); };
    // A field that is named but not there may be called otherwise now.
    const auto may_be_text = [&](const std::string& field) {
      return !field.empty() && (field == "question" || field == "passage" || field == "context" ||
                                data::find_field(row, field) == nullptr);
    };
    const Json* const question = row.find("question");
    const bool is_taken = !keeps_questions && question != nullptr && question->is_string() &&
                          !lacks("question") && std::ranges::none_of(names, may_be_text);
    std::optional<data::QuestionHash> hash;
    if (is_taken) hash = eval::question_hash(row);
    if (is_first || labelled.contains(id) || (lacks("id") && lacks("question"))) return hash;
    Json::Object kept;  // made anew: one that shrinks leaves holes in memory
    kept.reserve(row.object().size());
    for (auto& [name, value] : row.object()) {
      const bool is_passage = name == "passage" || name == "context";
      if (texts.contains(name) || (is_taken && is_passage)) continue;
      const bool is_long = value.is_string() && value.string().size() > kLong;
      // A new value: a long text that is assigned a short one keeps its memory.
      if (is_taken && name == "question") {
        kept.emplace_back(std::move(name), Json(hex(*hash)));
      } else if (is_long && !named.contains(name)) {
        kept.emplace_back(std::move(name), Json("…"));  // still a text
      } else {
        kept.emplace_back(std::move(name), std::move(value));
      }
    }
    row = Json(std::move(kept));
    return hash;
  };
}

bool has_several_values(const data::ScoredSource& source, const std::string& field) {
  std::string first;
  return std::ranges::any_of(source.rows, [&](const Json& row) {
    const std::string value = data::name_of(row.find(field));
    if (first.empty()) first = value;
    return !value.empty() && value != first;
  });
}

// A sheet of `rubric choose` says how its labels were drawn, if that was not alike.
void take_draw_of_sheet(EstimateRequest& request, const data::ScoredSource& labels,
                        std::vector<std::string>& notes) {
  const bool is_sheet =
      data::has_values(labels, eval::kProbability) && data::has_values(labels, eval::kStratum);
  if (!is_sheet || !request.probability.empty() || !request.strata.empty()) return;
  const std::string stratum = data::name_of(labels.rows.front().find(eval::kStratum));
  if (!has_several_values(labels, eval::kProbability) &&
      !has_several_values(labels, eval::kStratum) && !eval::is_one_of_several(stratum)) {
    return;
  }
  request.probability = eval::kProbability;
  request.strata = eval::kStratum;
  notes.push_back("the sheet's columns " + request.probability + " and " + request.strata +
                  " say how its labels were drawn");
}

// The columns of a file of labels that may be the probabilities of `answers` under another name:
// numbers above 0 and at most 1, not all equal, whose inverses add up to about as many.
std::vector<std::string> likely_probabilities(const EstimateRequest& request,
                                              const data::ScoredSource& labels, size_t answers) {
  constexpr double kTolerance = 0.25;
  std::vector<std::string> names;
  for (const auto& [name, first] : labels.rows.front().object()) {
    if (name == request.human || name == eval::kProbability) continue;
    double sum = 0;
    const bool are_probabilities = std::ranges::all_of(labels.rows, [&](const Json& row) {
      const Json* const value = row.find(name);
      const auto number = value == nullptr ? std::nullopt : eval::number_in(*value);
      if (!number || !(*number > 0) || *number > 1) return false;
      sum += 1 / *number;
      return true;
    });
    const auto n = static_cast<double>(answers);
    if (are_probabilities && std::abs(sum - n) <= kTolerance * n &&
        has_several_values(labels, name)) {
      names.push_back(name);
    }
  }
  return names;
}

// Labels of a sheet that was drawn with unequal probabilities, whose columns were taken out or
// renamed, are no random draw of all answers: their mean is biased.
void check_draw_columns(const EstimateRequest& request, const data::ScoredSource& labels,
                        size_t answers) {
  if (!request.probability.empty() || labels.rows.empty()) return;
  const std::vector<std::string> likely = likely_probabilities(request, labels, answers);
  if (eval::is_unequal_sheet(labels)) {
    throw InputError(
        "`rubric choose` drew these answers with unequal probabilities, and the sheet's columns " +
            std::string(eval::kProbability) + " and " + eval::kStratum + " are not both there",
        labels.file.string(),
        "put them back from the sheet that `rubric choose` wrote; where they have other names, "
        "give "
        "--probability " +
            (likely.empty() ? "FIELD" : shell_word(likely.front())) + " --strata FIELD");
  }
  if (likely.empty()) return;
  log_warning("the column " + join_some(likely) + " of " + labels.file.string() +
              " was not read: if it says with which probability each label was drawn, give "
              "--probability " +
              shell_word(likely.front()) + ", and --strata FIELD where they were drawn in strata");
}

// Where rows have no ids their questions are.
void join_by_question(data::ScoredSource& all, data::ScoredSource& labels,
                      std::vector<std::string>& notes) {
  if (data::has_ids(all) && data::has_ids(labels)) return;
  if (!data::has_questions(all) || !data::has_questions(labels)) return;
  data::identify_by_question(all);
  data::identify_by_question(labels);
  notes.emplace_back("labels are joined to answers by question: not all rows have an id");
}

// The fields that the request names, as the rows have them.
void take_field_names(const data::ScoredSource& all,
                      const std::optional<data::ScoredSource>& labels, EstimateRequest& request) {
  for (std::string* const field :
       {&request.system, &request.group, &request.probability, &request.strata}) {
    if (!field->empty()) *field = data::field_in(all, *field);
  }
  request.human = data::field_in(labels ? *labels : all, request.human);
}

void note_untold_systems(const EstimateRequest& request, const data::ScoredSource& all,
                         std::vector<std::string>& notes) {
  if (!request.system.empty() || !has_several_values(all, "system")) return;
  notes.emplace_back(
      "all answers count as those of one system; the rows name several in the field \"system\", "
      "which --system takes");
}

// The rows of a ledger, whose systems are named there, and which of them hold no verdicts.
data::ScoredRows read_judged_rows(const EstimateRequest& request, std::vector<bool>& is_unread,
                                  std::vector<std::string>& notes) {
  const judge::Ledger ledger = judge::read_chosen_ledger(request.ledger, request.judge);
  eval::JudgedSource judged = eval::judged_source(ledger, request.human, request.ledger, notes);
  is_unread = std::move(judged.is_unread);
  return data::read_scored_rows(std::move(judged.source),
                                {"",
                                 request.group,
                                 request.system.empty() ? "system" : request.system,
                                 {ledger.entries.front().judge}});
}

}  // namespace

void require_no_page(const std::filesystem::path& labels) {
  const std::string extension = ascii_lower(labels.extension().string());
  if (extension != ".html" && extension != ".htm") return;
  throw InputError("this is the page to fill in, and not its labels", "--labels " + labels.string(),
                   "open it in a browser, press \"Save as CSV\", and give the file that it saves");
}

void check_labelled_request(const EstimateRequest& request) {
  stats::require_valid(request.bootstrap);
  check_fields(request);
  if (!request.ledger.empty()) {
    check_ledger_request(request);
  } else if (request.all.empty()) {
    throw InputError("no file of scored rows is named", "", "name it: --all scored.jsonl");
  }
  require_no_page(request.labels);
  require_no_pipe(answer_file(request));  // read again for the signature
  require_no_pipe(label_file(request));
  metrics::require_distinct_metrics(request.metrics);
}

eval::LabelledAnswers read_labelled_answers(EstimateRequest& request) {
  std::vector<std::string> notes;
  std::optional<data::ScoredSource> labels;
  if (!request.labels.empty()) {
    labels = data::read_scored_source(request.labels, format_of_file(request, request.labels),
                                      request.row_format.fields);
    take_draw_of_sheet(request, *labels, notes);
  }
  data::ScoredRows rows;
  std::vector<bool> is_unread;
  if (request.ledger.empty()) {
    const auto read = [&](bool keeps_questions) {
      return data::read_scored_source(request.all, format_of_file(request, request.all),
                                      request.row_format.fields,
                                      without_texts(request, labels, keeps_questions));
    };
    const bool joins_questions = labels && !data::has_ids(*labels);
    data::ScoredSource all = read(joins_questions);
    if (labels && !joins_questions && !data::has_ids(all)) all = read(true);
    data::require_named_fields(all, request.row_format.fields);
    if (labels) require_not_swapped(request, all, *labels);
    if (labels) check_draw_columns(request, *labels, all.rows.size());
    if (labels) join_by_question(all, *labels, notes);
    take_field_names(all, labels, request);
    note_untold_systems(request, all, notes);
    data::RowFields fields{"", request.group, request.system, request.metrics,
                           metrics::other_names(request.metrics)};
    fields.no_metrics = {request.probability, request.strata};
    // Scores under the name of labels in their own file are compared when these are joined.
    const bool is_compared = labels && data::has_values(all, "scores." + request.human) &&
                             !data::has_values(all, request.human);
    if (!is_compared) fields.label = request.human;
    fields.missing = request.missing;
    fields.marks_unscored = true;
    rows = data::read_scored_rows(std::move(all), fields);
  } else {
    rows = read_judged_rows(request, is_unread, notes);
    if (labels) check_draw_columns(request, *labels, rows.rows.size());
  }
  eval::warn_of_scales(rows, is_unread);
  eval::LabelledAnswers answers =
      eval::join_labels(request, std::move(rows), labels ? &*labels : nullptr);
  eval::leave_out(is_unread, answers);
  answers.notes.insert(answers.notes.end(), notes.begin(), notes.end());
  return answers;
}

std::string hashes_of_files(const EstimateRequest& request) {
  std::string hashes = (request.ledger.empty() ? "all:" : "ledger:") +
                       short_sha256_file(answer_file(request).string());
  if (!request.labels.empty()) hashes += "|labels:" + short_sha256_file(request.labels.string());
  return hashes;
}

Signature labelled_signature(const std::string& command, const EstimateRequest& request,
                             const std::vector<std::string>& metrics, const std::string& hashes) {
  Signature signature(command);
  signature.text("human", request.human)
      .texts("metric", metrics)
      .add(hashes)
      .text("system", request.system)
      .text("group", request.group)
      .text("probability", request.probability)
      .text("strata", request.strata)
      .text("prompt", request.judge.prompt_hash)
      .text("parameters", request.judge.parameters)
      .text("parser", request.judge.parser);
  if (request.average) signature.add("average");
  if (request.missing == Missing::drop) signature.add("missing:drop");
  return signature;
}

std::vector<std::string> files_of(const EstimateRequest& request) {
  std::vector<std::string> files = {answer_file(request).string()};
  if (!request.labels.empty()) files.push_back(request.labels.string());
  return files;
}

}  // namespace rubric::eval

namespace rubric {

Result estimate(const EstimateRequest& request, const Context& context) {
  const ContextScope scope(context);
  eval::check_labelled_request(request);
  EstimateRequest resolved = request;
  // A large file is hashed while it is read. An error of reading waits for it: half a second a GB.
  auto hashes = beside([request] { return eval::hashes_of_files(request); });
  const eval::Estimates estimates =
      eval::estimate(eval::read_labelled_answers(resolved), resolved.human, resolved.bootstrap);
  Result result = eval::estimate_result(estimates);
  result.signature = eval::labelled_signature("estimate", resolved, estimates.metrics, hashes.get())
                         .end(resolved.bootstrap);
  result.inputs = eval::files_of(request);
  return result;
}

}  // namespace rubric
