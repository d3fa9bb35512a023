// rubric derive: derivations from parsed sentences (core, ie: R4C's two baselines) and from a
// sequence model's texts (text), training pairs for such a model (pairs), published data sets of
// rationales as rows (rationales), REV's vacuous rationales (baselines, conversions), and the
// outputs of REV's task models (outputs).
#include "cli/data/derive.h"

#include <algorithm>

#include "cli/data/derive_kinds.h"
#include "cli/data/rationale_options.h"
#include "core/error.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax derive_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive core|ie --articles FILE --parses FILE --output FILE\n"
      "       rubric derive text --input FILE --output FILE\n"
      "       rubric derive pairs --hotpotqa FILE [--derivations FILE] --output FILE\n"
      "       rubric derive rationales ecqa|cose|las|quartz|esnli FILE… [--questions FILE]… "
      "--output FILE\n"
      "       rubric derive baselines --input ROWS [--statements FILE] --output ROWS\n"
      "       rubric derive conversions --input ROWS --output FILE\n"
      "       rubric derive outputs xy_r|x_yr|x_ry|vacuous --input ROWS --output ROWS\n"
      "\n"
      "Derivations as a prediction file for `rubric evaluate r4c`. core and ie are\n"
      "R4C's baselines (Inoue et al. 2020, section 5): core takes the title, the root\n"
      "and its first child to the right of each supporting fact, ie every pair of noun\n"
      "chunks. The articles are HotpotQA's file, the parses CoNLL-U of its supporting\n"
      "facts as scripts/parse writes it. text reads what a sequence model wrote, rows\n"
      "with \"id\" and \"text\": TITLE | SENTENCE | HEAD | RELATION | TAIL ; …\n"
      "A malformed text is a derivation without steps, and counted. pairs writes what\n"
      "such a model learns from: rows with \"id\", \"source\", the question and its\n"
      "supporting sentences, and \"target\", a derivation of R4C's file as text.\n"
      "rationales writes a data set of rationales as rows of \"id\", \"question\" (or\n"
      "\"premise\" and \"hypothesis\"), \"choices\", \"label\", \"gold\" and \"rationale\".\n"
      "cose joins explanations with --questions. An example that cannot be used (no\n"
      "rationale, no question, a label that is no choice, an id that stood before) is\n"
      "refused, or with --keep-going left out and counted.\n"
      "baselines gives rationale rows their vacuous rationale (REV, Chen et al. 2022), a\n"
      "sentence of input and label: to a question by rules, to a premise and a\n"
      "hypothesis by a template, to either from FILE, which a converter wrote:\n"
      "\"question_text\", \"answer_text\", \"question_statement_text\". conversions\n"
      "writes the first two, each pair once, for the converter.\n"
      "outputs makes rationale rows of what a task model wrote for others (\"generated\"):\n"
      "xy_r RATIONALE, x_yr LABEL [rationale] RATIONALE, x_ry RATIONALE [answer] LABEL,\n"
      "whose label is left to `rubric generate --candidates`; vacuous takes the baseline\n"
      "for the rationale. What is no such text, or whose label is no choice, is refused,\n"
      "or with --keep-going left out and counted. REV's authors' own outputs have no ids:\n"
      "--ids ROWS takes them from the rationale rows of the same questions.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()(
      "from", text("WHAT"),
      "core, ie, text, pairs, rationales, baselines, conversions or outputs; also without its "
      "name")("arguments", po::value<std::vector<std::string>>()->value_name("X"),
              "rationales: the data set, then its files; outputs: the kind of pairs")(
      "articles", text("FILE"), "questions and supporting facts, HotpotQA's JSON")(
      "parses", text("FILE"), "the parsed supporting facts, CoNLL-U")(
      "input,i", text("FILE"), "rows with derivations as text, or rationale rows")(
      "statements", text("FILE"), "what a converter made of questions and answers, JSON lines")(
      "text", text("FIELD"), "the field that holds the text; else text, of outputs generated")(
      "ids", text("ROWS"),
      "outputs as published: the rationale rows whose questions' ids they get")(
      "hotpotqa", text("FILE"), "the questions of the pairs, HotpotQA's JSON")(
      "derivations", text("FILE"),
      "their reference derivations, R4C's JSON; without it rows have no target")(
      "references", po::value<int64_t>()->default_value(0)->value_name("N"),
      "a row each for the first N references of a question; 0: for all")(
      "output,o", text("FILE")->required(), "the predictions, or rows as JSON lines");
  add_input_format_option(syntax);
  add_rationale_options(syntax, "FILE", "where the examples that are not drawn go");
  syntax.options.add_options()("keep-going", "rationales, outputs: leave out what cannot be used");
  syntax.positional.add("from", 1);
  syntax.positional.add("arguments", -1);
  syntax.inputs = {"arguments", "articles", "parses",      "input",    "statements",
                   "ids",       "hotpotqa", "derivations", "questions"};
  syntax.outputs = {"output", "rest"};
  return syntax;
}

