// What `score` does in both programs: options in, scored file out.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/answer_file.h"
#include "metrics/metric.h"
#include "stats/mean.h"

namespace rubric {

struct ScoreRequest {
  std::vector<std::string> metrics;
  std::string input, output, input_format, strip, summary;
  std::map<std::string, std::string> models;  // of neural metrics, by the metric's name
  std::vector<std::string> fields;            // "candidate=prediction"
  std::vector<std::string> constituents;      // score these alone; empty: all
  int64_t limit = 0;                          // rows; 0: all
  int64_t threads = 0;                        // 0: one for each core
  bool int8 = false;                          // of lerc, similarity and bertscore
  std::optional<int64_t> layer;               // of bertscore, as are idf and baseline
  bool idf = false;
  std::string baseline;  // a file, or ""
  // Of likelihood, as are the next four; "": as the model's card says.
  std::string source_template, target_template, decoder_start;
  bool no_eos = false, no_source_eos = false, sum = false, per_token = false;
  std::string baseline_model;  // of rev: its second evaluator, or ""
  bool keep_going = false;     // of rev: rows that cannot be scored are counted
};

// Whether rows of source and target are scored, or rationales, by the metric that reads them.
bool scores_pairs(const ScoreRequest& request);
bool scores_rationales(const ScoreRequest& request);

// Nothing after --help. Throws InputError for unknown options and metrics, and for files to write
// that would replace what must stay.
std::optional<ScoreRequest> parse_score_request(const std::vector<std::string>& arguments);

// The rows of the request, with a warning of empty texts.
AnswerFile read_answers(const ScoreRequest& request);

// Scores every row with every metric and adds that to the file. Prints each metric's mean, its 95%
// interval (Student's t) and its signature to stderr; they are given back for the summary file.
Json score_answers(const std::vector<std::unique_ptr<Metric<Answer>>>& metrics, AnswerFile& file);

// The scored file, and the summary where one is asked for.
void write_scored(const ScoreRequest& request, const AnswerFile& file, const Json& summary);

// The mean of one score, told on stderr; for the summary file.
Json summarise(const std::string& name, const MeanInterval& mean, int64_t rows,
               const std::string& signature);
// The same of every score of a metric.
void summarise(const Scores& scores, const std::string& signature, Json& summary);

}  // namespace rubric
