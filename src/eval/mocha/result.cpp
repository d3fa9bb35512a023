#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "eval/mocha/mocha.h"
#include "eval/resampling.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

constexpr const char* kUndefined = "constant or fewer than two values";

// `pearson` has the keys and n of all three, and the interval and resamples of Pearson's r.
void add_correlations(const stats::Correlations& correlations, Measurement pearson,
                      const std::string& why, Result& result) {
  const Measurement rank{.keys = pearson.keys, .n = pearson.n};
  add_value(std::move(pearson), "pearson", correlations.pearson, why, result.measurements);
  add_value(rank, "spearman", correlations.spearman, why, result.measurements);
  add_value(rank, "kendall", correlations.kendall, why, result.measurements);
}

void add_answers(const MochaResult& metric, bool resampled, Result& result) {
  const auto kept = [&](const Resampled& values) { return resampled ? values : Resampled(); };
  for (const ConstituentResult& constituent : metric.constituents) {
    const Keys keys{.metric = metric.metric, .group = constituent.name};
    add_correlations(constituent.correlations,
                     {.keys = keys,
                      .interval = constituent.interval,
                      .n = constituent.n,
                      .resampled = kept(constituent.resampled)},
                     kUndefined, result);
    result.measurements.push_back(count_of(keys, "missing", constituent.missing));
    for (const SourceResult& source : constituent.sources) {
      Keys of_source = keys;
      of_source.source = source.name;
      add_correlations(source.correlations,
                       {.keys = of_source, .n = source.n, .resampled = kept(source.resampled)},
                       kUndefined, result);
    }
  }
  add_correlations(metric.average, {.keys = {.metric = metric.metric}, .interval = metric.interval},
                   "undefined for a constituent", result);
}

void add_pairs(const MochaResult& metric, bool resampled, Result& result) {
  if (metric.pairs.empty()) return;
  const std::string accuracy = "minimal_pair_accuracy", why = "the minimal pairs are not scored";
  for (const PairResult& pair : metric.pairs) {
    const Keys keys{.metric = metric.metric, .group = pair.name};
    add_value({.keys = keys, .n = pair.n, .resampled = resampled ? pair.resampled : Resampled()},
              accuracy, pair.accuracy, why, result.measurements);
    result.measurements.push_back(count_of(keys, "missing_minimal_pairs", pair.missing));
  }
  add_value({.keys = {.metric = metric.metric}}, accuracy, metric.pair_average, why,
            result.measurements);
}

Layout constituent_layout(const std::string& title, const std::string& statistic, NumberForm form) {
  return {.title = title,
          .rows = {{"constituent", &Keys::group, "average"}},
          .columns = {{.statistics = {statistic}, .across = &Keys::metric, .form = form}}};
}

// A source that is all of its constituent is left out.
Layout source_layout(const MochaResult& metric) {
  Layout layout{
      .title = "By source of the candidates: Pearson's r / Spearman's rho / Kendall's tau-b",
      .rows = {{"constituent", &Keys::group}, {"source", &Keys::source}},
      .columns = {
          {.title = "n", .statistics = {"pearson"}, .any = &Keys::metric, .part = CellPart::n},
          {.statistics = {"pearson", "spearman", "kendall"}, .across = &Keys::metric}}};
  for (const ConstituentResult& constituent : metric.constituents) {
    const auto is_part = [&](const SourceResult& source) { return source.n < constituent.n; };
    if (std::ranges::any_of(constituent.sources, is_part)) {
      layout.rows.front().only.push_back(constituent.name);
    }
  }
  return layout;
}

// "3 of 120 predictions missing, counted as 0 (drop 2, quoref 1)", or "" without missing ones.
template <class Constituent>
std::string missing_note(const std::vector<Constituent>& constituents, const std::string& what,
                         const std::string& counts_as) {
  int64_t missing = 0, n = 0;
  std::vector<std::string> parts;
  for (const Constituent& constituent : constituents) {
    missing += constituent.missing;
    n += constituent.n;
    if (constituent.missing == 0) continue;
    parts.push_back(constituent.name + " " + std::to_string(constituent.missing));
  }
  if (missing == 0) return "";
  return std::to_string(missing) + " of " + std::to_string(n) + " " + what +
         " missing, counted as " + counts_as + " (" + join(parts) + ")";
}

std::string undefined_note(const MochaResult& result) {
  std::vector<std::string> undefined;
  for (const ConstituentResult& constituent : result.constituents) {
    if (!constituent.correlations.pearson) undefined.push_back(constituent.name);
  }
  if (undefined.empty()) return "";
  return std::string("no average, the correlation is undefined (") + kUndefined + ") for " +
         join(undefined);
}

}  // namespace

std::vector<std::string> mocha_notes(const MochaResult& result) {
  const bool has_unscored_pairs = !result.pairs.empty() && !result.pair_average;
  std::vector<std::string> notes = {missing_note(result.constituents, "predictions", "0"),
                                    missing_note(result.pairs, "minimal pairs", "incorrect"),
                                    has_unscored_pairs ? "the minimal pairs are not scored" : "",
                                    undefined_note(result)};
  std::erase(notes, "");
  std::vector<std::string> unused;
  for (const auto& [constituent, id] : result.unused) {
    unused.push_back(constituent.empty() ? id : constituent + "/" + id);
  }
  if (!unused.empty()) {
    notes.push_back(std::to_string(unused.size()) +
                    " scores belong to no instance: " + data::ids_text(unused));
  }
  return notes;
}

