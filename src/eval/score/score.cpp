#include "eval/score/score.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "config/request.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/answers/answer_file.h"
#include "data/answers/answer_rows.h"
#include "data/answers/reference_separator.h"
#include "data/answers/repeated_documents.h"
#include "data/answers/squad.h"
#include "data/scored_files/joined_scores.h"
#include "data/tokens/tokenized_answers.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "eval/score/answer_series.h"
#include "metrics/list.h"
#include "metrics/ngram/squad.h"

namespace rubric::eval {
namespace {

// What only answers have is refused with other records.
void require_record_options(const ScoreRequest& request, const Scoring& scoring) {
  if (scoring.record == metrics::RecordKind::answer) return;
  if (scoring.metrics.size() > 1) {
    const auto other = std::ranges::find_if(scoring.metrics, [](const metrics::MetricKind* kind) {
      return kind->record != metrics::RecordKind::answer;
    });
    const std::string name((*other)->name);
    throw InputError(name + " reads other rows than the other metrics", "",
                     "score " + name + " alone, into a file of its own or its own output");
  }
  const auto refuse = [](const std::string& option) {
    throw InputError("--" + option + " is only valid for metrics of answers", "", "leave it out");
  };
  if (request.settings.contains(metrics::kStrip.name)) refuse(metrics::kStrip.name);
  if (!request.constituents.empty()) refuse("constituent");
  if (!request.predictions.empty()) refuse("predictions");
  if (!request.joined.empty()) refuse("join");
  if (!request.no_answer_probabilities.empty()) refuse("no-answer-probabilities");
  if (scoring.record == metrics::RecordKind::rationale && !request.row_format.fields.empty())
    refuse("field");
}

// The values of --model by metric. Throws InputError for a metric with two models, for a model of a
// metric that is not scored, for one that may be of several metrics, and for a metric without one.
std::map<std::string, std::string> require_models(const ScoreRequest& request,
                                                  const Scoring& scoring) {
  std::vector<std::string> scored;  // with a model
  for (const metrics::MetricKind* const kind : scoring.metrics) {
    if (kind->needs_model()) scored.emplace_back(kind->name);
  }
  std::map<std::string, std::string> models;
  for (const std::string& value : request.models) {
    const std::string where = "--model " + value;
    auto [metric, model] = metrics::parse_model_option(value);
    if (metric.empty() && scored.size() > 1) {
      std::vector<std::string> ways;
      for (const std::string& of : scored)
        ways.push_back("--model " + shell_word(of + "=" + value));
      throw InputError("the model may be any of " + join(scored), where,
                       "write " + join(ways, " or "));
    }
    if (metric.empty() && scored.empty()) {
      throw InputError("no metric that is scored takes a model", where, "leave it out");
    }
    if (metric.empty()) metric = scored.front();
    if (model.empty()) {
      throw InputError("--model is empty", "command line",
                       "name a file or folder, or leave --model out");
    }
    if (std::ranges::count(scored, metric) == 0) {
      throw InputError("the metric " + metric + " is not scored", where, "leave its model out");
    }
    if (models.emplace(metric, model).second) continue;
    throw InputError("the metric " + metric + " has two models", where, "name one");
  }
  for (const metrics::MetricKind* const kind : scoring.metrics) {
    const std::string name(kind->name);
    const bool has_own = kind->default_model != nullptr;
    if (!kind->needs_model() || has_own || models.contains(name)) continue;
    throw InputError("the metric " + name + " needs a model", "",
                     "name one, such as rubric " + std::string(kind->example) +
                         "; with several metrics that need models --model " + name + "=DIR");
  }
  return models;
}

// {"id=row", "constituent"}: our names of the keys, and theirs where they differ.
FieldNames join_keys_of(const ScoreRequest& request) {
  if (request.join_keys.empty()) return {{"id", "id"}};
  if (request.joined.empty()) {
    throw InputError("there is no file to join", "--on", "add --join FILE");
  }
  FieldNames keys;
  for (const std::string& key : request.join_keys) {
    const size_t equals = key.find('=');
    const std::string ours = key.substr(0, equals);
    const std::string theirs = equals == std::string::npos ? key : key.substr(equals + 1);
    if (ours.empty() || theirs.empty() || !keys.emplace(ours, theirs).second) {
      throw InputError("expected keys such as id=row,constituent, each once, found \"" + key + "\"",
                       "--on " + join(request.join_keys, ","), "name the file's field behind =");
    }
  }
  return keys;
}

// Beyond what check_written_files() refuses.
void check_outputs(const ScoreRequest& request, metrics::RecordKind record) {
  for (const char* const extension : {".xlsx", ".xls", ".parquet", ".feather", ".pkl"}) {
    if (ascii_lower(request.output.extension().string()) != extension) continue;
    throw InputError("scored rows are JSON lines, or a table of text",
                     "--output " + request.output.string(), "name it .jsonl, .csv or .tsv");
  }
  if (record != metrics::RecordKind::rationale) return;
  if (data::is_table_name(request.output)) {
    throw InputError("rows of rationales are JSON lines, the output's name says a table",
                     "--output " + request.output.string(), "name it .jsonl");
  }
  for (const auto& [path, option] :
       {std::pair(&request.input, "--input"), std::pair(&request.output, "--output")}) {
    if (!path->empty() && *path != kStandardInput && *path != kStandardOutput) continue;
    throw InputError("rationales are read twice, and their rows are kept while they are scored",
                     option, "name a file");
  }
}

// What evaluate-v2.0.py adds for a file of probabilities; nullopt without one, for another score
// than its two, and where a threshold has changed the answers.
std::optional<NoAnswerThreshold> best_threshold(const data::AnswerFile& file, const Scores& scores,
                                                const std::string& name) {
  const bool is_official = name == metrics::kF1.name || name == metrics::kExactMatch.name;
  if (!is_official || file.no_answers().empty()) return std::nullopt;
  const std::vector<data::NoAnswer>& no_answers = file.no_answers();
  std::vector<size_t> order(no_answers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return no_answers[i].place; });
  std::vector<metrics::NoAnswerQuestion> questions;
  for (const size_t i : order) {
    const Answer& answer = file.records()[i];
    questions.push_back({.probability = no_answers[i].probability,
                         .score = scores.rows[i].front(),
                         .has_answer = answer.constituent != data::kNoAnswer,
                         .is_answered = !answer.candidate.empty()});
  }
  return metrics::best_no_answer_threshold(std::move(questions));
}

// Of which rows a model did not read all; the signature has their number alone.
void warn_of_truncated(std::span<const FileScore> scores, const data::AnswerFile& file) {
  for (const FileScore& score : scores) {
    if (score.truncated.empty()) continue;
    std::vector<std::string> ids;
    for (const size_t record : score.truncated) {
      ids.push_back(data::record_name(file.records()[record]));
    }
    log_warning(score.name + ": " + std::to_string(ids.size()) + " of " +
                counted(score.rows, "row") + (ids.size() == 1 ? " is" : " are") +
                " longer than the model reads, and not read whole: " + data::names_text(ids));
  }
}

// Before a mean is printed. A minimal pair's two records are one document.
void warn_of_repeated(const data::AnswerFile& file) {
  if (file.rows().size() != file.records().size()) return;
  const auto [copies, repeated, tasks] = data::repeated_documents(file.records(), file.rows());
  for (const std::string& text : {copies, repeated, tasks}) {
    if (!text.empty()) log_warning(text);
  }
}

void drop_outdated_fields(const metrics::AnswerMetric& metric, data::AnswerFile& file) {
  std::set<std::string> names;
  const int64_t rows = file.drop_fields([&](const Json& row, const std::string& suffix) {
    const std::vector<std::string> outdated = metric.outdated_fields(row, suffix);
    names.insert(outdated.begin(), outdated.end());
    return outdated;
  });
  if (rows == 0) return;
  log_warning("fields of an earlier score are left out of " + counted(rows, "row") + ": " +
              join({names.begin(), names.end()}));
}

void add_fields(metrics::AnswerMetric& metric, data::AnswerFile& file) {
  const std::vector<std::string> names = metric.field_names();
  if (names.empty()) return;
  for (size_t i = 0; i < file.records().size(); ++i) {
    std::vector<Json> values = metric.fields(i);
    for (size_t f = 0; f < names.size(); ++f) file.add_field(i, names[f], std::move(values[f]));
  }
}

data::AnswerFile read_answer_file(const ScoreRequest& request) {
  data::require_fields(request.row_format.fields, data::answer_fields());
  data::RowSelection selection;
  selection.limit = request.limit;
  selection.constituents = request.constituents;
  selection.options.predictions = request.predictions;
  selection.no_answers = request.no_answer_probabilities;
  selection.no_answer_threshold = request.no_answer_threshold;
  selection.options.missing = request.missing;
  selection.options.reference_separator = request.reference_separator;
  selection.options.references = request.references;
  data::AnswerFile file(request.input, data::input_format(request.row_format, request.input),
                        request.row_format.fields, std::move(selection));
  if (!request.joined.empty()) {
    const data::ScoresAndSeen joined = data::read_joined_scores(
        request.joined, join_keys_of(request), file.records(), file.rows());
    for (const std::string& name : joined.names) {
      if (std::ranges::count(request.metrics, name) == 0) continue;
      throw InputError("the file has scores called " + name + ", which is scored here, too",
                       request.joined.string(),
                       (data::is_table_name(request.joined)
                            ? "rename its column " + name
                            : "give its scores another name: sed " +
                                  shell_word("s/\"" + name + "\":/\"" + name + "_2\":/g") + " " +
                                  shell_word(request.joined.string()) + " > NEW") +
                           "; or compare both: rubric compare A B --metric " + name);
    }
    file.add_scores(joined);
    if (!joined.seen.empty()) file.check_seen_member();
    for (const auto& [name, seen] : joined.seen) file.set_seen({{name}}, seen);
  }
  file.require_cells(request.output);
  warn_of_repeated(file);
  if (request.predictions.empty()) {
    EmptyTexts empty;
    empty.note(file.records());
    empty.warn();
  }
  return file;
}

}  // namespace

