#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/mocha.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

// lm-evaluation-harness calls it "doc_id".
std::string id_of(const Json& row, size_t number) {
  const Json* id = row.find("id");
  if (is_missing(id)) id = row.find("doc_id");
  if (is_missing(id)) return std::to_string(number);
  return id->is_string() ? id->string() : id->dump();
}

// Whether the cell is "nan", "-inf" or the like: meant as a number, but unusable.
bool is_not_finite(std::string_view cell) {
  std::string text = ascii_lower(trim(cell));
  if (text.starts_with('-') || text.starts_with('+')) text.erase(0, 1);
  return text == "nan" || text == "inf" || text == "infinity";
}

// The kinds of a column's cells; `first_text` is the first that is not a number.
struct ColumnContent {
  int64_t numbers = 0, texts = 0;
  std::string first_text;
};

ColumnContent content_of(const ScoredSource& source, const std::string& column) {
  ColumnContent content;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const Json* cell = source.rows[i].find(column);
    if (is_missing(cell)) continue;
    if (parse_cell(cell->string()) || is_not_finite(cell->string())) {
      ++content.numbers;
    } else if (++content.texts == 1) {
      content.first_text = json_quote(cell->string()) + " (" + source.places[i] + ")";
    }
  }
  return content;
}

}  // namespace

ScoredSource read_scored_source(const std::filesystem::path& file, InputFormat format,
                                const RowShortener& shorten) {
  ScoredSource source{file, format, {}, {}, {}};
  const auto add = [&](Json row, const std::string& where) {
    source.places.push_back(where);
    source.ids.push_back(id_of(row, source.places.size()));
    if (shorten && source.places.size() > 1) shorten(row, source.ids.back());
    source.rows.push_back(std::move(row));
    return true;
  };
  if (has_rows(format)) {
    visit_rows(file, format, add, is_text_field);
  } else if (format != InputFormat::kMocha) {
    for (const Answer& answer : read_answers(file, format)) {
      add(answer_row(answer), record_place(file.string(), answer));
    }
  } else {
    visit_mocha(file, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
      Json row = instance;
      row["constituent"] = key.first;
      row["id"] = key.second;
      const Json* metadata = instance.find("metadata");
      const Json* generator = metadata != nullptr ? metadata->find("source") : nullptr;
      if (generator != nullptr) row["source"] = *generator;
      add(std::move(row), where);
    });
  }
  if (source.rows.empty()) throw no_rows(file);
  return source;
}

std::string ids_text(const std::vector<std::string>& ids) {
  return (ids.size() == 1 ? "id " : "ids ") + join_some(ids);
}

bool has_values(const ScoredSource& source, const std::string& field) {
  return std::ranges::any_of(source.rows,
                             [&](const Json& row) { return !is_missing(row.find(field)); });
}

std::vector<std::string> number_columns(const ScoredSource& source,
                                        const std::vector<std::string>& others) {
  std::vector<std::string> names;
  const auto is_of = [](const std::vector<std::string>& fields, const std::string& column) {
    return std::ranges::find(fields, column) != fields.end();
  };
  for (const auto& [column, cell] : source.rows.front().object()) {
    if (is_of(answer_fields(), column) || is_of(others, column)) continue;
    const ColumnContent content = content_of(source, column);
    const std::string message_start =
        "the column " + json_quote(column) + " of " + source.file.string();
    if (content.numbers == 0 && content.texts == 0) {
      log_warning(message_start + " has no values and is left out");
    } else if (content.texts == 0) {
      names.push_back(column);
    } else if (content.numbers > content.texts) {  // most likely a metric
      log_warning(message_start + " is left out: " + content.first_text + " is not a number");
    }
  }
  return names;
}

std::string constituent_of(const Json& row) {
  const Json* constituent = row.find("constituent");
  if (constituent == nullptr && row.find("doc_id") != nullptr) return sample_constituent(row);
  return constituent != nullptr && constituent->is_string() ? constituent->string() : "";
}

}  // namespace rubric::data
