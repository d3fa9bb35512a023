// rubric evaluate preference: which of two answers a judge prefers.
#include "cli/evaluate/preference.h"

#include "cli/evaluate/suites.h"
#include "cli/shared/options.h"
#include "eval/preference/preference.h"
#include "eval/report/report.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax preference_syntax() {
  CommandSyntax syntax;
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add_ledger_options(syntax);
  syntax.options.add_options()("language", text("CODE"), "only the pairs in this language")(
      "summary", text("FILE"), "also write the results as JSON")(
      "report", text("FILE"), "also write the tables as one HTML page");
  add_bootstrap_options(syntax);
  add_format_option(syntax, /*several=*/true);
  syntax.inputs = {"ledger"};
  syntax.outputs = {"summary", "report"};
  syntax.prints_results = true;
  return syntax;
}

namespace {

struct PreferenceRequest {
  std::string ledger, language, summary, report;
  stats::BootstrapOptions bootstrap;
  Formats formats;
};

PreferenceRequest preference_request(const OptionValues& values) {
  PreferenceRequest request;
  request.ledger = file_option(values, "ledger");
  request.language = text_option(values, "language");
  request.summary = output_option(values, "summary");
  check_replaces_none("summary", request.summary, {request.ledger});
  request.report = output_option(values, "report");
  check_replaces_none("report", request.report, {request.ledger, request.summary});
  request.bootstrap = bootstrap_options(values);
  request.formats = formats_option(values);
  return request;
}

}  // namespace

int run_evaluate_preference(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(preference_syntax(), arguments);
  if (!values) return kDone;
  const PreferenceRequest request = preference_request(*values);
  const judge::Ledger ledger =
      judge::read_chosen_ledger(request.ledger, ledger_choice_option(*values));
  const eval::PreferenceEvaluation evaluation = eval::evaluate_preferences(
      ledger.entries, request.language, request.bootstrap, request.ledger);
  Result result = eval::preference_result(evaluation);
  result.signature = eval::preference_signature(ledger, evaluation, request.language);
  result.inputs = {request.ledger};
  write_result(result, request.summary, request.report,
               eval::shell_command("rubric evaluate preference", arguments), request.formats);
  return kDone;
}

}  // namespace rubric::cli
