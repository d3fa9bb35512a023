
#include "cli/shared/score_command.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "eval/report/table.h"
#include "metrics/list.h"

namespace rubric::cli {

// The model of each neural metric of `score`.

// Returns metric → model from `given`, the values of --model: METRIC=DIR, or DIR alone if one
// neural metric is scored. `scored` are the neural metrics to score; one without a model is missing
// in the result. Throws InputError for a model that is given twice, is for no scored metric, or
// could be for any of several.
std::map<std::string, std::string> models_by_metric(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& scored);

namespace {
namespace po = boost::program_options;

const std::vector<std::string> kNeuralMetrics = {"lerc",      "similarity", "bertscore",
                                                 "bartscore", "likelihood", "rev"};

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric score METRIC[,METRIC…] --input FILE --output FILE [options]\n\n"
      "Scores a file row by row. A row has reference and candidate, for some metrics passage and\n"
      "question, and may have id; in JSONL reference may be a list. The output keeps every input\n"
      "object whole and adds \"scores\": {METRIC: x}. MOCHA's JSON comes out as MOCHA's, all else\n"
      "as JSON lines.\n\nMetrics: " +
      join(metrics::light_metric_names()) + "; with a model: " + join(kNeuralMetrics) +
      ".\nlikelihood reads rows of source and target, rev rows of rationales; each is scored "
      "alone.\nSeveral processes share the work of a model as docs/distributed.md says.";
  syntax.too_many_hint =
      "separate metrics by commas (f1,em), and write option values after their option";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [] { return po::value<int64_t>()->default_value(0)->value_name("N"); };
  syntax.options.add_options()("metrics", text("NAMES")->required(), "which metrics")(
      "input", text("FILE")->required(), "rows to score")("output", text("FILE")->required(),
                                                          "the scored file")(
      "model", po::value<std::vector<std::string>>()->value_name("[METRIC=]MODEL"),
      "model directory, or name, of a neural metric; of several: lerc=DIR, once for each")(
      "int8",
      "lerc, similarity, bertscore: computes with weights of 8 bits, faster and a little off; the "
      "signature says so")(
      "layer", po::value<int64_t>()->value_name("N"),
      "bertscore: the layer whose output counts; else the usual one of the model's name")(
      "idf", "bertscore: weighs tokens by their rarity in the references of the file")(
      "baseline", text("FILE"), "bertscore: rescales with this file of bert-score's baselines")(
      "source", text("TEMPLATE"),
      "likelihood: what a source is made of, such as '{question} {passage}'; else as the model was "
      "trained, or {source}")("target", text("TEMPLATE"), "likelihood: the same for a target")(
      "decoder-start", text("HOW"),
      "likelihood: model, or last-input for the source's last token; else as the model was "
      "trained")("no-eos", "likelihood: targets without the end-of-sequence token")(
      "no-source-eos", "likelihood: sources without it")(
      "sum", "likelihood: also the sum over the tokens, likelihood_sum")(
      "per-token", "likelihood: also each token's, as likelihood_tokens beside the scores")(
      "baseline-model", text("MODEL"),
      "rev: the evaluator of the vacuous rationales, where it is another than --model")(
      "keep-going", "rev: rows that cannot be scored are left without scores, and counted")(
      "field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the file's own name of a field, such as candidate=prediction; may be repeated")(
      "strip", text("CHARACTERS"), "removed from references and candidates by n-gram metrics")(
      "constituent", po::value<std::vector<std::string>>()->value_name("NAME"),
      "score only the rows of this constituent; may be repeated")(
      "limit", number(), "score only the first N rows; 0: all")(
      "summary", text("FILE"), "also write means, intervals and signatures as JSON")(
      "threads", number(), "CPU threads; 0: one for each core");
  add_input_format_option(syntax);
  syntax.positional.add("metrics", 1);
  return syntax;
}

// The metrics of "f1,em": must be known, and each is listed once.
std::vector<std::string> metric_names(const std::string& list) {
  std::vector<std::string> known = metrics::light_metric_names();
  known.insert(known.end(), kNeuralMetrics.begin(), kNeuralMetrics.end());
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const std::vector<std::string> names = distinct_names("metric", list);
  for (const std::string& name : names) {
    if (!is_known(name)) {
      const std::string small = ascii_lower(name);
      if (!is_known(small)) throw unknown_name("metric", name, known);
      throw InputError("there is no metric called \"" + name + "\"", "command line",
                       "did you mean " + small + "?");
    }
  }
  return names;
}

// Checks options that only some metrics have, of which one must be scored.
void check_options_of(const std::vector<std::string>& metrics,
                      const std::vector<std::string>& options, const OptionValues& values,
                      const ScoreRequest& request) {
  const auto is_scored = [&](const std::string& metric) {
    return std::ranges::find(request.metrics, metric) != request.metrics.end();
  };
  if (std::ranges::any_of(metrics, is_scored)) return;
  for (const std::string& option : options) {
    if (!values.contains(option)) continue;
    throw InputError("--" + option + " is of " + join(metrics, " or ") + ", which is not scored",
                     "command line", "leave it out, or add " + metrics.front() + " to the metrics");
  }
}

void read_bertscore_options(const OptionValues& values, ScoreRequest& request) {
  constexpr int64_t kMostLayers = 1000;
  check_options_of({"bertscore"}, {"layer", "idf", "baseline"}, values, request);
  if (values.contains("layer")) request.layer = integer_option(values, "layer", 0, kMostLayers);
  request.idf = values.contains("idf");
  request.baseline = file_option(values, "baseline");
}

void read_likelihood_options(const OptionValues& values, ScoreRequest& request) {
  check_options_of(
      {"likelihood"},
      {"source", "target", "decoder-start", "no-eos", "no-source-eos", "sum", "per-token"}, values,
      request);
  for (const char* const option : {"source", "target"}) {
    if (!values.contains(option) || !text_option(values, option).empty()) continue;
    throw InputError("the template is empty", std::string("--") + option,
                     "write {source}, or {} around another field's name");
  }
  request.source_template = text_option(values, "source");
  request.target_template = text_option(values, "target");
  request.decoder_start = decoder_start_option(values);
  request.no_eos = values.contains("no-eos");
  request.no_source_eos = values.contains("no-source-eos");
  request.sum = values.contains("sum");
  request.per_token = values.contains("per-token");
}

void read_rev_options(const OptionValues& values, ScoreRequest& request) {
  check_options_of({"rev"}, {"baseline-model", "keep-going"}, values, request);
  request.baseline_model = text_option(values, "baseline-model");
  request.keep_going = values.contains("keep-going");
}

// Metrics that do not score answers are scored alone.
void require_alone(const OptionValues& values, const ScoreRequest& request) {
  if (!scores_pairs(request) && !scores_rationales(request)) return;
  const std::string metric = scores_pairs(request) ? "likelihood" : "rev";
  if (request.metrics.size() > 1) {
    throw InputError(metric + " reads other rows than the other metrics", "command line",
                     "score " + metric + " alone, into a file of its own or its own output");
  }
  std::vector<std::string> options = {"strip", "constituent"};
  if (scores_rationales(request)) options.emplace_back("field");
  for (const std::string& option : options) {
    if (!values.contains(option)) continue;
    throw InputError("--" + option + " is of answers, which are not scored", "command line",
                     "leave it out");
  }
}

// The scored file may replace its input only if it holds all of it.
void check_in_place(const ScoreRequest& request) {
  const data::InputFormat format = data::input_format(request.input_format, request.input);
  if (!is_same_file(request.input, request.output)) return;
  const std::string where = "--output " + request.output;
  if (request.limit > 0 || !request.constituents.empty()) {
    throw InputError("the scored file would replace its input without the rows that are not scored",
                     where, "name another file");
  }
  if (format != data::InputFormat::jsonl && format != data::InputFormat::mocha) {
    throw InputError("the scored file, JSON lines, would replace the table that is scored", where,
                     "name another file");
  }
}

// --strip is copied into signatures and JSON.
std::string strip_option(const OptionValues& values) {
  const std::string strip = text_option(values, "strip");
  if (find_invalid_text(strip) == std::string::npos) return strip;
  throw InputError("the characters to strip are not plain UTF-8 text", "--strip",
                   "give them as UTF-8");
}

// Warns of empty texts (an empty cell, for one), which are scored like any other.
void warn_of_empty(const std::vector<data::Answer>& answers) {
  std::vector<std::string> records;
  for (const data::Answer& answer : answers) {
    const bool is_empty = trim(answer.candidate).empty() ||
                          std::ranges::all_of(answer.references, [](const std::string& reference) {
                            return trim(reference).empty();
                          });
    if (is_empty) records.push_back(json_quote(answer.id));
  }
  if (records.empty()) return;
  log_warning("records with an empty candidate or no reference but an empty one: " +
              join_some(records));
}

}  // namespace

