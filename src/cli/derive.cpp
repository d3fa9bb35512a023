// rubric derive core|ie|text: derivations from parsed sentences, R4C's two baselines, and from what
// a sequence model wrote.
#include <map>
#include <set>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"
#include "data/conllu.h"
#include "data/derivation_baselines.h"
#include "data/derivation_text.h"
#include "data/hotpotqa.h"
#include "data/r4c.h"
#include "data/rows.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

using Parses = std::map<SupportingFact, std::vector<ParsedSentence>>;
using Baseline = Derivation (*)(const SupportingFact&, std::span<const ParsedSentence>);

struct Entry {
  const char* name;
  Baseline derive;
};
constexpr Entry kBaselines[] = {{"core", core_derivation}, {"ie", ie_derivation}};

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive core|ie --articles FILE --parses FILE --output FILE\n"
      "       rubric derive text --input FILE --output FILE\n"
      "\n"
      "Derivations as a prediction file for `rubric evaluate r4c`. core and ie are\n"
      "R4C's baselines (Inoue et al. 2020, section 5): core takes the title, the root\n"
      "and its first child to the right of each supporting fact, ie every pair of noun\n"
      "chunks. The articles are HotpotQA's file, the parses CoNLL-U of its supporting\n"
      "facts as scripts/parse writes it. text reads what a sequence model wrote, rows\n"
      "with \"id\" and \"text\": TITLE | SENTENCE | HEAD | RELATION | TAIL ; …\n"
      "A malformed text is a derivation without steps, and counted.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("from", text("WHAT"), "core, ie or text; also without its name")(
      "articles", text("FILE"), "questions and supporting facts, HotpotQA's JSON")(
      "parses", text("FILE"), "the parsed supporting facts, CoNLL-U")(
      "input", text("FILE"), "rows with derivations as text")(
      "text", text("FIELD")->default_value("text"), "the field that holds the text")(
      "output", text("FILE")->required(), "the predictions");
  add_input_format_option(syntax);
  syntax.positional.add("from", 1);
  return syntax;
}

// An article's sentence, which a parser may have divided.
Parses parses_by_sentence(const std::string& file) {
  Parses parses;
  for (ParsedSentence& sentence : read_conllu(file)) {
    parses[sentence.source].push_back(std::move(sentence));
  }
  return parses;
}

std::vector<std::string> unparsed_facts(const std::vector<HotpotQuestion>& questions,
                                        const Parses& parses) {
  std::set<std::string> unparsed;
  for (const HotpotQuestion& question : questions) {
    for (const SupportingFact& fact : question.supporting_facts) {
      if (!parses.contains(fact)) unparsed.insert(fact.title + " " + std::to_string(fact.sentence));
    }
  }
  return {unparsed.begin(), unparsed.end()};
}

constexpr const char* kTakes = "core and ie take --articles and --parses, text takes --input";

std::string required_file(const OptionValues& values, const char* option) {
  if (text_option(values, option).empty()) {
    throw InputError(std::string("--") + option + " is missing", "rubric derive", kTakes);
  }
  return file_option(values, option);
}

void refuse(const OptionValues& values, const std::vector<const char*>& options) {
  for (const char* const option : options) {
    if (!values.contains(option) || values[option].defaulted()) continue;
    throw InputError(std::string("--") + option + " does not go with what is derived",
                     "rubric derive", kTakes);
  }
}

// Each supporting fact's steps, by question, and the facts themselves ("sp").
Json baseline_predictions(Baseline derive, const OptionValues& values) {
  refuse(values, {"input", "text"});
  const std::string articles = required_file(values, "articles");
  const std::string parsed = required_file(values, "parses");
  const std::vector<HotpotQuestion> questions = read_hotpotqa(articles);
  const Parses parses = parses_by_sentence(parsed);
  const std::vector<std::string> unparsed = unparsed_facts(questions, parses);
  if (!unparsed.empty()) {
    throw InputError(std::to_string(unparsed.size()) +
                         " supporting facts are not parsed: " + join_some(unparsed),
                     parsed, "parse them: scripts/parse " + articles + " FILE.conllu");
  }
  Json::Object derivations, facts;
  for (const HotpotQuestion& question : questions) {
    Derivation derivation;
    Json::Array sentences;
    for (const SupportingFact& fact : question.supporting_facts) {
      const Derivation of_fact = derive(fact, parses.at(fact));
      derivation.insert(derivation.end(), of_fact.begin(), of_fact.end());
      sentences.push_back(Json::Array{fact.title, fact.sentence});
    }
    derivations.emplace_back(question.id, to_json(derivation));
    facts.emplace_back(question.id, std::move(sentences));
  }
  return Json::Object{{"re", std::move(derivations)}, {"sp", std::move(facts)}};
}

// Tells how many texts are malformed; their derivations have no step, which scores 0.
Json text_predictions(const OptionValues& values) {
  refuse(values, {"articles", "parses"});
  const std::string input = required_file(values, "input"), field = text_option(values, "text");
  Json::Object derivations;
  std::set<std::string> ids;
  std::vector<std::string> malformed;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const std::string& id = row.require_string("id", where);
    if (!ids.insert(id).second) {
      throw InputError("the id " + json_quote(id) + " is there twice", where, "give one text each");
    }
    const std::optional<Derivation> derivation = parse_derivation(row.require_string(field, where));
    if (!derivation) malformed.push_back(json_quote(id));
    derivations.emplace_back(id, to_json(derivation.value_or(Derivation{})));
    return true;
  };
  visit_rows(input, input_format_option(values, input), read_row);
  if (derivations.empty()) throw InputError("the file has no rows", input);
  if (!malformed.empty()) {
    log_warning(
        std::to_string(malformed.size()) + " of " + std::to_string(derivations.size()) +
        " texts are malformed and become derivations without steps: " + join_some(malformed));
  }
  return Json::Object{{"re", std::move(derivations)}};
}

Json predictions_of(const OptionValues& values) {
  const std::string name = text_option(values, "from");
  std::vector<std::string> names = {"text"};
  if (name == names.front()) return text_predictions(values);
  for (const Entry& entry : kBaselines) {
    if (name == entry.name) return baseline_predictions(entry.derive, values);
    names.emplace_back(entry.name);
  }
  if (!name.empty()) throw unknown_name("kind of derivation", name, names);
  throw InputError("it is not said what to derive", "rubric derive", "name one of " + join(names));
}

}  // namespace

int run_derive(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output,
                      {text_option(*values, "articles"), text_option(*values, "parses"),
                       text_option(*values, "input")});
  const Json predictions = predictions_of(*values);
  write_file(output, predictions.dump() + "\n");
  const Json::Object& derivations = predictions.find("re")->object();
  size_t steps = 0;
  for (const auto& [id, derivation] : derivations) steps += derivation.array().size();
  if (steps == 0) log_warning("no step was derived: has the parse roots and noun chunks?");
  log_info(std::to_string(derivations.size()) + " questions, " + std::to_string(steps) +
           " steps in " + output);
  return kDone;
}

}  // namespace rubric