Scoring check_request(const ScoreRequest& request) {
  Scoring scoring;
  scoring.metrics = metrics::require_metrics(request.metrics);
  if (request.limit < 0) {
    throw InputError("--limit is " + std::to_string(request.limit), "",
                     "give a number of rows, or 0 for all");
  }
  scoring.record = metrics::RecordKind::answer;
  for (const metrics::MetricKind* const kind : scoring.metrics) {
    if (kind->record != metrics::RecordKind::answer) scoring.record = kind->record;
  }
  require_record_options(request, scoring);
  scoring.settings = metrics::settings_of(scoring.metrics, request.settings);
  data::input_format(request.row_format, request.input);
  if (request.no_answer_threshold && request.no_answer_probabilities.empty()) {
    throw InputError("there are no probabilities of \"no answer\" to compare with",
                     "--no-answer-threshold", "add --no-answer-probabilities FILE");
  }
  check_outputs(request, scoring.record);
  join_keys_of(request);
  scoring.models = require_models(request, scoring);
  return scoring;
}

std::vector<FileScore> score_rows(const ScoreRequest& request, Metrics metrics, bool writes) {
  data::AnswerFile file = read_answer_file(request);
  for (const auto& metric : metrics) {
    drop_outdated_fields(*metric, file);
    for (const std::string& name : metric->field_names()) file.require_no_field(name);
    if (metric->lists_questions()) file.check_seen_member();
  }
  std::vector<std::optional<NoAnswerThreshold>> best;  // of each score
  AnswerSeries series(metrics);
  series.add(file.records(), [&](size_t metric, const Scores& scores) {
    file.add_scores(scores);
    file.set_seen(scores.names, metrics[metric]->seen());
    add_fields(*metrics[metric], file);
    for (const std::string& name : scores.names) best.push_back(best_threshold(file, scores, name));
  });
  std::vector<FileScore> all = series.finish();
  for (size_t i = 0; i < all.size(); ++i) {
    std::string& signature = all[i].signature;
    signature.insert(signature.rfind("|rubric:"), file.signature());
    all[i].best = best[i];
  }
  warn_of_truncated(all, file);
  if (!writes) return {};
  if (!request.output.empty()) file.write(request.output);
  write_summary(request, all);
  return all;
}

