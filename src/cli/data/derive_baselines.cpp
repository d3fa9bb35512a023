// derive baselines: the vacuous rationales of REV.

#include <array>
#include <set>

#include "cli/data/derive_kinds.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/vacuous_rationales.h"
#include "rubric/version.h"

namespace rubric::cli {

namespace {

using Statements = std::map<data::ConverterInput, std::string>;

// How a file's baselines were made, and which rows had problems.
struct Account {
  std::array<int64_t, data::kStatementRules> by_rule = {};
  int64_t by_template = 0, by_statement = 0;
  std::vector<std::string> plain;    // rows whose question fits no rule
  std::vector<std::string> missing;  // rows without a statement
  bool lacks_question = false;       // true for inference rows as well
};

struct RationaleBaseline {
  std::string text, by;  // "template", "rules" or "statements"
};

std::string name_of_row(const Json& row, const std::string& where) {
  const std::string id = data::optional_text(row, "id", where);
  return id.empty() ? where : json_quote(id);
}

RationaleBaseline make_baseline(const Json& row, const Statements& statements,
                                const std::string& where, Account& account) {
  const data::LabelledInput input = data::labelled_input(row, where);
  if (!statements.empty()) {
    const auto found = statements.find(data::converter_input(input));
    if (found == statements.end()) {
      account.missing.push_back(name_of_row(row, where));
      account.lacks_question = account.lacks_question || input.question.empty();
      return {};
    }
    ++account.by_statement;
    return {found->second, "statements"};
  }
  if (input.question.empty()) {
    ++account.by_template;
    return {data::vacuous_inference(input.premise, input.hypothesis, input.label, where),
            "template"};
  }
  const data::Statement statement = data::vacuous_statement(input.question, input.label);
  ++account.by_rule.at(static_cast<size_t>(statement.rule));
  if (statement.rule == data::StatementRule::plain)
    account.plain.push_back(name_of_row(row, where));
  return {statement.text, "rules"};
}

void add_baseline(Json& row, const RationaleBaseline& baseline, const std::string& where) {
  const std::string known = data::optional_text(row, "baseline", where);
  if (!known.empty() && known != baseline.text) {
    throw InputError("the row has another baseline already: " + json_quote(known), where,
                     "start from the rows without baselines, or take the field out");
  }
  row["baseline"] = baseline.text;
  row["baseline_by"] = baseline.by;
}

std::string baseline_signature(const Account& account, const std::string& statements_file) {
  std::string signature = "baselines", rules;
  if (account.by_statement > 0) {
    signature += "|statements:" + short_sha256_file(statements_file);
  }
  for (size_t i = 0; i < data::kStatementRules; ++i) {
    if (account.by_rule.at(i) == 0) continue;
    rules += (rules.empty() ? "" : ",") +
             std::string(data::name_of(static_cast<data::StatementRule>(i))) + "=" +
             std::to_string(account.by_rule.at(i));
  }
  if (!rules.empty()) signature += "|rules:" + rules;
  if (account.by_template > 0) signature += "|template:" + std::to_string(account.by_template);
  return signature + "|rubric:" + version_with_build();
}

// Reports the problems. Throws InputError for rows without a statement.
void report(const Account& account, int64_t rows, const std::string& statements) {
  if (!account.missing.empty()) {
    throw InputError(std::to_string(account.missing.size()) + " of " + std::to_string(rows) +
                         " rows have no statement: " + join_some(account.missing),
                     statements,
                     account.lacks_question
                         ? "leave --statements out: a template makes inferences' baselines"
                         : "convert what derive conversions writes of the rows");
  }
  if (account.plain.empty()) return;
  log_warning(std::to_string(account.plain.size()) + " of " + std::to_string(rows) +
              " questions fit no rule, and their baselines are the question followed by the "
              "answer: " +
              join_some(account.plain));
}

}  // namespace

void derive_baselines(const OptionValues& values, const std::string& output) {
  const std::string input = file_option(values, "input");
  const std::string file = file_option(values, "statements");
  check_json_lines_name(output);
  const Statements statements = file.empty() ? Statements{} : data::read_statements(file);
  Account account;
  int64_t rows = 0;
  AtomicFile out(output);
  const auto derive_row = [&](Json row, const std::string& where) {
    const RationaleBaseline baseline = make_baseline(row, statements, where, account);
    if (!baseline.text.empty()) add_baseline(row, baseline, where);
    out.write(row.dump() + "\n");
    ++rows;
    return true;
  };
  data::visit_rows(input, row_format_option(values, input), derive_row);
  if (rows == 0) throw InputError("the file has no rows", input);
  report(account, rows, file);
  out.commit();
  log_info(std::to_string(rows) + " rows in " + output);
  log_info(baseline_signature(account, file));
}

// derive conversions: the input rows of a model that converts questions to REV's vacuous
// rationales.
void derive_conversions(const OptionValues& values, const std::string& output) {
  const std::string input = file_option(values, "input");
  check_json_lines_name(output);
  std::vector<Json> pairs;
  std::set<data::ConverterInput> known;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const data::LabelledInput labelled = data::labelled_input(row, where);
    if (labelled.question.empty()) {
      throw InputError("the row has no question: it is of a premise and a hypothesis", where,
                       "derive baselines makes its baseline by a template");
    }
    const data::ConverterInput pair = data::converter_input(labelled);
    if (known.insert(pair).second) {
      pairs.emplace_back(Json::Object{{"question_text", pair.first}, {"answer_text", pair.second}});
    }
    return true;
  };
  data::visit_rows(input, row_format_option(values, input), read_row);
  if (pairs.empty()) throw InputError("the file has no rows", input);
  data::write_rows(output, pairs);
  log_info(std::to_string(pairs.size()) + " questions with their answers in " + output);
}

}  // namespace rubric::cli
