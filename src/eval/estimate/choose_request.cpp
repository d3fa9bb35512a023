// Declared in include/rubric/choose.h.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/estimate/choose.h"
#include "eval/estimate/estimate.h"
#include "eval/estimate/labelled_answers.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "eval/signature.h"
#include "metrics/list.h"
#include "rubric/choose.h"

namespace rubric {
namespace {

void check_choose_request(const ChooseRequest& request) {
  if (request.input.empty()) {
    throw InputError("no file of scored rows is named", "", "name it: --input scored.jsonl");
  }
  if (request.human.empty() || request.human == eval::kProbability ||
      request.human == eval::kStratum) {
    throw InputError("the column to fill in is called \"" + request.human + "\"", "--human",
                     "give it another name, such as verdict");
  }
  const std::set<std::string> of_answers = {"id",        "constituent", "source",
                                            "passage",   "question",    "reference",
                                            "candidate", "system",      request.system};
  if (of_answers.contains(request.human)) {
    throw InputError(
        "the column to fill in is called " + request.human + ", as a field of the answers is",
        "--human", "give it another name, such as verdict");
  }
  if (std::ranges::count(request.metrics, request.human) > 0) {
    throw InputError("the column to fill in, " + request.human + ", is also named as a metric",
                     "--human", "give it another name, such as verdict");
  }
  metrics::require_distinct_metrics(request.metrics);
  require_no_pipe(request.input);  // read again for the signature
  eval::require_no_page(request.labels);
  if (!request.labels.empty()) require_no_pipe(request.labels);
  const std::string where = "--output " + request.output.string();
  require_writable(request.output, where);
  const std::filesystem::path files[] = {request.input, request.labels};
  require_replaces_none(request.output, files, where);
  const std::string extension = request.output.extension().string();
  if (request.output.empty() || extension == ".csv" || extension == ".html") return;
  throw InputError("the sheet is neither a table nor a page by its name", where,
                   "name it .csv, or .html to fill it in in a browser");
}

// That `estimate --ledger` can correct the judge by labels of this aspect.
void require_aspect(const data::ScoredRows& ledger, const std::string& human) {
  if (data::has_values(ledger, "order")) {
    throw InputError("the ledger holds preferences between two answers, and no verdicts to correct",
                     ledger.file.string(), "give a ledger of verdicts, or rows with scores");
  }
  if (human.size() == 1 && std::string_view("CHIE").find(human) != std::string_view::npos) return;
  throw InputError("the answers are a judge's ledger, and it has no verdicts on " + human,
                   "--human", "name the aspect to label: C, H, I or E");
}

data::ScoredSource read_source(const ChooseRequest& request, const std::filesystem::path& file) {
  data::ScoredSource source = data::read_scored_source(
      file, data::input_format(request.row_format, file), request.row_format.fields);
  if (!data::has_ids(source) && data::has_questions(source)) data::identify_by_question(source);
  std::vector<std::string> without;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    if (data::is_missing(source.rows[i].find("id"))) without.push_back(source.places[i]);
  }
  if (without.empty()) return source;
  throw InputError(counted(std::ssize(without), "row has", "rows have") + " no \"id\"",
                   join_some(without),
                   "give each row an id, by which its label is joined to it, or name its field: "
                   "--field id=FIELD; where rows have none, a question in each row will do");
}

data::ScoredRows read_rows(const ChooseRequest& request) {
  data::RowFields fields{"", "", request.system, request.metrics,
                         metrics::other_names(request.metrics)};
  fields.no_metrics = {eval::kProbability, eval::kStratum};
  fields.label = request.human;
  fields.fields = request.row_format.fields;
  fields.missing = request.missing;
  fields.marks_unscored = !request.labels.empty();
  fields.reads_scores = request.method != ChooseMethod::random || !request.metrics.empty();
  return data::read_scored_rows(read_source(request, request.input), fields);
}

// What the sheet's rows have in a column of numbers.
eval::LabelledAnswers joined(const ChooseRequest& request, const data::ScoredRows& rows,
                             const data::ScoredSource& sheet, const std::string& column) {
  EstimateRequest as_labels;
  as_labels.all = request.input;
  as_labels.labels = request.labels;
  as_labels.human = column;
  as_labels.system = request.system;
  if (column == eval::kProbability) {
    as_labels.probability = eval::kProbability;
    as_labels.strata = eval::kStratum;
  }
  return eval::join_labels(as_labels, rows, &sheet);
}

// Fills in a column that the whole sheet lacks. False: it has it.
bool complete(data::ScoredSource& sheet, const char* column, const Json& value) {
  const auto missing = std::ranges::count_if(
      sheet.rows, [&](const Json& row) { return data::is_missing(row.find(column)); });
  if (missing == 0) return false;
  if (missing < std::ssize(sheet.rows)) {
    throw InputError(counted(missing, "row") + " of the earlier sheet " +
                         (missing == 1 ? "has" : "have") + " no " + column,
                     sheet.file.string(), "leave the column as `rubric choose` wrote it");
  }
  for (Json& row : sheet.rows) row[column] = value;
  return true;
}

// A sheet without probabilities was drawn at random, all answers alike.
void complete_draw(const data::ScoredRows& rows, data::ScoredSource& sheet,
                   std::vector<std::string>& notes) {
  const double share =
      static_cast<double>(sheet.rows.size()) / static_cast<double>(rows.rows.size());
  if (eval::is_unequal_sheet(sheet) &&
      (!data::has_values(sheet, eval::kProbability) || !data::has_values(sheet, eval::kStratum))) {
    throw InputError("the earlier sheet was drawn with unequal probabilities, and its columns " +
                         std::string(eval::kProbability) + " and " + eval::kStratum +
                         " are not both there",
                     sheet.file.string(), "leave the columns as `rubric choose` wrote them");
  }
  complete(sheet, eval::kStratum, "1");
  if (!complete(sheet, eval::kProbability, std::min(share, 1.0))) return;
  notes.push_back(sheet.file.string() +
                  " has no probabilities: its rows are taken for drawn at random, all alike");
}

// Adds the earlier sheet to the pool. Indices are of the rows that have scores. Returns each such
// row's label, or "".
std::vector<std::string> add_earlier(const ChooseRequest& request, const data::ScoredRows& rows,
                                     eval::ChoicePool& pool, std::vector<std::string>& notes) {
  data::ScoredSource sheet = read_source(request, request.labels);
  complete_draw(rows, sheet, notes);
  eval::LabelledAnswers drawn = joined(request, rows, sheet, eval::kProbability);
  for (const uint32_t row : drawn.labelled) {
    pool.strata.push_back(drawn.stratum_names[drawn.strata[row]]);
  }
  pool.earlier = std::move(drawn.labelled);
  pool.probabilities = std::move(drawn.probabilities);
  std::vector<std::string> texts(rows.rows.size() - static_cast<size_t>(rows.unscored));
  const bool has_labels = std::ranges::any_of(
      sheet.rows, [&](const Json& row) { return !data::lacks_label(row.find(request.human)); });
  if (!has_labels) return texts;
  eval::LabelledAnswers labelled = joined(request, rows, sheet, request.human);
  for (size_t l = 0; l < labelled.labels.size(); ++l) {
    texts[labelled.labelled[l]] = eval::format_exact(labelled.labels[l]);
  }
  pool.labelled = std::move(labelled.labelled);
  pool.labels = std::move(labelled.labels);
  return texts;
}

std::string choose_signature(const ChooseRequest& request, const data::ScoredRows& rows) {
  return eval::Signature("choose")
      .add("method", kChooseMethods[static_cast<size_t>(request.method)])
      .add("budget", request.budget)
      .texts("metric", rows.metrics)
      .file("all", request.input)
      .file("labels", request.labels)
      .text("system", request.system)
      .add("missing", rows.unscored > 0 ? "drop" : "")
      .add("seed", std::to_string(request.seed))
      .end();
}

// `estimate` has no estimate of a system with fewer labels.
void note_systems_with_few(const data::ScoredRows& rows, std::span<const uint32_t> chosen,
                           std::vector<std::string>& notes) {
  std::map<std::string, int64_t> labels;
  for (const std::string& system : rows.systems) labels[system] = 0;
  for (const uint32_t row : chosen) ++labels[rows.systems.empty() ? "" : rows.systems[row]];
  std::vector<std::string> few;
  for (const auto& [system, count] : labels) {
    if (count >= eval::kFewestLabels) continue;
    few.push_back(system + (system.empty() ? "" : ": ") + std::to_string(count));
  }
  if (few.empty()) return;
  notes.push_back("rubric estimate needs at least " + std::to_string(eval::kFewestLabels) +
                  " labels of each system, and this sheet has fewer rows (" + join_some(few) +
                  "): draw it with a larger --budget");
}

// The page hides it.
void note_shown_system(const ChooseRequest& request, Result& result) {
  const std::string system = request.system.empty() ? "system" : request.system;
  const std::vector<std::string>& columns = result.records.front().columns;
  if (request.output.extension() != ".csv" || std::ranges::count(columns, system) == 0) return;
  result.notes.push_back("the sheet has the column " + system +
                         ", which labels are joined by and which may lead people: hide it, or let "
                         "them fill in the page, --output " +
                         request.output.stem().string() + ".html, which does not show it");
}

void write_sheet(const ChooseRequest& request, const Result& result) {
  const bool is_page = request.output.extension() == ".html";
  const std::string file = request.output.stem().string() + ".csv";
  const Records& records = result.records.front();
  const std::string sheet = is_page
                                ? eval::sheet_page(records, result.signature, file, request.system)
                                : records_csv(records);
  if (std::filesystem::exists(request.output) && read_file(request.output) != sheet) {
    throw InputError("there is another file of this name, which may hold labels",
                     "--output " + request.output.string(), "name another sheet, or remove it");
  }
  write_file(request.output, sheet);
}

// The command that reads the sheet when it is filled in.
std::string next_command(const ChooseRequest& request, bool from_ledger) {
  std::filesystem::path sheet = request.output;
  std::vector<std::string> command = {from_ledger ? "--ledger" : "--all",
                                      request.input.string(),
                                      "--labels",
                                      sheet.replace_extension(".csv").string(),
                                      "--human",
                                      request.human};
  if (!request.system.empty()) command.insert(command.end(), {"--system", request.system});
  if (!request.metrics.empty() && !from_ledger) {
    command.insert(command.end(), {"--metric", join(request.metrics, ",")});
  }
  if (request.missing == Missing::drop) command.insert(command.end(), {"--missing", "drop"});
  for (const auto& [field, name] : request.row_format.fields) {
    command.insert(command.end(), {"--field", field + "=" + name});
  }
  return eval::shell_command("rubric estimate", command);
}

}  // namespace

