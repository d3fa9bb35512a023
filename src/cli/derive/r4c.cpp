// rubric derive r4c-baseline, r4c-pairs, derivations: R4C's derivations, and what a sequence model
// learns them from.
#include <algorithm>
#include <array>

#include "cli/derive/derivations.h"
#include "cli/derive/r4c_baseline.h"
#include "cli/derive/r4c_pairs.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"
#include "data/rows/rows.h"

namespace rubric::cli {

namespace po = boost::program_options;

namespace {

// Writes the file, and says how many questions and steps it has.
void write_predictions(const data::DerivationPredictions& predictions, const std::string& output) {
  write_file(output, predictions.json.dump() + "\n");
  log_info(std::to_string(predictions.questions) + " questions, " +
           std::to_string(predictions.steps) + " steps in " + output);
}

constexpr std::array<std::pair<const char*, data::DerivationBaseline>, 2> kBaselines = {
    {{"core", data::core_derivation}, {"ie", data::ie_derivation}}};

data::DerivationBaseline baseline_option(const OptionValues& values) {
  const std::string name = text_option(values, "baseline");
  for (const auto& [known, derive] : kBaselines) {
    if (name == known) return derive;
  }
  throw unknown_name("baseline", name, {kBaselines[0].first, kBaselines[1].first});
}

}  // namespace

CommandSyntax r4c_baseline_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE")->required(); };
  syntax.options.add_options()("baseline", po::value<std::string>()->required(), "core or ie")(
      "articles", file(), "questions and supporting facts, HotpotQA's JSON")(
      "parses", file(), "the parsed supporting facts, CoNLL-U as scripts/parse writes it")(
      "output,o", file(), "the predictions");
  syntax.positional.add("baseline", 1);
  syntax.inputs = {"articles", "parses"};
  syntax.outputs = {"output"};
  return syntax;
}

int run_derive_r4c_baseline(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(r4c_baseline_syntax(), arguments);
  if (!values) return kDone;
  const data::DerivationBaseline baseline = baseline_option(*values);
  const std::string articles = file_option(*values, "articles");
  const std::string parses = file_option(*values, "parses");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {articles, parses});
  const data::DerivationPredictions predictions =
      data::baseline_predictions(articles, parses, baseline);
  write_predictions(predictions, output);
  if (predictions.steps == 0) {
    log_warning("no step was derived: the parse may lack roots or noun chunks");
  }
  return kDone;
}

CommandSyntax r4c_pairs_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("hotpotqa", file()->required(),
                               "the questions of the pairs, HotpotQA's JSON")(
      "derivations", file(),
      "their reference derivations, R4C's JSON; without it rows have no target")(
      "max-references", po::value<int64_t>()->default_value(0)->value_name("N"),
      "use the first N references of each question, a row for each; 0: all")(
      "output,o", file()->required(), "the rows, as JSON lines");
  syntax.inputs = {"hotpotqa", "derivations"};
  syntax.outputs = {"output"};
  return syntax;
}

namespace {

data::DerivationPairs read_pairs(const OptionValues& values) {
  constexpr int64_t kMostReferences = 1000;
  const std::string derivations = file_option(values, "derivations");
  const int64_t references = integer_option(values, "max-references", 0, kMostReferences);
  if (derivations.empty() && references > 0) {
    throw InputError("--max-references is only valid with --derivations", "rubric derive r4c-pairs",
                     "add --derivations FILE, or leave --max-references out");
  }
  const std::vector<data::HotpotQuestion> questions =
      data::read_hotpotqa(file_option(values, "hotpotqa"));
  return derivations.empty()
             ? data::derivation_sources(questions)
             : data::derivation_pairs(questions, data::read_r4c(derivations), references);
}

}  // namespace

int run_derive_r4c_pairs(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(r4c_pairs_syntax(), arguments);
  if (!values) return kDone;
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output,
                      {file_option(*values, "hotpotqa"), file_option(*values, "derivations")});
  const data::DerivationPairs pairs = read_pairs(*values);
  std::vector<Json> rows;
  for (const data::SourceTarget& pair : pairs.rows) {
    Json row = Json::Object{{"id", pair.id}, {"source", pair.source}};
    if (!pair.target.empty()) row["target"] = pair.target;
    rows.push_back(std::move(row));
  }
  data::write_rows(output, rows);
  if (!pairs.skipped.empty()) {
    log_warning(std::to_string(pairs.skipped.size()) +
                " supporting facts name sentences that do not exist, and are left out: " +
                join_some(pairs.skipped));
  }
  log_info(std::to_string(rows.size()) + " rows in " + output);
  return kDone;
}

CommandSyntax derivations_syntax() {
  CommandSyntax syntax;
  const auto file = [] { return po::value<std::string>()->value_name("FILE")->required(); };
  syntax.options.add_options()("input,i", file(), "rows with id and a text")(
      "text", po::value<std::string>()->default_value("text")->value_name("FIELD"),
      "the field that holds the text")("output,o", file(), "the predictions");
  add_input_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  return syntax;
}

int run_derive_derivations(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(derivations_syntax(), arguments);
  if (!values) return kDone;
  const std::string input = file_option(*values, "input");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {input});
  const data::DerivationPredictions predictions = data::text_predictions(
      input, row_format_option(*values, input), text_option(*values, "text"));
  if (!predictions.malformed.empty()) {
    std::vector<std::string> ids = predictions.malformed;
    std::ranges::transform(ids, ids.begin(), [](const std::string& id) { return json_quote(id); });
    log_warning(std::to_string(ids.size()) + " of " + std::to_string(predictions.questions) +
                " texts are malformed and become derivations without steps: " + join_some(ids));
  }
  write_predictions(predictions, output);
  return kDone;
}

}  // namespace rubric::cli