void summarise(const data::Scores& scores, const std::string& signature, Json& summary) {
  for (size_t column = 0; column < scores.names.size(); ++column) {
    std::vector<double> values;
    for (const auto& row : scores.rows) values.push_back(row[column]);
    const std::string& name = scores.names[column];
    summary[name] = summarise(name, stats::mean_interval(values), std::ssize(values), signature);
  }
}

Json summarise(const std::string& name, const stats::MeanInterval& mean, int64_t rows,
               const std::string& signature) {
  log_info(name + " " + eval::format_fixed(mean.mean, 4) + " [" + eval::format_fixed(mean.low, 4) +
           ", " + eval::format_fixed(mean.high, 4) + "] over " + std::to_string(rows) + " rows  " +
           signature);
  return Json::Object{{"mean", mean.mean},
                      {"ci95", Json::Array{mean.low, mean.high}},
                      {"n", rows},
                      {"signature", signature}};
}

bool scores_pairs(const ScoreRequest& request) {
  return std::ranges::find(request.metrics, "likelihood") != request.metrics.end();
}

bool scores_rationales(const ScoreRequest& request) {
  return std::ranges::find(request.metrics, "rev") != request.metrics.end();
}

bool is_neural_metric(const std::string& name) {
  return std::find(kNeuralMetrics.begin(), kNeuralMetrics.end(), name) != kNeuralMetrics.end();
}