Result choose(const ChooseRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_choose_request(request);
  data::ScoredRows rows = read_rows(request);
  const bool is_of_ledger = eval::is_ledger(rows);
  if (is_of_ledger) require_aspect(rows, request.human);
  eval::ChoicePool pool;
  std::vector<std::string> labels, notes;
  if (!request.labels.empty()) labels = add_earlier(request, rows, pool, notes);
  data::remove_unscored(rows);
  eval::warn_of_scales(rows);
  pool.scores = rows.scores;
  pool.questions = eval::RowQuestions(rows).clusters().of;
  pool.draws_questions = !request.system.empty();
  const eval::Choice choice = eval::choose_rows(pool, request.method, request.budget, request.seed);
  Result result = eval::choose_result(pool, choice);
  result.notes = std::move(notes);
  result.notes.insert(result.notes.end(), choice.notes.begin(), choice.notes.end());
  note_systems_with_few(rows, choice.rows, result.notes);
  result.signature = choose_signature(request, rows);
  result.records = {
      eval::sheet_records(rows, choice, labels, request.human, request.system, result.notes)};
  note_shown_system(request, result);
  if (request.output.empty()) return result;
  write_sheet(request, result);
  const bool is_random = request.method == ChooseMethod::random;
  log_info(std::string("when the sheet is filled in") +
           (is_random ? " and all answers have scores" : "") + ": " +
           next_command(request, is_of_ledger));
  return result;
}

}  // namespace rubric
