// rubric estimate --all FILE --labels FILE --human FIELD: how good systems are, from the scores of
// all answers and the human labels of a few.
#include "cli/estimate/estimate.h"

#include "cli/estimate/labelled_options.h"
#include "cli/shared/options.h"
#include "core/context.h"
#include "eval/report/report.h"
#include "rubric/estimate.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax estimate_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric estimate --all FILE --labels FILE --human FIELD [options]\n"
      "       rubric estimate --all FILE --human FIELD [options]\n"
      "       rubric estimate --ledger FILE --labels FILE --human C|H|I|E [options]\n\n"
      "How good systems are: the mean human label of these answers, where all have scores of "
      "metrics\n"
      "and a few have a label (prediction-powered inference). --all holds the answers as `rubric "
      "score`\n"
      "wrote them, or a table with a column for each metric; --labels the labels, by id (by "
      "question\n"
      "where rows have no ids) and, where both files have them, constituent, system and group. "
      "Without\n"
      "it the labels are in --all.\n\n"
      "Prints the mean of each system from labels alone, from each metric alone, which is biased,\n"
      "and from both; all differences; and how the metric correlates with the\n"
      "label; each with a 95% interval, and with how many labels the metric is worth. Labelled\n"
      "answers must have been drawn at random: alike, alike within --strata, or each with its\n"
      "--probability. A sheet of `rubric choose` says how itself; its label is verdict: --human\n"
      "verdict. With --ledger the metric is a judge's verdict on the aspect that --human names.\n"
      "--format csv prints a measurement a row.";
  add_labelled_options(syntax);
  syntax.options.add_options()(
      "group", po::value<std::string>()->value_name("FIELD"),
      "a field to report by as well, such as constituent; tables show 50 groups");
  add_bootstrap_options(syntax);
  add_format_option(syntax);
  syntax.prints_results = true;
  return syntax;
}

int run_estimate(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(estimate_syntax(), arguments);
  if (!values) return kDone;
  EstimateRequest request = labelled_request(*values);
  request.group = text_option(*values, "group");
  request.bootstrap = bootstrap_options(*values);
  request.command = eval::shell_command("rubric estimate", arguments);
  const OutputFormat format = format_option(*values);
  print_result(estimate(request, current_context()), {format});
  return kDone;
}

}  // namespace rubric::cli