std::vector<AnswerScores> score_in_memory(Metrics metrics, const AnswerSource& answers) {
  std::vector<std::vector<AnswerScores>> by_metric(metrics.size());
  AnswerSeries series(metrics);
  EmptyTexts empty;
  data::ReferenceSeparator separators;
  bool has_answers = false;
  for (auto part = answers(); !part.empty(); part = answers()) {
    has_answers = true;
    empty.note(part);
    for (const Answer& answer : part) separators.count(answer);
    series.add(part, [&](size_t metric, const Scores& scores) {
      by_metric[metric].resize(scores.names.size());
      for (size_t i = 0; i < scores.names.size(); ++i) {
        for (const auto& row : scores.rows) by_metric[metric][i].rows.push_back(row[i]);
      }
    });
  }
  if (!has_answers) throw InputError("there are no answers to score", "", "give at least one");
  empty.warn();
  separators.warn();
  std::vector<AnswerScores> all;
  for (auto& scores : by_metric) std::ranges::move(scores, std::back_inserter(all));
  std::vector<FileScore> over_all = series.finish();
  for (size_t i = 0; i < all.size(); ++i) all[i].over_all = std::move(over_all[i]);
  return all;
}

AnswerSource in_one_part(std::span<const Answer> answers) {
  return [rest = answers]() mutable { return std::exchange(rest, {}); };
}

