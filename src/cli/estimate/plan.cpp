// rubric plan --all FILE --labels FILE --human FIELD --difference D: how many labels it takes.
#include "cli/estimate/plan.h"

#include "cli/estimate/labelled_options.h"
#include "core/context.h"
#include "core/error.h"
#include "core/text/ascii.h"
#include "eval/report/report.h"
#include "rubric/plan.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax plan_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric plan --all FILE [--labels FILE] --human FIELD --difference SIZE [options]\n"
      "       rubric plan --all FILE [--labels FILE] --human FIELD --width SIZE [options]\n\n"
      "Tells how many questions to label, from a pilot: answers with scores, some of which have a\n"
      "label (files as for `rubric estimate`). --difference 0.05: a true difference of 0.05 of "
      "two\n"
      "systems' means, or of two metrics' correlations with the label, is found with 80% power by\n"
      "a two-sided test at 5%. --width 0.03: the 95% intervals are +-0.03 or narrower. It tells\n"
      "this for labels alone and for labels with each metric; by formula, and by simulation, "
      "which\n"
      "draws the pilot's questions again. A pilot needs ten labels of each system; a hundred tell\n"
      "much more. In a sheet of `rubric choose` the label is verdict: --human verdict. --format "
      "csv\n"
      "prints a measurement a row.";
  const auto number = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add_labelled_options(syntax);
  syntax.options.add_options()("difference", number("SIZE"),
                               "the true difference to find, in the label's units")(
      "width", number("SIZE"), "the widest half of a 95% interval: 0.03 for intervals of +-0.03")(
      "population", po::value<int64_t>()->default_value(0)->value_name("N"),
      "labels will be drawn from so many questions; 0: from those in --all")(
      "simulations", po::value<int64_t>()->default_value(1000)->value_name("N"),
      "for each number of labels that is tried")(
      "seed", po::value<int64_t>()->default_value(0)->value_name("N"),
      "another one, other simulations");
  add_format_option(syntax);
  syntax.prints_results = true;
  return syntax;
}

namespace {

std::optional<double> size_option(const OptionValues& values, const std::string& name) {
  const std::string text = text_option(values, name);
  if (text.empty()) return std::nullopt;
  if (const std::optional<double> size = parse_number(text)) return size;
  throw InputError("\"" + text + "\" is not a number", "--" + name, "such as --" + name + " 0.05");
}

}  // namespace

int run_plan(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(plan_syntax(), arguments);
  if (!values) return kDone;
  PlanRequest request;
  request.pilot = labelled_request(*values);
  request.pilot.command = eval::shell_command("rubric plan", arguments);
  request.difference = size_option(*values, "difference");
  request.width = size_option(*values, "width");
  constexpr int64_t kMost = 1'000'000'000;
  request.population = integer_option(*values, "population", 0, kMost);
  request.simulations = integer_option(*values, "simulations", 10, 100'000);
  request.seed = static_cast<uint64_t>(integer_option(*values, "seed", 0, INT64_MAX));
  const OutputFormat format = format_option(*values);
  print_result(plan(request, current_context()), {format});
  return kDone;
}

}  // namespace rubric::cli
