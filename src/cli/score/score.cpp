// rubric score: its options, what it prints, and the light metrics; cli/neural/score.cpp has those
// with a model.
#include "cli/score/score.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include <unistd.h>

#include "cli/shared/neural_half.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/system/terminal.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"
#include "distributed/launch.h"
#include "eval/result/render.h"
#include "library/scoring.h"
#include "metrics/list.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;

// "bertscore: the layer whose output counts"
std::string help_of(const metrics::Setting& setting) {
  return join(metrics::metrics_with(setting)) + ": " + setting.help;
}

std::string model_help() {
  std::string help =
      "model directory, or name, of a neural metric; of several: lerc=MODEL, once for each";
  for (const metrics::MetricKind* const kind : metrics::kMetrics) {
    if (kind->default_model == nullptr) continue;
    help += "; of " + std::string(kind->name) + " by default " + kind->default_model_name();
  }
  return help;
}

void add_setting_options(CommandSyntax& syntax) {
  for (const metrics::Setting* const setting : metrics::all_settings()) {
    const std::string help = help_of(*setting);
    switch (setting->type) {
      case metrics::Setting::Type::flag:
        syntax.options.add_options()(setting->name, help.c_str());
        break;
      case metrics::Setting::Type::integer:
        syntax.options.add_options()(
            setting->name, po::value<int64_t>()->value_name(setting->value_name), help.c_str());
        break;
      default:
        syntax.options.add_options()(
            setting->name, po::value<std::string>()->value_name(setting->value_name), help.c_str());
    }
  }
}

SettingValues setting_values(const OptionValues& values) {
  SettingValues settings;
  for (const metrics::Setting* const setting : metrics::all_settings()) {
    if (!values.contains(setting->name)) continue;
    switch (setting->type) {
      case metrics::Setting::Type::flag:
        settings[setting->name] = "";
        break;
      case metrics::Setting::Type::integer:
        settings[setting->name] =
            std::to_string(integer_option(values, setting->name, setting->low, setting->high));
        break;
      case metrics::Setting::Type::text:
        settings[setting->name] = text_option(values, setting->name);
        break;
      default:
        settings[setting->name] = file_option(values, setting->name);
    }
  }
  return settings;
}

// The values of --model by metric. Throws InputError for a metric with two models, for a model of a
// metric that is not scored, and for one that could belong to several of the scored metrics.
std::map<std::string, std::string> models_by_metric(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& scored) {
  std::map<std::string, std::string> models;
  for (const std::string& value : given) {
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
    if (std::ranges::find(scored, metric) == scored.end()) {
      throw InputError("the metric " + metric + " is not scored", where, "leave its model out");
    }
    if (!models.emplace(metric, model).second) {
      throw InputError("the metric " + metric + " has two models", where, "name one");
    }
  }
  return models;
}

// "id=row,constituent": our names of the keys, and theirs where they differ.
FieldNames join_keys_of(const std::string& list) {
  FieldNames keys;
  for (const std::string& key : split_names(list)) {
    const size_t equals = key.find('=');
    const std::string ours = key.substr(0, equals);
    const std::string theirs = equals == std::string::npos ? key : key.substr(equals + 1);
    if (ours.empty() || theirs.empty() || !keys.emplace(ours, theirs).second) {
      throw InputError("expected keys such as id=row,constituent, each once, found \"" + key + "\"",
                       "--on " + list, "name the file's field behind =");
    }
  }
  return keys;
}

}  // namespace

CommandSyntax score_syntax() {
  CommandSyntax syntax;
  syntax.listed = {{"metrics", join(metrics::metric_names(/*with_model=*/false))},
                   {"metrics with a model", join(metrics::metric_names(/*with_model=*/true))}};
  syntax.too_many_hint =
      "write --input before the file's name, separate metrics by commas (f1,em), and write option "
      "values after their option";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [] { return po::value<int64_t>()->default_value(0)->value_name("N"); };
  syntax.options.add_options()(
      "metric", po::value<std::vector<std::string>>()->value_name("NAME")->required(),
      "a metric, or several: a,b; may be repeated")("input,i", text("FILE")->required(),
                                                    "rows to score; - is standard input")(
      "output,o", text("FILE"),
      "the scored file; - is standard output, the default where that is no terminal")(
      "model", po::value<std::vector<std::string>>()->value_name("MODEL"), model_help().c_str());
  add_setting_options(syntax);
  syntax.options.add_options()(
      "field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the file's own name of a field, such as candidate=prediction; may be repeated")(
      "constituent", po::value<std::vector<std::string>>()->value_name("NAME"),
      "score only the rows of this constituent, or of several: a,b; may be repeated")(
      "limit", number(), "score only the first N rows; 0: all")(
      "summary", text("FILE"),
      "also write the scores of the file with intervals and signatures, as JSON")(
      "threads", number(), "CPU threads; 0: one for each core");
  add_input_format_option(syntax);
  add_missing_option(syntax);
  add_reference_separator_option(syntax);
  syntax.options.add_options()(
      "references", po::value<std::vector<std::string>>()->multitoken()->value_name("FILE"),
      "--input-format lines: one or several files with a reference of each candidate in its line")(
      "join", text("FILE"), "rows with other scores, of any program, which come into the output")(
      "on", text("KEYS"),
      "--join: what tells its rows apart, id (the default) or more: id=row,constituent=system")(
      "predictions", text("FILE"),
      "the candidates of a data set of questions (squad, nq_open, "
      "trivia_qa): {ID: text}, or rows")(
      "no-answer-probabilities", text("FILE"),
      "squad 2.0: {ID: probability that the question has no answer}; finds the best threshold")(
      "no-answer-threshold", text("X"),
      "squad 2.0: questions of a higher probability are answered with \"no answer\"");
  syntax.positional.add("metric", 1);
  syntax.metrics = "metric";
  syntax.inputs = {"input", "references", "join", "predictions", "no-answer-probabilities"};
  syntax.outputs = {"output", "summary"};
  syntax.models = {"model"};
  for (const metrics::Setting* const setting : metrics::all_settings()) {
    if (setting->type == metrics::Setting::Type::file) syntax.inputs.emplace_back(setting->name);
    if (setting->type == metrics::Setting::Type::model) syntax.models.emplace_back(setting->name);
  }
  return syntax;
}