Result score_result(std::span<const FileScore> scores) {
  Result result{.title = "Scores"};
  const bool is_same = std::ranges::all_of(
      scores, [&](const FileScore& score) { return score.rows == scores.front().rows; });
  if (is_same && !scores.empty()) result.title += " of " + counted(scores.front().rows, "row");
  eval::RecordRows signatures, truncated;
  std::set<std::string> distinct;
  for (const FileScore& score : scores) {
    const Keys keys{.metric = score.name};
    const eval::Adder add{result.measurements, keys, score.rows};
    const auto count = [&](const char* statistic, auto rows) {
      add(statistic, static_cast<double>(rows));
    };
    add(score.is_corpus ? "corpus" : "mean", score.value, score.interval);
    if (score.correct) count("correct", *score.correct);
    if (!score.trained_on.empty() || !score.tuned_on.empty()) {
      count("trained", score.trained_on.size());
      count("tuned", score.tuned_on.size());
    }
    if (!score.truncated.empty()) count("truncated", score.truncated.size());
    if (score.best) {
      add("best_mean", score.best->value);
      eval::Adder{result.measurements, keys}("best_no_answer_threshold", score.best->threshold)
          .digits = 6;
    }
    signatures.push_back({score.name, score.signature});
    for (const size_t row : score.truncated) {
      truncated.push_back({score.name, static_cast<int64_t>(row)});
    }
    if (!distinct.insert(score.signature).second) continue;
    result.signature += (result.signature.empty() ? "" : "\n") + score.signature;
  }
  result.tables = {eval::read_layout("score", "scores", {{"title", result.title}})};
  std::vector<eval::CountedQuestions> parts;
  if (is_same && !scores.empty()) parts.push_back({"", scores.front().questions});
  if (const std::string note = eval::few_questions_note(parts); !note.empty()) {
    result.tables.front().notes.push_back(note);
  }
  std::vector<std::string> names;
  for (const auto& score : scores) names.push_back(score.name);
  if (const std::string note = metrics::direction_note(names); !note.empty()) {
    result.tables.front().notes.push_back(note);
  }
  const auto records = [](const char* name, const char* what, eval::RecordRows rows) {
    return eval::held_records({.name = name, .columns = {"metric", what}, .is_printed = false},
                              std::move(rows));
  };
  result.records = {records("signatures", "signature", std::move(signatures)),
                    records("truncated", "row", std::move(truncated))};
  return result;
}

void write_summary(const ScoreRequest& request, std::span<const FileScore> scores) {
  if (request.summary.empty()) return;
  write_file(request.summary, print(score_result(scores), OutputFormat::json));
}

namespace {

// `advice`: what to do for a metric that needs a model.
std::vector<std::unique_ptr<metrics::AnswerMetric>> make_light_metrics(
    std::span<const metrics::MetricKind* const> kinds, const metrics::Settings& settings,
    const std::string& advice) {
  std::vector<std::unique_ptr<metrics::AnswerMetric>> metrics;
  for (const metrics::MetricKind* const kind : kinds) {
    if (kind->needs_model()) {
      throw InputError("the metric " + std::string(kind->name) + " needs a model, and libtorch", "",
                       advice);
    }
    metrics.push_back(kind->make(settings));
  }
  return metrics;
}

}  // namespace

std::vector<FileScore> score_light(const ScoreRequest& request, const Scoring& scoring) {
  return score_rows(request,
                    make_light_metrics(scoring.metrics, scoring.settings,
                                       "call score_file_with_models() of rubric/neural.h"));
}

}  // namespace rubric::eval

namespace rubric {

std::vector<FileScore> score_file(const ScoreRequest& request, const Context& context) {
  const ContextScope scope(context);
  config::check_written_files(request);
  return eval::score_light(request, eval::check_request(request));
}

std::vector<AnswerScores> score_answers(const AnswerSource& answers,
                                        const std::vector<std::string>& metrics,
                                        const SettingValues& settings, const Context& context) {
  const ContextScope scope(context);
  const std::vector<const metrics::MetricKind*> kinds = metrics::require_metrics(metrics);
  return eval::score_in_memory(
      eval::make_light_metrics(kinds, metrics::settings_of(kinds, settings),
                               "call make_metric_with_model() of rubric/neural.h"),
      answers);
}

std::vector<AnswerScores> score_answers(std::span<const Answer> answers,
                                        const std::vector<std::string>& metrics,
                                        const SettingValues& settings, const Context& context) {
  return score_answers(eval::in_one_part(answers), metrics, settings, context);
}

std::vector<Answer> read_answers(const std::filesystem::path& file, const std::string& input_format,
                                 const FieldNames& fields, const Context& context) {
  const ContextScope scope(context);
  data::require_fields(fields, data::answer_fields());
  using Label = data::AnswerOptions::Label;
  return data::read_answers(file, data::input_format(input_format, file), fields,
                            {.label = fields.contains("score") ? Label::read : Label::ignored});
}

}  // namespace rubric
