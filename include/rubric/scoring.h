// Scoring answers, of a file or in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/metrics.h"
#include "rubric/missing.h"
#include "rubric/row_format.h"
#include "rubric/statistics.h"

namespace rubric {

namespace config {
class RequestFields;
}
// The options of metrics: --model, and one for each setting of a metric.
RUBRIC_PUBLIC void visit_metric_fields(config::RequestFields& field,
                                       std::vector<std::string>& models, SettingValues& settings);

struct ScoreRequest {
  std::vector<std::string> metrics;      // of one kind of record, each once
  std::filesystem::path input;           // compressed by gzip, too; /dev/stdin is read as jsonl
  std::filesystem::path output = {};     // rows with "scores"; "": not written
  std::vector<std::string> models = {};  // directories or names: MODEL, METRIC=MODEL
  SettingValues settings = {};           // each belongs to one of the metrics
  std::vector<std::string> constituents = {};  // score only these; empty: all
  int64_t limit = 0;                           // score only the first rows, if above 0
  std::filesystem::path summary = {};          // scores over the file as JSON; "": not written
  RowFormat row_format = {};
  Missing missing = Missing::automatic;  // what becomes of missing candidates and references
  std::string reference_separator = {};  // between several answers in one reference; "": none
  std::vector<std::filesystem::path> references = {};  // of the format `lines`, a line a row
  // Rows with the scores of another program, which come into the output beside ours. `join_keys`
  // are the file's names of id and, if needed, constituent: {"id=row", "constituent=system"}.
  std::filesystem::path joined = {};
  std::vector<std::string> join_keys = {};  // empty: {"id"}
  std::filesystem::path predictions = {};  // the candidates of a data set of questions (SQuAD, …)
  // {id: number} for SQuAD 2.0. A number above the threshold makes "no answer" of the candidate.
  // Without a threshold no candidate is changed, and FileScore has the best threshold.
  std::filesystem::path no_answer_probabilities = {};
  std::optional<double> no_answer_threshold = {};

  void visit_fields(auto& field) {
    field("metric", metrics, "a metric, or several: a,b; may be repeated")
        .metrics()
        .positional()
        .required();
    field("input", input, "rows to score; - is standard input").input().short_as('i').required();
    field("output", output,
          "the scored file; - is standard output, the default where that is no terminal")
        .or_stdout()
        .short_as('o');
    visit_metric_fields(field, models, settings);
    field("constituent", constituents,
          "score only the rows of this constituent, or of several: a,b; may be repeated")
        .names();
    field("limit", limit, "score only the first N rows; 0: all");
    field("summary", summary,
          "also write the scores of the file with intervals and signatures, as JSON")
        .output();
    row_format.visit_fields(field);
    visit_missing(field, missing);
    visit_reference_separator(field, reference_separator);
    field("references", references,
          "--input-format lines: one or several files with a reference of each candidate in its "
          "line")
        .input()
        .multitoken();
    field("join", joined, "rows with other scores, of any program, which come into the output")
        .input();
    field("on", join_keys,
          "--join: what tells its rows apart, id (the default) or more: id=row,constituent=system")
        .named("KEYS")
        .names();
    field("predictions", predictions,
          "the candidates of a data set of questions (squad, nq_open, trivia_qa): {ID: text}, or "
          "rows")
        .input();
    field("no-answer-probabilities", no_answer_probabilities,
          "squad 2.0: {ID: probability that the question has no answer}; finds the best threshold")
        .input();
    field("no-answer-threshold", no_answer_threshold,
          "squad 2.0: questions of a higher probability are answered with \"no answer\"");
  }
};

// The threshold on the probabilities of "no answer" with the best mean score, chosen on the same
// questions (evaluate-v2.0.py: best_f1, best_f1_thresh).
struct NoAnswerThreshold {
  double value = 0;  // the mean score
  double threshold = 0;
};

// One score of a file: the mean of its rows or the corpus score. Its 95% interval is a percentile
// bootstrap of 1,000 resamples over questions (rows with the same passage and question), of `rev`
// Student's t over rows. One question, or row of `rev`, has no interval.
struct FileScore {
  std::string name;
  double value = 0;
  std::optional<Interval> interval;
  int64_t rows = 0;
  std::string signature;
  bool is_corpus = false;                      // not the mean of the rows' scores
  std::optional<NoAnswerThreshold> best = {};  // of f1 and em with no_answer_probabilities alone
  // Indices, from 0, of the scored rows that a model read in part.
  std::vector<size_t> truncated = {};
  // Indices of the rows whose question the model was trained on, and of the others whose question
  // it was tuned on. Such a row of "output" has "seen".
  std::vector<size_t> trained_on = {}, tuned_on = {};
  std::optional<int64_t> correct = {};  // rows that are correct, with the setting "verdict" alone
  int64_t questions = 0;                // that the rows answer, which the interval resamples
};

// Scores every row with every metric and writes `output`: JSON lines, or MOCHA's nesting if that
// was read, compressed if its name ends with ".gz". The file appears whole or not at all. Throws
// InputError before anything is scored if the request or a row is wrong (naming file, line and
// field), or if a metric needs a model (see score_file_with_models() of rubric/neural.h). Throws
// Interrupted when the context's token is cancelled.
RUBRIC_PUBLIC std::vector<FileScore> score_file(const ScoreRequest& request,
                                                const Context& context = {});

// One score of answers in memory.
struct AnswerScores {
  FileScore over_all;
  std::vector<double> rows;  // of each answer, in their order
};

// Returns the next answers, after the last none. They must stay unchanged until the next call.
using AnswerSource = std::function<std::span<const Answer>()>;

// Scores answers with metrics that need no model, each once, as score_file() scores the rows of a
// file. Texts of a source's answers are not kept. Throws
// - InputError without answers or metrics, for a metric that needs a model (see
//   make_metric_with_model() of rubric/neural.h), and as make_metric() and Metric::score() do;
// - Interrupted when the context's token is cancelled;
// - what the source throws.
RUBRIC_PUBLIC std::vector<AnswerScores> score_answers(const AnswerSource& answers,
                                                      const std::vector<std::string>& metrics,
                                                      const SettingValues& settings = {},
                                                      const Context& context = {});
RUBRIC_PUBLIC std::vector<AnswerScores> score_answers(std::span<const Answer> answers,
                                                      const std::vector<std::string>& metrics,
                                                      const SettingValues& settings = {},
                                                      const Context& context = {});

// The answers of a file, by the formats and names of fields of score_file(). Their human labels are
// read where `fields` names the label's field: {{"score", "rating"}}. Throws InputError.
RUBRIC_PUBLIC std::vector<Answer> read_answers(const std::filesystem::path& file,
                                               const std::string& input_format = "",
                                               const FieldNames& fields = {},
                                               const Context& context = {});

}  // namespace rubric
