#include "data/vacuous_rationales/vacuous_rationales.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/english.h"
#include "rubric/version.h"

namespace rubric::data {

namespace {

std::string relation_of(std::string_view label, const std::string& where) {
  if (label == "entailment") return " implies ";
  if (label == "contradiction") return " contradicts ";
  if (label == "neutral") return " is not related to ";
  throw InputError("the label \"" + std::string(label) + "\" is not a label of an inference", where,
                   "write entailment, neutral or contradiction");
}

Words statement_words(std::string_view text, const char* field, const std::string& where) {
  Words words = without_end_mark(split_words(text));
  if (words.empty())
    throw InputError("the " + std::string(field) + " has no word", where,
                     "fill it in, or leave the row out");
  return words;
}

// Whether the word occurs in this form after the first word of a text.
bool is_inside(const Word& word, const Words& words) {
  return std::any_of(words.begin() + 1, words.end(), [&](const Word& other) {
    return other.form == word.form && other.text.starts_with(word.text[0]);
  });
}

bool keeps_capital(const Word& word, const Words& premise, const Words& hypothesis) {
  if (word.form == "i" || word.form.starts_with("i'")) return true;
  if (std::any_of(word.text.begin() + 1, word.text.end(),
                  [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return true;
  }
  return is_inside(word, premise) || is_inside(word, hypothesis);
}

}  // namespace

std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where) {
  const std::string relation = relation_of(label, where);
  const Words before = statement_words(premise, "premise", where);
  const Words after = statement_words(hypothesis, "hypothesis", where);
  const std::string text = to_text(after);
  return to_text(before) + relation +
         (keeps_capital(after[0], before, after) ? text : uncapitalized(text)) + ".";
}

LabelledInput labelled_input(const Json& row, const std::string& where) {
  LabelledInput input;
  const bool is_inference = row.find("premise") != nullptr || row.find("hypothesis") != nullptr;
  if (is_inference == (row.find("question") != nullptr)) {
    throw InputError(is_inference ? "the row has a question beside premise and hypothesis"
                                  : "the row has neither a question nor premise and hypothesis",
                     where, "give \"question\", or else \"premise\" and \"hypothesis\"");
  }
  if (is_inference) {
    input.premise = trimmed_text(row, "premise", where);
    input.hypothesis = trimmed_text(row, "hypothesis", where);
  } else {
    input.question = trimmed_text(row, "question", where);
  }
  input.label = trimmed_text(row, "label", where);
  return input;
}

ConverterInput converter_input(const LabelledInput& input) {
  return {input.question.empty() ? input.premise + " " + input.hypothesis : input.question,
          input.label};
}

std::map<ConverterInput, std::string> read_statements(const std::filesystem::path& file) {
  std::map<ConverterInput, std::string> statements;
  std::map<ConverterInput, std::string> places;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const ConverterInput input = {trimmed_text(row, "question_text", where),
                                  trimmed_text(row, "answer_text", where)};
    const std::string statement = trimmed_text(row, "question_statement_text", where);
    const auto [known, is_new] = statements.emplace(input, statement);
    if (is_new) places.emplace(input, where);
    if (known->second == statement) return true;
    throw InputError("another statement for " + json_quote(input.first) + " and " +
                         json_quote(input.second) + " than at " + places[input],
                     where, "keep one of the two");
  };
  visit_rows(file, InputFormat::kJsonl, read_row);
  if (statements.empty())
    throw InputError("the file has no statements", file.string(),
                     "name a file with statements, one a line");
  return statements;
}

namespace {

using Statements = std::map<ConverterInput, std::string>;

struct VacuousRationale {
  std::string text, by;  // "template", "rules" or "statements"
};

// Rows without a statement.
struct Missing {
  std::vector<std::string> rows;
  bool lacks_question = false;  // true for inference rows as well
};

std::string name_of_row(const Json& row, const std::string& where) {
  const std::string id = optional_text(row, "id", where);
  return id.empty() ? where : json_quote(id);
}

VacuousRationale by_statement(const Json& row, const LabelledInput& input,
                              const Statements& statements, const std::string& where,
                              VacuousCounts& counts, Missing& missing) {
  const auto found = statements.find(converter_input(input));
  if (found == statements.end()) {
    missing.rows.push_back(name_of_row(row, where));
    missing.lacks_question = missing.lacks_question || input.question.empty();
    return {};
  }
  ++counts.by_statement;
  return {found->second, "statements"};
}

VacuousRationale by_rules(const Json& row, const LabelledInput& input, const std::string& where,
                          VacuousCounts& counts) {
  if (input.question.empty()) {
    ++counts.by_template;
    return {vacuous_inference(input.premise, input.hypothesis, input.label, where), "template"};
  }
  const Statement statement = vacuous_statement(input.question, input.label);
  ++counts.by_rule.at(static_cast<size_t>(statement.rule));
  if (statement.rule == StatementRule::plain) counts.plain.push_back(name_of_row(row, where));
  return {statement.text, "rules"};
}

void add_baseline(Json& row, const VacuousRationale& made, const std::string& where) {
  const std::string known = optional_text(row, "baseline", where);
  if (!known.empty() && known != made.text) {
    throw InputError("the row has another baseline already: " + json_quote(known), where,
                     "start from the rows without baselines, or take the field out");
  }
  row["baseline"] = made.text;
  row["baseline_by"] = made.by;
}

void require_statements(const Missing& missing, int64_t rows,
                        const std::filesystem::path& statements) {
  if (missing.rows.empty()) return;
  throw InputError(std::to_string(missing.rows.size()) + " of " + std::to_string(rows) +
                       " rows have no statement: " + join_some(missing.rows),
                   statements.string(),
                   missing.lacks_question
                       ? "leave --statements out: a template makes inferences' baselines"
                       : "convert what derive conversions writes of the rows");
}

}  // namespace

VacuousCounts add_vacuous_rationales(const std::filesystem::path& input, InputFormat format,
                                     const std::filesystem::path& statements,
                                     const std::filesystem::path& output) {
  const Statements known = statements.empty() ? Statements{} : read_statements(statements);
  VacuousCounts counts;
  Missing missing;
  CopiedRows copies;
  AtomicFile out(output);
  visit_rows(input, format, [&](Json row, const std::string& where) {
    copies.add(row, where);
    const LabelledInput labelled = labelled_input(row, where);
    const VacuousRationale made = known.empty()
                                      ? by_rules(row, labelled, where, counts)
                                      : by_statement(row, labelled, known, where, counts, missing);
    if (!made.text.empty()) add_baseline(row, made, where);
    out.write(row.dump() + "\n");
    ++counts.rows;
    return true;
  });
  if (counts.rows == 0) throw no_rows(input);
  require_statements(missing, counts.rows, statements);
  warn_of_copies(copies.places(), kCopiesAreRead);
  out.commit();
  return counts;
}

std::string vacuous_signature(const VacuousCounts& counts,
                              const std::filesystem::path& statements) {
  std::string signature = "baselines", rules;
  if (counts.by_statement > 0) signature += "|statements:" + short_sha256_file(statements);
  for (size_t i = 0; i < kStatementRules; ++i) {
    if (counts.by_rule.at(i) == 0) continue;
    rules += (rules.empty() ? "" : ",") + std::string(name_of(static_cast<StatementRule>(i))) +
             "=" + std::to_string(counts.by_rule.at(i));
  }
  if (!rules.empty()) signature += "|rules:" + rules;
  if (counts.by_template > 0) signature += "|template:" + std::to_string(counts.by_template);
  return signature + "|rubric:" + version_with_build();
}

std::vector<Json> converter_rows(const std::filesystem::path& input, InputFormat format) {
  std::vector<Json> pairs;
  std::set<ConverterInput> known;
  visit_rows(input, format, [&](const Json& row, const std::string& where) {
    const LabelledInput labelled = labelled_input(row, where);
    if (labelled.question.empty()) {
      throw InputError("the row has a premise and a hypothesis, not a question", where,
                       "derive vacuous-rationales makes its baseline by a template");
    }
    const ConverterInput pair = converter_input(labelled);
    if (known.insert(pair).second) {
      pairs.emplace_back(Json::Object{{"question_text", pair.first}, {"answer_text", pair.second}});
    }
    return true;
  });
  if (pairs.empty()) throw no_rows(input);
  return pairs;
}

}  // namespace rubric::data
