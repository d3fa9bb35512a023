// The sheet that people fill in, and what is told of the choice.
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "data/answers/answer_rows.h"
#include "eval/agreement/gaps.h"
#include "eval/estimate/choose.h"
#include "eval/report/html.h"
#include "eval/result/layouts.h"
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
  if (is_needed) return false;
  bool has_value = false, has_word = false;  // "unsure" beside labels is no text
  for (const uint32_t row : choice.rows) {
    const Json* const value = rows.rows[row].find(field);
    if (data::is_missing(value)) continue;
    const bool is_value = data::is_value(*value);
    if (!is_value && !data::lacks_label(value)) return false;
    (is_value ? has_value : has_word) = true;
  }
  return has_value || !has_word;
}

// The fields of the rows in order of appearance, but what the sheet has itself and what would lead
// people: scores, labels, and what a metric said. What may be a label by its values is noted.
std::vector<std::string> shown_fields(const data::ScoredRows& rows, const Choice& choice,
                                      const std::string& human, const std::string& system,
                                      std::vector<std::string>& notes) {
  std::set<std::string> seen = {
      "id",    human,     kProbability,  kStratum, kSheetDraw,         "scores",
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
std::vector<size_t> columns_to_read(const Records& sheet, const std::string& system) {
  const std::set<std::string> others = {"id",         "system",   "constituent",
                                        kProbability, kSheetDraw, kStratum,
                                        "language",   "source",   system};
  std::vector<size_t> columns;
  for (size_t c = 1; c < sheet.columns.size(); ++c) {  // the first is the label
    if (!others.contains(sheet.columns[c])) columns.push_back(c);
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

bool is_unequal_sheet(const data::ScoredSource& source) {
  return std::ranges::any_of(source.rows, [](const Json& row) {
    return data::name_of(row.find(kSheetDraw)) == kUnequalDraw;
  });
}

Records sheet_records(const data::ScoredRows& rows, const Choice& choice,
                      const std::vector<std::string>& labels, const std::string& human,
                      const std::string& system, std::vector<std::string>& notes) {
  const std::vector<std::string> fields = shown_fields(rows, choice, human, system, notes);
  Records sheet{.name = "sheet", .title = "Sheet", .columns = {human}, .is_printed = false};
  sheet.columns.insert(sheet.columns.end(), fields.begin(), fields.end());
  constexpr double kAlike = 1.05;
  const auto [least, greatest] = std::ranges::minmax(choice.probabilities);
  const bool is_unequal = greatest > kAlike * least;
  if (is_unequal) sheet.columns.emplace_back(kSheetDraw);
  sheet.columns.insert(sheet.columns.end(), {kProbability, kStratum});
  RecordRows cells;
  for (size_t i = 0; i < choice.rows.size(); ++i) {
    const uint32_t row = choice.rows[i];
    std::vector<RecordValue>& of_row = cells.emplace_back();
    of_row.emplace_back(labels.empty() ? "" : labels[row]);
    for (const std::string& field : fields) of_row.emplace_back(cell_text(rows.rows[row], field));
    if (is_unequal) of_row.emplace_back(std::string(kUnequalDraw));
    of_row.emplace_back(choice.probabilities[i]);
    of_row.emplace_back(choice.strata[i]);
  }
  return held_records(std::move(sheet), std::move(cells));
}

std::string sheet_page(const Records& records, const std::string& signature,
                       const std::string& file, const std::string& system) {
  const std::string& human = records.columns.front();
  const std::vector<size_t> columns = columns_to_read(records, system);
  Table table;
  for (const size_t c : columns) table.header.push_back(records.columns[c]);
  table.header.push_back(human);
  table.alignment.assign(table.header.size(), Align::left);
  Json::Array rows;
  for (size_t row = 0; row < records.size; ++row) {
    std::vector<std::string> cells;
    for (const RecordValue& value : records.row(row)) cells.push_back(exact_text(value));
    std::vector<std::string>& shown = table.rows.emplace_back();
    for (const size_t c : columns) shown.push_back(cells[c]);
    shown.push_back(cells.front());
    rows.push_back(texts_json(cells));
  }
  const Json sheet = Json::Object{{"file", file},
                                  {"signature", signature},
                                  {"header", texts_json(records.columns)},
                                  {"words_of_no_label", texts_json(data::words_of_no_label())},
                                  {"label_words", texts_json(data::label_words())},
                                  {"rows", std::move(rows)}};
  return html_page(
      "Labels: " + human,
      html_paragraph(
          "Fill in the last column with numbers, or with words such as yes and no. Enter "
          "or an arrow key leads to the next row. This browser keeps what you type. "
          "When all rows are filled in, press \"Save as CSV\", and give the file to "
          "`rubric estimate --labels`.") +
          html_reading_table(table, std::numeric_limits<size_t>::max()) +
          "<script type=\"application/json\" id=\"sheet\">" + script_json(sheet) + "</script>\n");
}

Result choose_result(const ChoicePool& pool, const Choice& choice) {
  const int64_t earlier = std::ssize(pool.earlier);
  Result result{.title = "Answers to label",
                .measurements = {count_of({}, "answers", std::ssize(pool.questions)),
                                 count_of({}, "earlier", earlier),
                                 count_of({}, "unlabelled", earlier - std::ssize(pool.labelled)),
                                 count_of({}, "chosen", std::ssize(choice.rows) - earlier)},
                .tables = {read_layout("estimate", earlier > 0 ? "choose_more" : "choose")}};
  if (!choice.described.empty()) result.tables.push_back(read_layout("estimate", "choose_strata"));
  for (size_t i = 0; i < choice.described.size(); ++i) {
    const ChosenStratum& stratum = choice.described[i];
    const Adder add{
        result.measurements, {.subset = "stratum " + std::to_string(i + 1)}, {}, "too few labels"};
    add("lowest_score", stratum.low);
    add("highest_score", stratum.high);
    add("answers", static_cast<double>(stratum.answers));
    add("chosen", static_cast<double>(stratum.chosen));
    add("standard_deviation", stratum.standard_deviation);
  }
  return result;
}

}  // namespace rubric::eval
