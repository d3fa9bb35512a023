// rubric derive r4c-pairs: what a sequence model learns derivations from.
#include "cli/derive/r4c_pairs.h"

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"
#include "data/rows/rows.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax r4c_pairs_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive r4c-pairs --hotpotqa FILE [--derivations FILE] --output FILE\n\n"
      "Rows from which a sequence model learns to write derivations: \"id\", \"source\", the\n"
      "question and its supporting sentences, and \"target\", a derivation of R4C's file as text.";
  const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
  syntax.options.add_options()("hotpotqa", file()->required(),
                               "the questions of the pairs, HotpotQA's JSON")(
      "derivations", file(),
      "their reference derivations, R4C's JSON; without it rows have no target")(
      "max-references", po::value<int64_t>()->default_value(0)->value_name("N"),
      "a row each for the first N references of a question; 0: for all")(
      "output,o", file()->required(), "the rows, as JSON lines");
  syntax.inputs = {"hotpotqa", "derivations"};
  syntax.outputs = {"output"};
  syntax.renamed = {{"references", "max-references"}};
  return syntax;
}

namespace {

data::DerivationPairs read_pairs(const OptionValues& values) {
  constexpr int64_t kMostReferences = 1000;
  const std::string derivations = file_option(values, "derivations");
  const int64_t references = integer_option(values, "max-references", 0, kMostReferences);
  if (derivations.empty() && references > 0) {
    throw InputError("--max-references is of --derivations, which is not given",
                     "rubric derive r4c-pairs",
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
                " supporting facts are of sentences that do not exist and are passed over: " +
                join_some(pairs.skipped));
  }
  log_info(std::to_string(rows.size()) + " rows in " + output);
  return kDone;
}

}  // namespace rubric::cli
