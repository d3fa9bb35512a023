#include "metrics/neural/lerc.h"

#include <algorithm>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/encoder_fit.h"
#include "metrics/neural/lerc_model.h"
#include "metrics/ngram/answer_features.h"
#include "metrics/ngram/nearest_references.h"
#include "models/encoders/list.h"
#include "models/weights/weights.h"
#include "rubric/version.h"

namespace rubric::metrics {

namespace {

// The number of answers tokenised, sorted and scored at a time, which bounds the memory.
constexpr size_t kAnswerWindow = 16384;

// The number of an answer's references that are read, the nearest ones, because each costs a pass.
constexpr size_t kMostReferences = 8;

// Reads the model's card; throws unless it was trained for `task`.
data::ModelCard card_for(const std::string& task, const std::filesystem::path& directory) {
  data::ModelCard card = data::read_model_card(directory);
  if (card.task == task) return card;
  const std::string place = (directory / "rubric.yaml").string();
  if (!std::filesystem::exists(place)) {
    throw InputError("there is no sign that the model was trained for " + task, "no " + place,
                     "name a model that `rubric train` made for it");
  }
  throw InputError("the model was trained for " + card.task + ", not for " + task, place,
                   "name a model that was trained for " + task);
}

class Lerc : public AnswerMetric {
 public:
  Lerc(const std::string& task, const std::filesystem::path& directory, const LercOptions& options)
      : card_(card_for(task, directory)),
        model_(load_lerc(directory)),
        tokenizer_(text::open_tokenizer(directory)),
        options_(options) {
    const int64_t longest = model_.encoder->limits().longest_row;
    template_ = data::template_of(task, card_.inputs, std::min(card_.max_length, longest),
                                  card_.cut, (directory / "rubric.yaml").string());
    require_fit(*model_.encoder, *tokenizer_, directory);
    features_ = require_features(card_.head.features, (directory / "rubric.yaml").string());
    fingerprint_ = models::fingerprint(model_.tensors());
    if (options_.int8) model_.encoder->use_int8();
  }

  data::Scores score(std::span<const data::Answer> records) override {
    data::Scores scores{{card_.task}, {}};
    rows_ = missing_ = answers_ = 0;
    data::AnswerEncoder encoder(*tokenizer_, template_);
    const int64_t all_rows = check(records);
    warn_of_missing(records);
    Progress progress("scoring", all_rows);
    int64_t done = 0;
    const auto advance = [&](int64_t rows) {
      done += rows;
      if (options_.show_progress) progress.update(done);
    };
    for (size_t begin = 0; begin < records.size(); begin += kAnswerWindow) {
      const auto window = records.subspan(begin, std::min(kAnswerWindow, records.size() - begin));
      score_window(window, encoder, advance, scores);
    }
    truncated_ = encoder.truncated();
    return scores;
  }

  std::string signature() const override {
    std::string inputs;  // the initials of the inputs, which are distinct: p,q,r,c
    for (const std::string& input : template_.inputs) {
      inputs += (inputs.empty() ? "" : ",") + input.substr(0, 1);
    }
    return card_.task + "|model:" + fingerprint_ + (options_.int8 ? "|weights:int8" : "") +
           "|inputs:" + inputs + head() + "|max:" + std::to_string(template_.max_length) +
           "|trunc:" + std::to_string(truncated_) + "/" + std::to_string(rows_) +
           "|missing:" + std::to_string(missing_) + "/" + std::to_string(answers_) +
           "|rubric:" + version_with_build();
  }

 private:
  // Nothing where the head is as in the paper.
  std::string head() const {
    std::vector<std::string> parts = card_.head.features;
    if (card_.head.bounded) parts.insert(parts.begin(), "bounded");
    return parts.empty() ? "" : "|head:" + join(parts, ",");
  }

  bool reads(const char* input) const { return std::ranges::count(template_.inputs, input) > 0; }

  bool lacks_an_input(const data::Answer& answer) const {
    return (answer.passage.empty() && reads("passage")) ||
           (answer.question.empty() && reads("question"));
  }

