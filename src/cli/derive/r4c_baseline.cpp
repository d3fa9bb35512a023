// rubric derive r4c-baseline: R4C's two baselines, which derive steps from parsed sentences.
#include "cli/derive/r4c_baseline.h"

#include <algorithm>
#include <array>

#include "cli/derive/write_predictions.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/derivations/derivations.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

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
  syntax.usage =
      "usage: rubric derive r4c-baseline core|ie --articles FILE --parses FILE --output FILE\n\n"
      "Derivations of R4C's baselines (Inoue et al. 2020, section 5) as a prediction file for\n"
      "`rubric evaluate r4c`: core takes the title, the root and its first child to the right of\n"
      "each supporting fact, ie every pair of noun chunks.";
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
    log_warning("no step was derived: has the parse roots and noun chunks?");
  }
  return kDone;
}

}  // namespace rubric::cli