namespace {

struct Kind {
  const char* name;
  std::vector<std::string> needs, options;  // the options it accepts, including those it needs
  void (*derive)(const OptionValues&, const std::string& output);
};

std::vector<std::string> options_of_rationales() {
  std::vector<std::string> options = rationale_options();
  options.emplace_back("keep-going");
  return options;
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kinds = {
      {"core", {"articles", "parses"}, {"articles", "parses"}, derive_core},
      {"ie", {"articles", "parses"}, {"articles", "parses"}, derive_ie},
      {"text", {"input"}, {"input", "text", "input-format"}, derive_from_text},
      {"pairs", {"hotpotqa"}, {"hotpotqa", "derivations", "references"}, derive_pairs},
      {"rationales", {}, options_of_rationales(), derive_rationales},
      {"baselines", {"input"}, {"input", "statements", "input-format"}, derive_baselines},
      {"conversions", {"input"}, {"input", "input-format"}, derive_conversions},
      {"outputs", {"input"}, {"input", "text", "ids", "keep-going"}, derive_outputs}};
  return kinds;
}

const Kind& kind_of(const OptionValues& values) {
  const std::string name = text_option(values, "from");
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  if (!name.empty()) throw unknown_name("kind of derivation", name, names);
  throw InputError("no kind to derive is named", "rubric derive", "name one of " + join(names));
}

// Throws InputError for an option of another kind, and for a missing one of this kind.
void check_kind_options(const Kind& kind, const OptionValues& values) {
  const std::string where = std::string("rubric derive ") + kind.name;
  const std::string takes = std::string(kind.name) + " takes --" + join(kind.options, ", --");
  const std::vector<std::string> arguments = list_option(values, "arguments");
  const bool takes_arguments = kind.derive == derive_rationales || kind.derive == derive_outputs;
  if (!takes_arguments && !arguments.empty()) {
    throw InputError("there is one argument too many: " + arguments.front(), where, takes);
  }
  for (const Kind& other : kinds()) {
    for (const std::string& option : other.options) {
      if (!is_given(values, option) || std::ranges::count(kind.options, option) > 0) continue;
      throw InputError("--" + option + " does not go with what is derived", where, takes);
    }
  }
  for (const std::string& option : kind.needs) {
    if (file_option(values, option).empty()) {
      throw InputError("--" + option + " is missing", where, takes);
    }
  }
}

}  // namespace

data::InputFormat row_format_option(const OptionValues& values, const std::string& file) {
  const data::InputFormat format = input_format_option(values, file);
  if (data::has_rows(format)) return format;
  throw InputError(
      "the format " + std::string(format.name) + " is a data set's own and has no rows", file,
      "give jsonl, csv or tsv, or name one with --input-format");
}

int run_derive(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(derive_syntax(), arguments);
  if (!values) return kDone;
  const std::string output = output_option(*values, "output");
  std::vector<std::string> inputs;
  for (const char* const option :
       {"articles", "parses", "input", "hotpotqa", "derivations", "statements", "ids"}) {
    inputs.push_back(text_option(*values, option));
  }
  check_replaces_none("output", output, inputs);
  const Kind& kind = kind_of(*values);
  check_kind_options(kind, *values);
  kind.derive(*values, output);
  return kDone;
}

}  // namespace rubric::cli