  void warn_of_missing(std::span<const data::Answer> records) const {
    for (const auto& [input, text] :
         {std::pair("passage", &data::Answer::passage), {"question", &data::Answer::question}}) {
      const auto lacking = std::ranges::count_if(
          records, [text = text](const data::Answer& answer) { return (answer.*text).empty(); });
      if (lacking == 0 || !reads(input)) continue;
      log_warning(std::to_string(lacking) + " of " + std::to_string(records.size()) +
                  " rows lack " + input + ", which the model reads");
    }
  }

  // The references of an answer that are read, each in a row of its own; without that input any
  // one.
  struct ReadReferences {
    std::vector<size_t> indices;
    bool are_more = false;  // than are read
  };
  ReadReferences references_of(const data::Answer& answer) const {
    if (!reads("reference")) return {{0}};
    std::vector<size_t> indices = nearest_references(answer);
    const bool are_more = indices.size() > kMostReferences;
    if (are_more) indices.resize(kMostReferences);
    return {std::move(indices), are_more};
  }

  // Checks all records first, so that one that cannot be scored does not stop a run after hours.
  // Returns the number of rows.
  int64_t check(std::span<const data::Answer> records) const {
    data::AnswerEncoder encoder(*tokenizer_, template_);
    int64_t rows = 0, answers_with_more = 0;
    for (const data::Answer& answer : records) {
      end_if_stop_requested();
      if (answer.references.empty()) {
        throw InputError("the record has no reference", "record " + answer.id);
      }
      const ReadReferences references = references_of(answer);
      for (const size_t i : references.indices) {
        data::TokenBatch row;
        encoder.encode(answer, answer.references[i], row);
      }
      rows += std::ssize(references.indices);
      answers_with_more += references.are_more ? 1 : 0;
    }
    if (answers_with_more > 0) {
      const std::string most = std::to_string(kMostReferences);
      log_warning(counted(answers_with_more, "row") + " with more than " + most +
                  " references: the " + most + " nearest to the candidate are read");
    }
    return rows;
  }

  void score_window(std::span<const data::Answer> answers, data::AnswerEncoder& encoder,
                    const std::function<void(int64_t)>& advance, data::Scores& scores) {
    data::TokenBatch rows;
    std::vector<int64_t> ends;  // of each answer's rows
    for (const data::Answer& answer : answers) {
      end_if_stop_requested();
      missing_ += lacks_an_input(answer) ? 1 : 0;
      const int64_t before = encoder.truncated();
      std::vector<float> features;  // of all references, so each row has the same
      append_features(answer, features_, features);
      for (const size_t i : references_of(answer).indices) {
        encoder.encode(answer, answer.references[i], rows);
        rows.features.insert(rows.features.end(), features.begin(), features.end());
      }
      ends.push_back(rows.rows());
      const auto record = static_cast<size_t>(answers_++);
      if (encoder.truncated() > before) scores.truncated.push_back(record);
    }
    rows_ += rows.rows();
    const std::vector<double> predicted =
        predict_scores(model_, rows, options_.max_tokens, advance, options_.ranks);
    auto first = predicted.begin();
    for (size_t i = 0; i < answers.size(); ++i) {
      const auto end = predicted.begin() + ends[i];
      require_finite({first, end}, answers[i]);
      scores.rows.push_back({*std::max_element(first, end)});
      first = end;
    }
  }

  data::ModelCard card_;
  LercModel model_;
  data::AnswerTemplate template_;
  std::vector<const AnswerFeature*> features_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  LercOptions options_;
  std::string fingerprint_;
  // These count the records scored last.
  int64_t truncated_ = 0, rows_ = 0;   // truncated rows, and all rows
  int64_t missing_ = 0, answers_ = 0;  // answers with missing inputs, and all answers
};

LercOptions options_of(const ModelUse& use) {
  return {.int8 = use.settings.has(kInt8), .show_progress = use.show_progress, .ranks = use.ranks};
}

}  // namespace

std::unique_ptr<AnswerMetric> make_lerc(const std::string& task,
                                        const std::filesystem::path& model_directory,
                                        const LercOptions& options) {
  return std::make_unique<Lerc>(task, model_directory, options);
}

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kLerc>(const ModelUse& use) {
  return make_lerc(std::string(kLerc.name), data::find_model(use.model, models::encoder_types()),
                   options_of(use));
}

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kSimilarity>(const ModelUse& use) {
  return make_lerc(std::string(kSimilarity.name),
                   data::find_model(use.model, models::encoder_types()), options_of(use));
}

}  // namespace rubric::metrics
