#include "data/vacuous_rationales/vacuous_rows.h"

#include <set>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "data/rows/rows.h"
#include "rubric/version.h"

namespace rubric::data {
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
  AtomicFile out(output);
  visit_rows(input, format, [&](Json row, const std::string& where) {
    const LabelledInput labelled = labelled_input(row, where);
    const VacuousRationale made = known.empty()
                                      ? by_rules(row, labelled, where, counts)
                                      : by_statement(row, labelled, known, where, counts, missing);
    if (!made.text.empty()) add_baseline(row, made, where);
    out.write(row.dump() + "\n");
    ++counts.rows;
    return true;
  });
  if (counts.rows == 0) throw InputError("the file has no rows", input.string());
  require_statements(missing, counts.rows, statements);
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
      throw InputError("the row has no question: it is of a premise and a hypothesis", where,
                       "derive vacuous-rationales makes its baseline by a template");
    }
    const ConverterInput pair = converter_input(labelled);
    if (known.insert(pair).second) {
      pairs.emplace_back(Json::Object{{"question_text", pair.first}, {"answer_text", pair.second}});
    }
    return true;
  });
  if (pairs.empty()) throw InputError("the file has no rows", input.string());
  return pairs;
}

}  // namespace rubric::data
