// Declared in include/rubric/agreement.h.
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"
#include "eval/agreement/agreement.h"
#include "eval/estimate/estimate.h"
#include "eval/signature.h"
#include "judge/ledger/ledger.h"
#include "metrics/list.h"
#include "rubric/agreement.h"

namespace rubric {
namespace {

std::string signature_of(const AgreementRequest& request,
                         const std::optional<judge::Ledger>& ledger,
                         const eval::Agreement& agreement, bool drops_rows) {
  const bool is_permutation = agreement.options.test == AgreementTest::permutation;
  eval::Signature signature("agreement");
  signature.file("input", request.input).file("dev", request.dev);
  if (ledger) signature.add(judge::ledger_signature(*ledger));
  signature.text("human", request.human)
      .text("group", request.group)
      .text("system", request.system)
      .add("parser", request.judge.parser)
      .fields(request.row_format.fields)
      .add("missing", drops_rows ? "drop" : "")
      .add("test", eval::method_of(agreement))
      .add("resamples", request.options.bootstrap.resamples);
  if (is_permutation) signature.add("permutations", agreement.permutations);
  return signature.add("seed", std::to_string(request.options.bootstrap.seed)).end();
}

// A copy is refused too: thresholds that are measured on the rows that chose them look too good.
void check_dev_file(const AgreementRequest& request) {
  require_no_pipe(request.dev);
  const std::string input = request.input.string(), dev = request.dev.string();
  const bool is_same =
      is_same_file(input, dev) || short_sha256_file(input) == short_sha256_file(dev);
  if (!is_same) return;
  throw InputError(
      "--dev has the rows of --input", dev,
      "give other rows: thresholds look too good on the rows that chose them. Or leave "
      "--dev out: the halves of the questions then choose for each other");
}

void check_request(const AgreementRequest& request) {
  if (request.human.empty()) {
    throw InputError("--human is empty", "", "name the field of the human labels");
  }
  metrics::require_distinct_metrics(request.metrics);
  require_no_pipe(request.input);
  if (!request.ledger.empty()) require_no_pipe(request.ledger);
  stats::require_valid(request.options.bootstrap);
  if (!request.dev.empty()) check_dev_file(request);
}

data::ScoredRows read_rows(const AgreementRequest& request, const std::filesystem::path& file,
                           data::RowFields fields, const judge::Ledger* ledger,
                           std::vector<std::string>& notes) {
  fields.fields = request.row_format.fields;
  data::ScoredSource source = data::read_scored_source(
      file, data::input_format(request.row_format, file), request.row_format.fields);
  if (ledger != nullptr) {
    eval::add_verdicts(*ledger, request.ledger, data::field_in(source, request.human),
                       request.system, source, notes);
  }
  data::ScoredRows rows = data::read_scored_rows(std::move(source), fields);
  // So that each statistic is higher for a metric that agrees better.
  for (size_t metric = 0; metric < rows.metrics.size(); ++metric) {
    if (!metrics::is_lower_better(rows.metrics[metric])) continue;
    for (double& score : rows.scores[metric]) score = -score;
  }
  return rows;
}

std::set<double> labels_of(const data::ScoredRows& rows) {
  return {rows.human.begin(), rows.human.end()};
}

std::string listed(const std::set<double>& labels) {
  std::vector<std::string> texts;
  for (const double label : labels) texts.push_back(Json(label).dump());
  return (texts.size() == 1 ? "label " : "labels ") + join_some(texts);
}

// The labels that are not among the others.
std::set<double> beyond(const std::set<double>& labels, const std::set<double>& others) {
  std::set<double> rest;
  std::ranges::set_difference(labels, others, std::inserter(rest, rest.end()));
  return rest;
}

// Throws InputError unless dev has two labels, and the input no others.
void require_two_labels(const AgreementRequest& request, const data::ScoredRows& rows,
                        const data::ScoredRows& dev) {
  const std::set<double> labels = labels_of(rows), dev_labels = labels_of(dev);
  const std::string file = request.dev.string();
  if (dev_labels.size() == 1) {
    throw InputError("--dev has the " + listed(dev_labels) + " alone", file,
                     "give rows of both labels: a threshold is chosen between two");
  }
  if (labels.size() > 2) {
    throw InputError("--dev is for labels of two values, and the input has the " + listed(labels),
                     request.input.string(),
                     "leave rows out, or give them one of two labels; or leave --dev out");
  }
  if (dev_labels.size() > 2) {
    const std::set<double> rest = beyond(dev_labels, labels);
    throw InputError(
        "--dev has the " + listed(dev_labels) + ", and the input the " + listed(labels), file,
        (labels.size() == 2 && rest.size() + 2 == dev_labels.size()
             ? "leave the rows of the " + listed(rest) + " out of it"
             : "leave all rows but those of two labels out of it") +
            std::string(", or give them one of the two: a threshold is chosen between two"));
  }
  const std::set<double> unknown = beyond(labels, dev_labels);
  if (unknown.empty()) return;
  throw InputError(
      "the input has the " + listed(labels) + ", and --dev the " + listed(dev_labels),
      request.input.string(),
      "write the labels of one file as the other has them; true, yes, right and correct are "
      "read as 1, their opposites as 0");
}

// The rows of --dev for the metrics of the input. Groups and systems only tell its rows apart.
data::ScoredRows read_dev(const AgreementRequest& request, const data::ScoredRows& rows,
                          const judge::Ledger* ledger, std::vector<std::string>& notes) {
  data::ScoredRows dev = read_rows(request, request.dev,
                                   {.human = request.human,
                                    .group = request.group,
                                    .system = request.system,
                                    .metrics = rows.metrics,
                                    .other_names = metrics::other_names(rows.metrics),
                                    .names_are_optional = true,
                                    .as_in = request.input,
                                    .missing = request.missing,
                                    .sources_tell_apart = true},
                                   ledger, notes);
  require_two_labels(request, rows, dev);
  return dev;
}

}  // namespace

Result evaluate_agreement(const AgreementRequest& request, const Context& context) {
  const ContextScope scope(context);
  check_request(request);
  std::optional<judge::Ledger> ledger;
  if (!request.ledger.empty()) ledger = judge::read_chosen_ledger(request.ledger, request.judge);
  const judge::Ledger* const replies = ledger ? &*ledger : nullptr;
  std::vector<std::string> notes;
  const auto rows = std::make_shared<const data::ScoredRows>(
      read_rows(request, request.input,
                {.human = request.human,
                 .group = request.group,
                 .system = request.system,
                 .metrics = request.metrics,
                 .other_names = metrics::other_names(request.metrics),
                 .missing = request.missing,
                 .sources_tell_apart = true},
                replies, notes));
  std::optional<data::ScoredRows> dev;
  if (!request.dev.empty()) dev = read_dev(request, *rows, replies, notes);
  eval::Agreement agreement =
      eval::evaluate_agreement(*rows, request.options, dev ? &*dev : nullptr);
  std::ranges::move(notes, std::back_inserter(agreement.notes));
  Result result = eval::agreement_result(agreement, rows, request.resampled);
  const auto lacks = [](const data::ScoredRows& of) { return of.unlabelled + of.unscored > 0; };
  result.signature = signature_of(request, ledger, agreement, lacks(*rows) || (dev && lacks(*dev)));
  result.inputs = {request.input.string() + " (labels: " + request.human + ")"};
  if (!request.dev.empty()) result.inputs.push_back(request.dev.string() + " (dev rows)");
  if (!request.ledger.empty()) result.inputs.push_back(request.ledger.string() + " (verdicts)");
  return result;
}

}  // namespace rubric
