// R4C's evaluation of derivations (Inoue et al. 2020, section 2.2), and HotpotQA's scores of the
// same predictions.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "metrics/derivations/derivation_scores.h"
#include "rubric/context.h"
#include "rubric/result.h"

namespace rubric::eval {

struct R4cOptions {
  bool ignore_missing = false;        // leave out questions without a prediction
  int64_t references = 0;             // draw so many references for each question; 0: use all
  std::optional<uint64_t> seed = {};  // of the draw; without it 0
};

struct HotpotScores {
  metrics::HotpotScore answer, supporting_facts, joint;
};

struct R4cQuestion {
  std::string id;
  data::Derivation candidate;
  std::vector<data::Derivation> references;  // all of the gold file's
  metrics::DerivationScores scores;          // by the best of the references used
  std::optional<HotpotScores> hotpotqa;
};

struct PrecisionRecallF1 {
  double precision = 0, recall = 0, f1 = 0;
};
// In the order of kStepScorers.
using R4cMeans = std::array<PrecisionRecallF1, metrics::kStepScorers.size()>;

struct HotpotMeans : HotpotScores {
  int64_t without_answer = 0, without_facts = 0;  // predictions that lack them, which score 0
};

struct R4cEvaluation {
  std::vector<R4cQuestion> questions;  // in the gold file's order
  R4cMeans means{};                    // over the questions, as fractions
  // [n - 1]: the means with n references for each question, averaged over all choices of n (Table
  // 2); n goes up to the smallest number of references of a question, at most ten.
  std::vector<R4cMeans> by_references;
  int64_t missing = 0, extra = 0;  // questions without a prediction; predictions without a question
  std::optional<HotpotMeans> hotpotqa;
  std::string signature;
};

// `hotpotqa`, if given, must contain the questions of `gold`; what a prediction names must occur in
// their articles. Throws InputError naming the question, and the step or fact.
R4cEvaluation evaluate_r4c(std::span<const data::DerivationQuestion> gold,
                           const data::R4cPredictions& predictions,
                           const std::vector<data::HotpotQuestion>* hotpotqa,
                           const R4cOptions& options);

// Results.

// One question: {"id", "scores": {"e", "r", "er": {"prec", "recall", "f1", "reference": its number
// in the gold file, "reference_steps", "aligned": [{"candidate", "reference", "similarity"}, …]}},
// "candidate", "hotpotqa": the keys of HotpotQA's script}. References and steps are numbered from
// 0; derivations are as in R4C's files.
Json to_json(const R4cQuestion& question);

// One alignment like Figure 2 (Inoue et al. 2020), by scorer number `scorer` of kStepScorers: the
// derivation's steps in boxes on the left, those of the best reference on the right, and a line
// with the similarity between aligned steps.
Plot alignment_plot(const R4cQuestion& question, size_t scorer);

// All of it, from files.

struct R4cRequest {
  std::string gold, predictions;
  std::string hotpotqa;  // the questions in HotpotQA's form; "": not read
  std::string explain;   // the id of a question whose alignment is shown; "": none
  R4cOptions options;
  std::filesystem::path per_question;  // also written: to_json() of each question; "": none

  void visit_fields(auto& field) {
    field("gold", gold, "the reference derivations").named("FILE").input().required();
    field("predictions", predictions, "the derivations to judge").named("FILE").input().required();
    field("hotpotqa", hotpotqa,
          "the questions in HotpotQA's form: also judges answers and supporting facts, and checks "
          "that titles and sentences exist")
        .named("FILE")
        .input();
    field("ignore-missing", options.ignore_missing,
          "leaves out questions without a prediction, else an error");
    field("max-references", options.references,
          "judge by so many references, drawn for each question; 0: by all")
        .range(0, 1000);
    field("seed", options.seed, "of the draw of --max-references");
    field("per-question", per_question,
          "also write every question's scores and alignment, as JSON lines")
        .output();
    field(
        "explain", explain,
        "also print the scores and the alignment of this question, which --format csv cannot hold")
        .named("ID")
        .of_records();
  }
};

// With the signature. Throws InputError as evaluate_r4c() does.
R4cEvaluation evaluate_r4c_files(const R4cRequest& request);

// docs/results_format.md has the measurements. Of the question `explain` there are those of the
// question, the records "alignment" (Figure 2) and their pictures.
// Throws InputError when `explain` names no question that was judged.
Result r4c_result(const R4cEvaluation& evaluation, const R4cRequest& request);

// Both, and the file of all questions.
Result evaluate_r4c_request(const R4cRequest& request, const Context& context = {});

}  // namespace rubric::eval