std::optional<ScoreRequest> parse_score_request(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return std::nullopt;
  constexpr int64_t kMostRows = int64_t{1} << 40;
  constexpr int64_t kMostThreads = 4096;
  ScoreRequest request;
  request.metrics = metric_names(text_option(*values, "metrics"));
  request.input = file_option(*values, "input");
  request.output = output_option(*values, "output");
  std::vector<std::string> neural;
  std::ranges::copy_if(request.metrics, std::back_inserter(neural), is_neural_metric);
  request.models = models_by_metric(list_option(*values, "model"), neural);
  check_options_of({"lerc", "similarity", "bertscore"}, {"int8"}, *values, request);
  request.int8 = values->contains("int8");
  read_bertscore_options(*values, request);
  read_likelihood_options(*values, request);
  read_rev_options(*values, request);
  require_alone(*values, request);
  request.input_format = text_option(*values, "input-format");
  request.strip = strip_option(*values);
  request.summary = output_option(*values, "summary");
  check_replaces_none("summary", request.summary, {request.output, request.input});
  request.fields = list_option(*values, "field");
  request.constituents = list_option(*values, "constituent");
  request.limit = integer_option(*values, "limit", 0, kMostRows);
  request.threads = integer_option(*values, "threads", 0, kMostThreads);
  check_in_place(request);
  check_json_lines_name(request.output);
  return request;
}

data::AnswerFile read_score_input(const ScoreRequest& request) {
  const data::InputFormat format = data::input_format(request.input_format, request.input);
  data::AnswerFile file(request.input, format, data::parse_field_names(request.fields),
                        {request.limit, request.constituents});
  warn_of_empty(file.records());
  return file;
}

Json score_answers(const std::vector<std::unique_ptr<metrics::Metric<data::Answer>>>& metrics,
                   data::AnswerFile& file) {
  Json summary{Json::Object()};
  for (const auto& metric : metrics) {
    const data::Scores scores = metric->score(file.records());
    file.add_scores(scores);
    summarise(scores, metric->signature(), summary);
  }
  return summary;
}

void write_scored(const ScoreRequest& request, const data::AnswerFile& file, const Json& summary) {
  file.write(request.output);
  if (!request.summary.empty()) write_file(request.summary, summary.dump(2) + "\n");
}

std::map<std::string, std::string> models_by_metric(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& scored) {
  std::map<std::string, std::string> models;
  for (const std::string& value : given) {
    const std::string where = "--model " + value;
    const size_t equals = value.find('=');
    std::string metric = equals == std::string::npos ? "" : value.substr(0, equals), model = value;
    if (is_neural_metric(metric)) {
      model = value.substr(equals + 1);
    } else if (scored.size() == 1) {
      metric = scored.front();
    } else if (scored.size() > 1) {
      throw InputError("the model may be any of " + join(scored), where,
                       "write --model " + scored.front() + "=" + value);
    } else {
      throw InputError("no metric that is scored takes a model", where, "leave it out");
    }
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

}  // namespace rubric::cli