std::optional<ScoreCommand> parse_score_command(const std::vector<std::string>& arguments) {
  ScoreCommand command;
  const std::optional<OptionValues> values = parse_options(score_syntax(), arguments);
  if (!values) return std::nullopt;
  constexpr int64_t kMostRows = int64_t{1} << 40;
  ScoreRequest& request = command.request;
  request.metrics = names_option(*values, "metric");
  std::vector<std::string> neural;
  std::ranges::copy_if(request.metrics, std::back_inserter(neural), [](const std::string& name) {
    return metrics::require_metric(name).needs_model();
  });
  request.input = input_option(*values, "input");
  request.output = file_option(*values, "output");
  command.prints_table = request.output.empty() && isatty(STDOUT_FILENO) == 1;
  const bool is_piped = request.output.empty() && !command.prints_table;
  if (is_piped || request.output == "-") request.output = kStandardOutput;
  request.delimiter = delimiter_option(*values);
  request.models = models_by_metric(list_option(*values, "model"), neural);
  request.settings = setting_values(*values);
  request.input_format = text_option(*values, "input-format");
  request.summary = file_option(*values, "summary");
  request.predictions = file_option(*values, "predictions");
  request.no_answer_probabilities = file_option(*values, "no-answer-probabilities");
  if (values->contains("no-answer-threshold")) {
    const std::string threshold = text_option(*values, "no-answer-threshold");
    request.no_answer_threshold = parse_number(threshold);
    if (!request.no_answer_threshold) {
      throw InputError("not a number", "--no-answer-threshold " + threshold, "write it as 0.5");
    }
  }
  request.joined = file_option(*values, "join");
  if (values->contains("on")) {
    if (request.joined.empty()) {
      throw InputError("there is no file to join", "--on", "add --join FILE");
    }
    request.join_keys = join_keys_of(text_option(*values, "on"));
  }
  request.fields = data::parse_assignments(list_option(*values, "field"));
  request.missing = missing_option(*values);
  request.reference_separator = reference_separator_option(*values);
  for (const std::string& file : list_option(*values, "references")) {
    request.references.emplace_back(file);
  }
  request.constituents = names_option(*values, "constituent");
  request.limit = integer_option(*values, "limit", 0, kMostRows);
  take_threads_option(*values);
  library::check_request(request);
  return command;
}

void print_scores(const ScoreCommand& command, std::span<const FileScore> scores) {
  const Result result = library::score_result(scores);
  if (command.prints_table && !scores.empty()) {
    std::cout << print(result, OutputFormat::text, terminal_width()) << "\n"
              << result.signature << "\n";
  } else {
    for (const FileScore& score : scores) {
      log_info(score.name + " " + eval::cell(score.value, score.interval, 4) + " over " +
               (score.is_corpus ? "the corpus of " : "") + counted(score.rows, "row") +
               (score.correct ? ", " + std::to_string(*score.correct) + " correct" : "") + "  " +
               score.signature);
    }
    for (const eval::Table& table : eval::result_tables(result, eval::kPrintedText)) {
      for (const std::string& note : table.notes) log_info(note);
    }
  }
  for (const FileScore& score : scores) {
    if (!score.best) continue;
    log_info(score.name + " " + eval::format_fixed(score.best->value, 4) +
             " at its best no-answer threshold " + Json(score.best->threshold).dump() +
             ", chosen on these questions");
  }
  if (command.prints_table) log_info("add --output FILE for the scores of each row");
}

int run_score(const std::vector<std::string>& arguments) {
  // Only one of several processes writes, and a failure ends all, for which they must be connected.
  if (distributed::read_launch().size > 1) return neural_half().score(arguments, std::nullopt);
  const std::optional<ScoreCommand> command = parse_score_command(arguments);
  if (!command) return kDone;
  const auto needs_model = [](const std::string& name) {
    return metrics::require_metric(name).needs_model();
  };
  if (std::ranges::any_of(command->request.metrics, needs_model)) {
    return neural_half().score(arguments, command);
  }
  print_scores(*command, score_file(command->request, current_context()));
  return kDone;
}

}  // namespace rubric::cli