Result mocha_result(std::span<const MochaResult> metrics, const MochaTests& tests, bool resampled) {
  Result result{.title = "MOCHA: agreement with human judgements",
                .tables = {constituent_layout("Pearson's r with human judgements", "pearson",
                                              NumberForm::fixed3),
                           constituent_layout("Accuracy on minimal pairs, in percent",
                                              "minimal_pair_accuracy", NumberForm::percent1),
                           constituent_layout("Spearman's rho", "spearman", NumberForm::fixed3),
                           constituent_layout("Kendall's tau-b", "kendall", NumberForm::fixed3)}};
  for (const MochaResult& metric : metrics) {
    add_answers(metric, resampled, result);
    add_pairs(metric, resampled, result);
    for (const std::string& note : mocha_notes(metric)) {
      result.notes.push_back(metric.metric + ": " + note);
    }
  }
  Layout by_source = source_layout(metrics.front());
  if (!by_source.rows.front().only.empty()) result.tables.push_back(std::move(by_source));
  Layout plotted = result.tables.front();
  plotted.title += ", 95% intervals";
  result.interval_plots = {{.layout = std::move(plotted), .axis = "Pearson's r"}};
  add_tests(tests, result);
  return result;
}

namespace {

std::vector<uint32_t> rows_of(std::span<const data::Answer> answers,
                              const std::string& constituent) {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].constituent == constituent) rows.push_back(static_cast<uint32_t>(i));
  }
  return rows;
}

// The names as a set; throws unless each is in the data.
std::set<std::string> chosen_constituents(const std::vector<std::string>& names,
                                          std::span<const data::Answer> answers) {
  std::set<std::string> known;
  for (const data::Answer& answer : answers) known.insert(answer.constituent);
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw unknown_name("constituent in the data", name, {known.begin(), known.end()});
    }
  }
  return {names.begin(), names.end()};
}

// The answers with their human and predicted scores.
Records answer_records(std::shared_ptr<const std::vector<data::Answer>> answers,
                       std::span<const MochaPredictions> metrics) {
  const std::vector<data::InstanceKey> keys = keys_of(*answers);
  Records records{
      .name = "answers",
      .columns = {"id", "constituent", "question", "reference", "candidate", "human score"},
      .size = keys.size()};
  std::vector<Given> given;
  for (const MochaPredictions& metric : metrics) {
    records.columns.push_back(metric.metric);
    given.push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  const auto value = [](const std::optional<double>& score) {
    return score ? RecordValue(*score) : RecordValue();
  };
  records.row = [answers = std::move(answers), given = std::move(given), value](size_t row) {
    const data::Answer& answer = (*answers)[row];
    std::vector<RecordValue> cells = {answer.id,        answer.constituent,
                                      answer.question,  join(answer.references, " / "),
                                      answer.candidate, value(answer.score)};
    for (const Given& of_metric : given) cells.push_back(value(of_metric[row]));
    return cells;
  };
  return records;
}

}  // namespace

Result evaluate_mocha_files(const MochaRequest& request, const Context& context) {
  const ContextScope scope(context);
  const MochaFiles& files = request.files;
  check_files(files);
  if (!files.predictions.empty() && !request.metrics.empty()) {
    throw InputError("a prediction file has no metrics to choose from", "", "leave --metric out");
  }
  const auto kept =
      std::make_shared<const std::vector<data::Answer>>(read_mocha_instances(files.data));
  const std::vector<data::Answer>& answers = *kept;
  std::vector<data::AnswerPair> pairs;
  if (!files.minimal_pairs.empty()) pairs = read_mocha_minimal_pairs(files.minimal_pairs);
  const std::set<std::string> constituents = chosen_constituents(request.constituents, answers);
  const std::vector<MochaPredictions> metrics = read_metrics(files, request.metrics);
  std::vector<MochaResult> results;
  for (const MochaPredictions& metric : metrics) {
    results.push_back(evaluate_mocha(answers, pairs, metric, request.bootstrap, constituents));
  }
  const MochaTests tests = test_mocha(answers, pairs, metrics, constituents);
  Result result = mocha_result(results, tests, request.resampled);
  if (!pairs.empty() && results.front().pairs.empty()) {
    result.notes.emplace_back("no minimal pair belongs to the chosen constituents");
  }
  result.interval_plots.front().rows = [kept](const Keys& keys) {
    return rows_of(*kept, keys.group);
  };
  result.points = answer_records(kept, metrics);
  result.signature = "mocha|metric:" + signature_texts(tests.metrics) + "|" +
                     mocha_signature(files) + signature_end(request.bootstrap);
  result.inputs = {files.data,          files.predictions,      files.scores,
                   files.minimal_pairs, files.pair_predictions, files.pair_scores};
  std::erase(result.inputs, "");
  return result;
}

}  // namespace rubric::eval
