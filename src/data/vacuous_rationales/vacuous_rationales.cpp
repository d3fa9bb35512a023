#include "data/vacuous_rationales/vacuous_rationales.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/text/utf8.h"
#include "data/rows/copied_rows.h"
#include "data/rows/rows.h"
#include "rubric/version.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

std::string relation_of(std::string_view label, const std::string& where) {
  if (label == "entailment") return " implies ";
  if (label == "contradiction") return " contradicts ";
  if (label == "neutral") return " is not related to ";
  throw InputError("the label \"" + std::string(label) + "\" is not a label of an inference", where,
                   "write entailment, neutral or contradiction");
}

std::string_view bare(std::string_view word) {
  constexpr std::string_view kMarks = ".,;:?!\"'()[]";
  const size_t begin = word.find_first_not_of(kMarks);
  if (begin == std::string_view::npos) return {};
  return word.substr(begin, word.find_last_not_of(kMarks) + 1 - begin);
}

// The words of a premise or hypothesis, without its end mark.
std::vector<std::string> statement_words(std::string_view text, const char* field,
                                         const std::string& where) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  while (!words.empty() && bare(words.back()).empty()) words.pop_back();
  if (words.empty())
    throw InputError("the " + std::string(field) + " has no word", where,
                     "fill it in, or leave the row out");
  words.back().erase(words.back().find_last_not_of(".?!,;:\"") + 1);
  return words;
}

// Whether the first word is "I", has more capitals, or is a name: it also occurs, with its capital,
// behind the first word of premise or hypothesis.
bool keeps_capital(const std::vector<std::string>& premise,
                   const std::vector<std::string>& hypothesis) {
  const std::string_view word = bare(hypothesis[0]);
  const auto occurs_in = [&](const std::vector<std::string>& words) {
    return std::any_of(words.begin() + 1, words.end(),
                       [&](const std::string& other) { return bare(other) == word; });
  };
  return word == "I" || word.starts_with("I'") || word.starts_with("I\u2019") ||
         std::ranges::any_of(word.substr(std::min<size_t>(word.size(), 1)),
                             [](char c) { return c >= 'A' && c <= 'Z'; }) ||
         occurs_in(premise) || occurs_in(hypothesis);
}

std::string uncapitalized(const std::string& text) {
  size_t rest = 0;
  std::string changed;
  text::append_lower_case(decode_utf8(text, rest), changed);
  return changed + text.substr(rest);
}

}  // namespace

std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where) {
  const std::string relation = relation_of(label, where);
  const std::vector<std::string> before = statement_words(premise, "premise", where);
  const std::vector<std::string> after = statement_words(hypothesis, "hypothesis", where);
  const std::string text = join(after, " ");
  return join(before, " ") + relation +
         (keeps_capital(before, after) ? text : uncapitalized(text)) + ".";
}

VacuousQuestion vacuous_question(std::string_view question, std::string_view answer) {
  const size_t blank = question.find("__");
  if (blank == std::string_view::npos)
    return {std::string(question) + " The answer is " + std::string(answer) + ".", false};
  const size_t end = std::min(question.find_first_not_of('_', blank), question.size());
  return {std::string(question.substr(0, blank)).append(answer).append(question.substr(end)), true};
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
  std::string text, by;  // "template", "blank", "answer" or "statements"
};

// Without a text where `statements`, if there are any, lack the input.
VacuousRationale vacuous_rationale(const LabelledInput& input, const Statements& statements,
                                   const std::string& where) {
  if (!statements.empty()) {
    const auto found = statements.find(converter_input(input));
    return {found == statements.end() ? "" : found->second, "statements"};
  }
  if (input.question.empty()) {
    return {vacuous_inference(input.premise, input.hypothesis, input.label, where), "template"};
  }
  const VacuousQuestion made = vacuous_question(input.question, input.label);
  return {made.text, made.is_filled ? "blank" : "answer"};
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

}  // namespace

VacuousCounts add_vacuous_rationales(const std::filesystem::path& input, InputFormat format,
                                     const std::filesystem::path& statements,
                                     const std::filesystem::path& output) {
  const Statements known = statements.empty() ? Statements{} : read_statements(statements);
  VacuousCounts counts;
  std::vector<std::string> missing;  // rows without a statement
  bool lacks_question = false;       // some of them are inferences
  CopiedRows copies;
  AtomicFile out(output);
  visit_rows(input, format, [&](Json row, const std::string& where) {
    copies.add(row, where);
    const LabelledInput labelled = labelled_input(row, where);
    const VacuousRationale made = vacuous_rationale(labelled, known, where);
    if (made.text.empty()) {
      const std::string id = optional_name(row, "id", where);
      missing.push_back(id.empty() ? where : json_quote(id));
      lacks_question |= labelled.question.empty();
    } else {
      add_baseline(row, made, where);
      ++counts.by[made.by];
    }
    out.write(row.dump() + "\n");
    ++counts.rows;
    return true;
  });
  if (counts.rows == 0) throw no_rows(input);
  if (!missing.empty()) {
    throw InputError(std::to_string(missing.size()) + " of " + std::to_string(counts.rows) +
                         " rows have no statement: " + join_some(missing),
                     statements.string(),
                     lacks_question
                         ? "leave --statements out: a template makes inferences' baselines"
                         : "convert what derive conversions writes of the rows");
  }
  warn_of_copies(copies.places(), kCopiesAreRead);
  out.commit();
  return counts;
}

std::string vacuous_signature(const VacuousCounts& counts,
                              const std::filesystem::path& statements) {
  std::string signature = "baselines";
  if (counts.by.contains("statements")) signature += "|statements:" + short_sha256_file(statements);
  for (const std::string by : {"blank", "answer", "template"}) {
    const auto found = counts.by.find(by);
    if (found != counts.by.end()) signature += "|" + by + ":" + std::to_string(found->second);
  }
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
