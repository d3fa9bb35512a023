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
#include "eval/result/render.h"
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
std::vector<size_t> columns_to_read(const Chosen& chosen, const std::string& system) {
  const std::set<std::string> others = {"id",       "system", "constituent", kProbability, kStratum,
                                        "language", "source", chosen.human,  system};
  std::vector<size_t> columns;
  for (size_t c = 0; c < chosen.columns.size(); ++c) {
    if (!others.contains(chosen.columns[c])) columns.push_back(c);
  }
  return columns;
}

Json texts_json(const std::vector<std::string>& texts) {
  Json::Array array;
  for (const std::string& text : texts) array.emplace_back(repair_utf8(text));
  return array;
}

Layout counts_layout(const Chosen& chosen) {
  Layout layout{.title = "Answers to label", .columns = {counts_column("in all", "answers")}};
  if (chosen.earlier > 0) {
    layout.columns.push_back(counts_column("in the earlier sheet", "earlier"));
    layout.columns.push_back(counts_column("of these without a label", "unlabelled"));
  }
  layout.columns.push_back(counts_column(chosen.earlier == 0 ? "chosen" : "new", "chosen"));
  return layout;
}

Layout strata_layout() {
  return {.title = "By score",
          .rows = {{"", &Keys::subset}},
          .columns = {{"from", {"lowest_score"}},
                      {"to", {"highest_score"}},
                      counts_column("answers", "answers"),
                      counts_column("chosen", "chosen"),
                      {"standard deviation of labels", {"standard_deviation"}}}};
}

}  // namespace

bool is_ledger(const data::ScoredSource& source) {
  const Json& first = source.rows.front();
  return std::ranges::all_of(std::array{"key", "reply", "prompt_hash"},
                             [&](const char* field) { return first.find(field) != nullptr; });
}

void add_sheet(const data::ScoredRows& rows, const Choice& choice,
               const std::vector<std::string>& labels, const std::string& system, Chosen& chosen) {
  const std::vector<std::string> fields =
      shown_fields(rows, choice, chosen.human, system, chosen.notes);
  chosen.columns = {chosen.human};
  chosen.columns.insert(chosen.columns.end(), fields.begin(), fields.end());
  chosen.columns.insert(chosen.columns.end(), {kProbability, kStratum});
  for (size_t i = 0; i < choice.rows.size(); ++i) {
    const uint32_t row = choice.rows[i];
    std::vector<RecordValue> cells = {labels.empty() ? "" : labels[row]};
    for (const std::string& field : fields) cells.emplace_back(cell_text(rows.rows[row], field));
    cells.emplace_back(choice.probabilities[i]);
    cells.emplace_back(choice.strata[i]);
    chosen.rows.push_back(std::move(cells));
  }
}

std::string sheet_page(const Chosen& chosen, const std::string& file, const std::string& system) {
  const std::vector<size_t> columns = columns_to_read(chosen, system);
  Table table;
  for (const size_t c : columns) table.header.push_back(chosen.columns[c]);
  table.header.push_back(chosen.human);
  table.alignment.assign(table.header.size(), Align::left);
  Json::Array rows;
  for (const std::vector<RecordValue>& values : chosen.rows) {
    std::vector<std::string> cells;
    for (const RecordValue& value : values) cells.push_back(exact_text(value));
    std::vector<std::string>& shown = table.rows.emplace_back();
    for (const size_t c : columns) shown.push_back(cells[c]);
    shown.push_back(cells.front());
    rows.push_back(texts_json(cells));
  }
  const Json sheet = Json::Object{{"file", file},
                                  {"signature", chosen.signature},
                                  {"header", texts_json(chosen.columns)},
                                  {"rows", std::move(rows)}};
  return html_page(
      "Labels: " + chosen.human,
      html_paragraph(
          "Fill in the last column with numbers, or with words such as yes and no. Enter "
          "or an arrow key leads to the next row. This browser keeps what you type. "
          "When all rows are filled in, press \"Save as CSV\", and give the file to "
          "`rubric estimate --labels`.") +
          html_reading_table(table, std::numeric_limits<size_t>::max()) +
          "<script type=\"application/json\" id=\"sheet\">" + script_json(sheet) + "</script>\n");
}

Result choose_result(const Chosen& chosen) {
  Result result{.title = "Answers to label",
                .measurements = {count_of({}, "answers", chosen.answers),
                                 count_of({}, "earlier", chosen.earlier),
                                 count_of({}, "unlabelled", chosen.unlabelled),
                                 count_of({}, "chosen", chosen.chosen)},
                .tables = {counts_layout(chosen)},
                .notes = chosen.notes,
                .signature = chosen.signature};
  if (!chosen.strata.empty()) result.tables.push_back(strata_layout());
  for (size_t i = 0; i < chosen.strata.size(); ++i) {
    const ChosenStratum& stratum = chosen.strata[i];
    const Keys keys{.subset = "stratum " + std::to_string(i + 1)};
    const auto add = [&](const char* statistic, std::optional<double> value) {
      result.measurements.push_back({.keys = keys,
                                     .statistic = statistic,
                                     .value = value,
                                     .why_missing = value ? "" : "too few labels"});
    };
    add("lowest_score", stratum.low);
    add("highest_score", stratum.high);
    add("answers", static_cast<double>(stratum.answers));
    add("chosen", static_cast<double>(stratum.chosen));
    add("standard_deviation", stratum.deviation);
  }
  result.records = {{.name = "sheet",
                     .title = "Sheet",
                     .columns = chosen.columns,
                     .size = chosen.rows.size(),
                     .row = [rows = chosen.rows](size_t row) { return rows[row]; },
                     .is_printed = false}};
  return result;
}

}  // namespace rubric::eval
