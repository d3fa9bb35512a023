// rubric derive core|ie: derivations from parsed sentences, R4C's two baselines.
#include <iostream>
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
#include "data/hotpotqa.h"
#include "data/r4c.h"

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
      "usage: rubric derive core|ie --articles FILE --parses FILE --output FILE\n\n"
      "R4C's two baselines (Inoue et al. 2020, section 5): core takes the title, the root verb "
      "and\n"
      "its first child to the right of each supporting fact, ie every pair of noun chunks. The\n"
      "articles are HotpotQA's file, the parses CoNLL-U of its supporting facts as scripts/parse\n"
      "writes it, the output is a prediction file for `rubric evaluate r4c`.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("baseline", text("NAME"), "core or ie; also without its name")(
      "articles", text("FILE")->required(), "questions and supporting facts, HotpotQA's JSON")(
      "parses", text("FILE")->required(), "the parsed supporting facts, CoNLL-U")(
      "output", text("FILE")->required(), "the predictions");
  syntax.positional.add("baseline", 1);
  return syntax;
}

Baseline baseline_option(const OptionValues& values) {
  const std::string name = text_option(values, "baseline");
  std::vector<std::string> names;
  for (const Entry& entry : kBaselines) {
    if (name == entry.name) return entry.derive;
    names.emplace_back(entry.name);
  }
  if (!name.empty()) throw unknown_name("baseline", name, names);
  throw InputError("no baseline is named", "rubric derive", "name one of " + join(names));
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

}  // namespace

int run_derive(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  const Baseline derive = baseline_option(*values);
  const std::string articles = file_option(*values, "articles");
  const std::string parsed = file_option(*values, "parses");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {articles, parsed});

  const std::vector<HotpotQuestion> questions = read_hotpotqa(articles);
  const Parses parses = parses_by_sentence(parsed);
  const std::vector<std::string> unparsed = unparsed_facts(questions, parses);
  if (!unparsed.empty()) {
    throw InputError(std::to_string(unparsed.size()) +
                         " supporting facts are not parsed: " + join_some(unparsed),
                     parsed, "parse them: scripts/parse " + articles + " FILE.conllu");
  }
  Json predictions;
  Json& derivations = predictions["re"] = Json(Json::Object());
  Json facts{Json::Object()};
  int64_t steps = 0;
  for (const HotpotQuestion& question : questions) {
    Derivation derivation;
    Json::Array sentences;
    for (const SupportingFact& fact : question.supporting_facts) {
      const Derivation of_fact = derive(fact, parses.at(fact));
      derivation.insert(derivation.end(), of_fact.begin(), of_fact.end());
      sentences.push_back(Json::Array{fact.title, fact.sentence});
    }
    steps += static_cast<int64_t>(derivation.size());
    derivations[question.id] = to_json(derivation);
    facts[question.id] = std::move(sentences);
  }
  predictions["sp"] = std::move(facts);
  write_file(output, predictions.dump() + "\n");
  log_info(std::to_string(questions.size()) + " questions, " + std::to_string(steps) +
           " steps in " + output);
  return kDone;
}

}  // namespace rubric
