// The sheet that people fill in, and what is told of the choice.
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "data/answers/answer_rows.h"
#include "eval/agreement/gaps.h"
#include "eval/estimate/choose.h"
#include "eval/report/html.h"
#include "judge/ledger/entry.h"

namespace rubric::eval {
namespace {

// Whether a field may be a metric's, or hold other labels: it has numbers alone, or words such as
// yes and no. Not what labels are joined by, nor an answer's text, which may be 1969.
bool may_be_label(const data::ScoredRows& rows, const Choice& choice, const std::string& field,
                  const std::string& system) {
  const bool is_needed = field == system || field == "system" || field == "constituent" ||
                         std::ranges::count(data::answer_fields(), field) > 0 ||
                         data::is_text_field(field);
  return !is_needed && std::ranges::all_of(choice.rows, [&](uint32_t row) {
    const Json* const value = rows.rows[row].find(field);
    return data::lacks_label(value) || data::is_value(*value);
  });
}

// The fields of the rows in order of appearance, but what the sheet has itself and what would lead
// people: scores, labels, and what a metric said. What may be a label by its values is noted.
std::vector<std::string> shown_fields(const data::ScoredRows& rows, const Choice& choice,
                                      const std::string& human, const std::string& system,
                                      std::vector<std::string>& notes) {
  std::set<std::string> seen = {"id",    human,     kProbability,  kStratum, "scores",
                                "score", "verdict", "explanation", "seen",   "likelihood_tokens"};
  if (is_ledger(rows)) {
    seen.insert(std::begin(judge::kJudgementFields), std::end(judge::kJudgementFields));
  }
  seen.insert(rows.metrics.begin(), rows.metrics.end());
  std::vector<std::string> fields = {"id"}, hidden;
  for (const uint32_t row : choice.rows) {
    for (const auto& [name, value] : rows.rows[row].object()) {
      if (name.starts_with("seen.") || !seen.insert(name).second) continue;  // a table's "seen"
      (may_be_label(rows, choice, name, system) ? hidden : fields).push_back(name);
    }
  }
  if (!hidden.empty()) {
    notes.push_back("not in the sheet, because labels or scores would lead people: " +
                    join_some(hidden));
  }
  return fields;
}

// Which columns a reader needs to see: all but names and numbers, if there are others.
std::vector<size_t> columns_to_read(const ChooseResult& result, const std::string& system) {
  const std::set<std::string> others = {"id",       "system", "constituent", kProbability, kStratum,
                                        "language", "source", result.human,  system};
  std::vector<size_t> columns;
  for (size_t c = 0; c < result.columns.size(); ++c) {
    if (!others.contains(result.columns[c])) columns.push_back(c);
  }
  return columns;
}

Json texts_json(const std::vector<std::string>& texts) {
  Json::Array array;
  for (const std::string& text : texts) array.emplace_back(repair_utf8(text));
  return array;
}

}  // namespace

bool is_ledger(const data::ScoredSource& source) {
  const Json& first = source.rows.front();
  return std::ranges::all_of(std::array{"key", "reply", "prompt_hash"},
                             [&](const char* field) { return first.find(field) != nullptr; });
}

void add_sheet(const data::ScoredRows& rows, const Choice& choice,
               const std::vector<std::string>& labels, const std::string& system,
               ChooseResult& result) {
  const std::vector<std::string> fields =
      shown_fields(rows, choice, result.human, system, result.notes);
  result.columns = {result.human};
  result.columns.insert(result.columns.end(), fields.begin(), fields.end());
  result.columns.insert(result.columns.end(), {kProbability, kStratum});
  for (size_t i = 0; i < choice.rows.size(); ++i) {
    const uint32_t row = choice.rows[i];
    std::vector<std::string> cells = {labels.empty() ? "" : labels[row]};
    for (const std::string& field : fields) cells.push_back(cell_text(rows.rows[row], field));
    cells.push_back(format_exact(choice.probabilities[i]));
    cells.push_back(choice.strata[i]);
    result.rows.push_back(std::move(cells));
  }
}

Table sheet_table(const ChooseResult& result) {
  Table table;
  table.header = result.columns;
  table.rows = result.rows;
  return table;
}

std::string sheet_page(const ChooseResult& result, const std::string& file,
                       const std::string& system) {
  const std::vector<size_t> columns = columns_to_read(result, system);
  Table table;
  for (const size_t c : columns) table.header.push_back(result.columns[c]);
  table.header.push_back(result.human);
  table.alignment.assign(table.header.size(), Align::left);
  Json::Array rows;
  for (const std::vector<std::string>& cells : result.rows) {
    std::vector<std::string>& shown = table.rows.emplace_back();
    for (const size_t c : columns) shown.push_back(cells[c]);
    shown.push_back(cells.front());
    rows.push_back(texts_json(cells));
  }
  const Json sheet = Json::Object{{"file", file},
                                  {"signature", result.signature},
                                  {"header", texts_json(result.columns)},
                                  {"rows", std::move(rows)}};
  return html_page(
      "Labels: " + result.human,
      html_paragraph(
          "Fill in the last column with numbers, or with words such as yes and no. Enter "
          "or an arrow key leads to the next row. This browser keeps what you type. "
          "When all rows are filled in, press \"Save as CSV\", and give the file to "
          "`rubric estimate --labels`.") +
          html_reading_table(table, std::numeric_limits<size_t>::max()) +
          "<script type=\"application/json\" id=\"sheet\">" + script_json(sheet) + "</script>\n");
}

std::vector<Table> choose_tables(const ChooseResult& result) {
  Table table{"Answers to label", {"", "answers"}, {}, {Align::left}, {}};
  table.rows = {{"in all", std::to_string(result.answers)},
                {"in the earlier sheet", std::to_string(result.earlier)},
                {"of these without a label", std::to_string(result.unlabelled)},
                {result.earlier == 0 ? "chosen" : "new", std::to_string(result.chosen)}};
  if (result.earlier == 0) table.rows.erase(table.rows.begin() + 1, table.rows.begin() + 3);
  table.notes = result.notes;
  if (result.strata.empty()) return {table};
  Table strata{"By score", {"from", "to", "answers", "chosen", "deviation of labels"}, {}, {}, {}};
  for (const ChosenStratum& stratum : result.strata) {
    strata.rows.push_back({cell(stratum.low), cell(stratum.high), std::to_string(stratum.answers),
                           std::to_string(stratum.chosen), cell(stratum.deviation)});
  }
  return {table, strata};
}

Json to_json(const ChooseResult& result) {
  Json json;
  json["human"] = result.human;
  json["answers"] = result.answers;
  json["earlier"] = result.earlier;
  json["unlabelled"] = result.unlabelled;
  json["chosen"] = result.chosen;
  Json::Array rows, strata;
  for (const std::vector<std::string>& cells : result.rows) {
    Json row;
    for (size_t c = 0; c < cells.size(); ++c) row[result.columns[c]] = repair_utf8(cells[c]);
    rows.push_back(std::move(row));
  }
  json["rows"] = std::move(rows);
  for (const ChosenStratum& stratum : result.strata) {
    strata.push_back(Json::Object{{"low", stratum.low},
                                  {"high", stratum.high},
                                  {"answers", stratum.answers},
                                  {"chosen", stratum.chosen},
                                  {"deviation", or_null(stratum.deviation)}});
  }
  if (!strata.empty()) json["strata"] = std::move(strata);
  json["signature"] = result.signature;
  if (!result.notes.empty()) json["notes"] = texts_json(result.notes);
  return json;
}

}  // namespace rubric::eval
