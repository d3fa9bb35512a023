#include "metrics/neural/lerc_part.h"

#include <algorithm>

#include "data/model_files/model_card.h"
#include "core/error.h"
#include "core/system/log.h"
#include "core/system/progress.h"
#include "core/version.h"
#include "data/tokens/tokenized_answers.h"
#include "distributed/compute_together.h"
#include "models/weights/weights_part.h"
#include "metrics/neural/finite.h"
#include "metrics/neural/predict_rows.h"

namespace rubric {
namespace {

// Rows are tokenised, sorted and scored this many answers at a time, which bounds the memory.
constexpr size_t kWindow = 16384;

// The card of a model that was trained for `task`.
ModelCard card_for(const std::string& task, const std::filesystem::path& directory) {
  ModelCard card = read_model_card(directory);
  if (card.task == task) return card;
  const std::string place = (directory / "rubric.yaml").string();
  if (!std::filesystem::exists(place)) {
    throw InputError("nothing says that the model was trained for " + task, "no " + place,
                     "name a model that `rubric train` made for it");
  }
  throw InputError("the model was trained for " + card.task + ", not for " + task, place,
                   "name a model that was trained for " + task);
}

class Lerc : public Metric<Answer> {
 public:
  Lerc(const std::string& task, const std::filesystem::path& directory, const LercOptions& options)
      : card_(card_for(task, directory)),
        model_(load_lerc(directory)),
        tokenizer_(open_tokenizer(directory)),
        options_(options) {
    const int64_t longest = model_.encoder.config().longest_row();
    template_ = template_of(task, card_.inputs, std::min(card_.max_length, longest), card_.cut,
                            (directory / "rubric.yaml").string());
    require_fit(model_.encoder, *tokenizer_, directory);
    fingerprint_ = fingerprint(model_.parameters());
    if (options_.int8) model_.encoder.use_int8();
  }

  Scores score(std::span<const Answer> records) override {
    Scores scores{{card_.task}, {}};
    AnswerEncoder encoder(*tokenizer_, template_);
    check_lengths(records);
    warn_of_missing(records);
    Progress progress("scoring", rows_of(records));
    int64_t done = 0;
    const auto advance = [&](int64_t rows) {
      done += rows;
      if (options_.show_progress) progress.update(done);
    };
    for (size_t begin = 0; begin < records.size(); begin += kWindow) {
      const auto window = records.subspan(begin, std::min(kWindow, records.size() - begin));
      score_window(window, encoder, advance, scores);
    }
    truncated_ += encoder.truncated();
    return scores;
  }

  std::string signature() const override {
    std::string inputs;  // their initials, which differ: p,q,r,c
    for (const std::string& input : template_.inputs) {
      inputs += (inputs.empty() ? "" : ",") + input.substr(0, 1);
    }
    return card_.task + "|model:" + fingerprint_ + (options_.int8 ? "|weights:int8" : "") +
           "|inputs:" + inputs + "|max:" + std::to_string(template_.max_length) +
           "|trunc:" + std::to_string(truncated_) + "/" + std::to_string(rows_) +
           "|missing:" + std::to_string(missing_) + "/" + std::to_string(answers_) +
           "|rubric:" + kVersion;
  }

 private:
  bool reads(const char* input) const { return std::ranges::count(template_.inputs, input) > 0; }

  bool lacks_an_input(const Answer& answer) const {
    return (answer.passage.empty() && reads("passage")) ||
           (answer.question.empty() && reads("question"));
  }

  void warn_of_missing(std::span<const Answer> records) const {
    for (const auto& [input, text] :
         {std::pair("passage", &Answer::passage), {"question", &Answer::question}}) {
      const auto lacking = std::ranges::count_if(
          records, [text = text](const Answer& answer) { return (answer.*text).empty(); });
      if (lacking == 0 || !reads(input)) continue;
      log_warning(std::to_string(lacking) + " of " + std::to_string(records.size()) +
                  " rows lack " + input + ", which the model reads");
    }
  }

  // One for each reference, where references are read.
  int64_t rows_of(const Answer& answer) const {
    return reads("reference") ? std::ssize(answer.references) : 1;
  }

  int64_t rows_of(std::span<const Answer> answers) const {
    int64_t rows = 0;
    for (const Answer& answer : answers) rows += rows_of(answer);
    return rows;
  }

  // A record that cannot be scored stops the run before hours are spent on the others.
  void check_lengths(std::span<const Answer> records) const {
    AnswerEncoder encoder(*tokenizer_, template_);
    for (const Answer& answer : records) {
      if (answer.references.empty()) {
        throw InputError("the record has no reference", "record " + answer.id);
      }
      for (const std::string& reference : answer.references) {
        TokenBatch row;
        encoder.encode(answer, reference, row);
      }
    }
  }

  void score_window(std::span<const Answer> answers, AnswerEncoder& encoder,
                    const std::function<void(int64_t)>& advance, Scores& scores) {
    TokenBatch rows;
    for (const Answer& answer : answers) {
      missing_ += lacks_an_input(answer) ? 1 : 0;
      for (int64_t i = 0; i < rows_of(answer); ++i) {
        encoder.encode(answer, answer.references[static_cast<size_t>(i)], rows);
      }
    }
    rows_ += rows.rows();
    answers_ += std::ssize(answers);
    const std::vector<double> predicted =
        predict_scores(model_, rows, options_.max_tokens, advance, options_.ranks);
    auto first = predicted.begin();
    for (const Answer& answer : answers) {
      const auto end = first + rows_of(answer);
      require_finite({first, end}, answer);
      scores.rows.push_back({*std::max_element(first, end)});
      first = end;
    }
  }

  ModelCard card_;
  LercModel model_;
  AnswerTemplate template_;
  std::unique_ptr<Tokenizer> tokenizer_;
  LercOptions options_;
  std::string fingerprint_;
  int64_t truncated_ = 0, rows_ = 0;   // rows cut, and of how many
  int64_t missing_ = 0, answers_ = 0;  // answers without a passage or question that is read
};

}  // namespace

std::vector<double> predict_scores(const LercModel& model, const TokenBatch& rows,
                                   int64_t max_tokens, const std::function<void(int64_t)>& advance,
                                   const Ranks& ranks) {
  const at::Tensor scores = compute_together(ranks, {rows.rows()}, [&](WorkShare share) {
    return predict_rows(
        rows, max_tokens, model.encoder.device(),
        [&](const PackedTokens& tokens) { return model.predict(tokens); }, advance, share);
  });
  const float* values = scores.const_data_ptr<float>();
  return {values, values + rows.rows()};
}

std::unique_ptr<Metric<Answer>> make_lerc(const std::string& task,
                                          const std::filesystem::path& model_directory,
                                          const LercOptions& options) {
  return std::make_unique<Lerc>(task, model_directory, options);
}

}  // namespace rubric
