// `score` in both programs: its options, its input, and the scored file and summary that it writes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/answers/answer_file.h"
#include "metrics/metric.h"
#include "stats/bootstrap.h"

namespace rubric::cli {

struct ScoreRequest {
  std::vector<std::string> metrics;
  std::string input, output, input_format, strip, summary;
  std::map<std::string, std::string> models;  // directories of neural metrics, by metric
  std::vector<std::string> fields;            // "candidate=prediction"
  std::vector<std::string> constituents;      // score only these; empty: all
  int64_t limit = 0;                          // the number of rows; 0: all
  int64_t threads = 0;                        // 0: one for each core
  bool int8 = false;                          // for lerc, similarity and bertscore
  std::optional<int64_t> layer;               // for bertscore, as are idf and baseline
  bool idf = false;
  std::string baseline;  // a file, or ""
  // For likelihood, as are the next four; "": as in the model's card.
  std::string source_template, target_template, decoder_start;
  bool no_eos = false, no_source_eos = false, sum = false, per_token = false;
  std::string baseline_model;  // for rev: its second evaluator, or ""
  bool keep_going = false;     // for rev: count rows that cannot be scored
};

// Whether the metrics read source-target rows, or rationales.
bool scores_pairs(const ScoreRequest& request);
bool scores_rationales(const ScoreRequest& request);

bool is_neural_metric(const std::string& name);  // runs in rubric-neural

// Returns nothing after --help. Throws InputError for unknown options and metrics, and for output
// files that would replace inputs.
std::optional<ScoreRequest> parse_score_request(const std::vector<std::string>& arguments);

// Reads the rows of the request, with a warning about empty texts.
data::AnswerFile read_score_input(const ScoreRequest& request);

// Scores every row with every metric and adds the scores to the file. Prints each metric's mean,
// its 95% interval (Student's t) and its signature to stderr, and returns them for the summary
// file.
Json score_answers(const std::vector<std::unique_ptr<metrics::Metric<data::Answer>>>& metrics,
                   data::AnswerFile& file);

// Writes the scored file, and the summary if requested.
void write_scored(const ScoreRequest& request, const data::AnswerFile& file, const Json& summary);

// Prints the mean of one score to stderr and returns its entry for the summary file.
Json summarise(const std::string& name, const stats::MeanInterval& mean, int64_t rows,
               const std::string& signature);
// The same for every score of a metric.
void summarise(const data::Scores& scores, const std::string& signature, Json& summary);

}  // namespace rubric::cli
