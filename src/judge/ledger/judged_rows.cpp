#include "judge/ledger/judged_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/field_text.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/answers/reference_separator.h"
#include "data/rows/missing_values.h"
#include "data/rows/rows.h"
#include "judge/ledger/entry.h"
#include "judge/request.h"
#include "text/unicode/unicode.h"

namespace rubric::judge {
namespace {

// The names that are given, of the fields of an Answer.
data::FieldNames answer_names(data::FieldNames given) {
  given.erase("language");
  if (const auto system = given.extract("system")) given["source"] = system.mapped();
  return given;
}

// The row's names of our fields: the source of an Answer is the system.
data::FieldNames row_names(const Json& row, data::FieldNames names) {
  if (row.find("system") != nullptr) names.emplace("source", "system");
  return names;
}

// Throws unless the row has our field and, of those that were named, each.
void require_fields(const Json& row, const JudgedRows& settings, const data::FieldNames& names,
                    std::vector<std::string> needed, const std::string& where) {
  const auto add = [&](const std::string& ours) {
    if (std::ranges::count(needed, ours) == 0) needed.push_back(ours);
  };
  for (const auto& [ours, theirs] : settings.fields) {
    if (ours != "language") add(ours == "system" ? "source" : ours);
  }
  if (needs_passage(settings.judge.prompt)) add("passage");
  data::require_fields(row, names, needed, where);
}

// The row's value or, if it has none, the option's.
std::string said_once(const std::string& row, const std::string& option, const char* what,
                      const std::string& flag, const std::string& where) {
  if (row.empty() || option.empty() || row == option) return row.empty() ? option : row;
  throw InputError(std::string("the row names the ") + what + " " + json_quote(row) + ", " + flag +
                       " says " + json_quote(option),
                   where, "leave " + flag + " out, or the row");
}

std::string system_of(const data::Answer& answer, const JudgedRows& settings,
                      const std::string& where) {
  std::string system = said_once(answer.source, settings.system, "system", "--system-name", where);
  if (!system.empty()) return system;
  throw InputError("the row does not say which system gave the answer", where,
                   "give --system-name NAME, or a field \"system\"");
}

std::string language_of(const Json& row, const JudgedRows& settings, const std::string& where) {
  const std::string field = data::field_name(settings.fields, "language");
  std::string language = said_once(data::optional_text(row, field, where), settings.language,
                                   "language", "--language", where);
  if (language.empty()) return "en";
  require_language_code(language, where);
  return language;
}

void require_not_blank(const std::string& text, const data::Answer& answer,
                       const std::string& lacks, const std::string& where) {
  if (!text::strip(text).empty()) return;
  throw InputError("id " + json_quote(answer.id) + " has no " + lacks, where,
                   "fill it in, or leave the row out");
}

std::string in_field(const data::FieldNames& names, const std::string& field) {
  return "answer in the field " + json_quote(data::field_name(names, field));
}

data::Answer answer_of(const Json& row, int64_t number, const JudgedRows& settings,
                       const data::FieldNames& names, data::ReferenceSeparator& separator,
                       data::MissingValues& missing, const std::string& where) {
  require_fields(row, settings, names, {"question", "reference", "candidate"}, where);
  data::Answer answer = *data::row_answer(row, names, number, where, missing);  // none is dropped
  missing.require_texts();
  // A recorded answer may consist of spaces.
  const bool is_judged = !settings.reply_column.empty() && !answer.candidate.empty();
  if (!is_judged) require_not_blank(answer.candidate, answer, in_field(names, "candidate"), where);
  // Of a list, ["308", ""], the texts that are there.
  const auto is_blank = [](const std::string& text) { return text::strip(text).empty(); };
  if (std::ranges::all_of(answer.references, is_blank)) {
    require_not_blank("", answer, "reference" + own_field("reference"), where);
  }
  std::erase_if(answer.references, is_blank);
  separator.read(answer);
  return answer;
}

// Reads the first answer of a pair, and the second into `other`.
data::Answer first_of_pair(const Json& row, int64_t number, const JudgedRows& settings,
                           const data::FieldNames& names, data::MissingValues& missing,
                           const std::string& where, std::string& other) {
  require_fields(row, settings, names, {"question", "answer_a", "answer_b"}, where);
  const auto text = [&](const std::string& ours) {
    return data::optional_text(row, data::field_name(names, ours), where);
  };
  const auto name = [&](const std::string& ours) {
    return missing.add_name(data::field_name(names, ours), text(ours), ours == "id", where);
  };
  data::Answer answer;
  answer.id = name("id");
  if (answer.id.empty()) answer.id = std::to_string(number);
  answer.source = name("source");
  answer.passage = text("passage");
  answer.question = text("question");
  answer.candidate = text("answer_a");
  other = text("answer_b");
  require_not_blank(answer.candidate, answer, in_field(names, "answer_a"), where);
  require_not_blank(other, answer, in_field(names, "answer_b"), where);
  return answer;
}

void require_column(const Json& row, const std::string& column, const std::string& where) {
  if (data::find_field(row, column) != nullptr) return;
  std::vector<std::string> columns;
  for (const auto& [name, value] : row.object()) columns.push_back(name);
  throw InputError(
      "there is no column " + json_quote(column), where,
      "name the judge's replies with --field reply=COLUMN; the columns are " + join(columns));
}

void finish(const JudgedRows& settings, LedgerEntry& entry) {
  entry.judge = settings.judge.judge;
  entry.parameters = settings.judge.parameters;
  entry.parser = settings.judge.parser;
  entry.passage_hash = sha256(entry.answer.passage);
  if (!settings.judge.prompt.empty()) entry.prompt_hash = sha256(settings.judge.prompt);
  entry.key =
      request_key(entry.judge, entry.parameters, entry_messages(settings.judge.prompt, entry));
}

std::vector<LedgerEntry> entries_of(const Json& row, int64_t number, const JudgedRows& settings,
                                    const data::FieldNames& names,
                                    data::ReferenceSeparator& separator,
                                    data::MissingValues& missing, const std::string& where) {
  LedgerEntry entry;
  if (settings.kind == JudgedKind::answers) {
    entry.answer = answer_of(row, number, settings, names, separator, missing, where);
  } else {
    entry.answer = first_of_pair(row, number, settings, names, missing, where, entry.other);
    entry.order = AnswerOrder::ab;
  }
  if (needs_passage(settings.judge.prompt)) {
    require_not_blank(entry.answer.passage, entry.answer, "passage" + own_field("passage"), where);
  }
  require_not_blank(entry.answer.question, entry.answer, "question" + own_field("question"), where);
  entry.answer.source = system_of(entry.answer, settings, where);
  if (!settings.reply_column.empty()) {
    require_column(row, settings.reply_column, where);
    entry.reply = data::optional_text(row, settings.reply_column, where);
  }
  entry.language = language_of(row, settings, where);
  finish(settings, entry);
  if (settings.kind != JudgedKind::pairs) return {entry};
  LedgerEntry swapped = entry;
  swapped.order = AnswerOrder::ba;
  finish(settings, swapped);
  return {entry, swapped};
}

// Of rows to be asked about: what the judge does not see.
void warn_of_unsent(const std::vector<LedgerEntry>& entries, const JudgedRows& settings) {
  if (!settings.reply_column.empty()) return;
  const auto count = [&](auto is) {
    return std::ranges::count_if(entries,
                                 [&](const LedgerEntry& entry) { return is(entry.answer); });
  };
  const int64_t without =
      count([](const data::Answer& answer) { return text::strip(answer.passage).empty(); });
  if (without > 0) {
    log_warning(counted(without, "request has", "requests have") + " no passage" +
                own_field("passage") + ", of " + std::to_string(entries.size()));
  }
  const int64_t cut =
      count([](const data::Answer& answer) { return answer.references.size() > 1; });
  if (cut > 0 && is_chie_prompt(settings.judge.prompt)) {
    log_warning(counted(cut, "row has", "rows have") + " several references" +
                own_field("reference") +
                ", and the judge sees the first, as in the paper: with another "
                "--prompt it sees all");
  }
}

}  // namespace

void require_language_code(const std::string& code, const std::string& where) {
  const size_t size = std::min(code.find('-'), code.size());
  const bool is_code = size == 2 && std::ranges::all_of(code.substr(0, size), [](char c) {
                         return c >= 'a' && c <= 'z';
                       });
  if (is_code) return;
  throw InputError("the language " + json_quote(code) + " is not a code of two letters", where,
                   "give one such as en, th or zh-Hant");
}

const std::vector<std::string>& judged_fields(JudgedKind kind) {
  static const std::vector<std::string> kAnswers = {"id",       "system",    "language", "passage",
                                                    "question", "reference", "candidate"};
  static const std::vector<std::string> kPairs = {"id",       "system",   "language", "passage",
                                                  "question", "answer_a", "answer_b"};
  return kind == JudgedKind::answers ? kAnswers : kPairs;
}

std::vector<LedgerEntry> read_judged_rows(const std::filesystem::path& file,
                                          data::InputFormat format, const JudgedRows& settings) {
  std::vector<LedgerEntry> entries;
  data::ReferenceSeparator separator(settings.reference_separator);
  data::MissingValues missing;
  std::map<JudgedAnswer, std::string> places;  // of each answer
  int64_t rows = 0;
  const auto visit = [&](Json row, const data::FieldNames& of_file, const std::string& where) {
    const data::FieldNames names = row_names(row, of_file);
    if (data::is_table(format)) {
      data::read_reference_list(row, data::field_name(names, "reference"), where);
    }
    for (LedgerEntry& entry : entries_of(row, ++rows, settings, names, separator, missing, where)) {
      const auto [first, is_new] = places.emplace(judged_answer(entry), where);
      if (!is_new) {
        throw InputError(
            "the id " + json_quote(entry.answer.id) + " occurs twice for " + entry.answer.source,
            first->second + " and " + where, "give each row an id of its own");
      }
      entries.push_back(std::move(entry));
    }
    return true;
  };
  data::visit_named_rows(file, format, answer_names(settings.fields), data::Reads::texts, visit);
  if (entries.empty()) throw no_rows(file);
  if (settings.kind == JudgedKind::answers) separator.warn();
  missing.warn(/*of_empty=*/false);
  warn_of_unsent(entries, settings);
  return entries;
}

}  // namespace rubric::judge
