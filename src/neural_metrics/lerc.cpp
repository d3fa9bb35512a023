#include "neural_metrics/lerc.h"

#include <algorithm>
#include <cmath>

#include "config/model_card.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/version.h"
#include "data/answer_template.h"
#include "data/batches.h"

namespace rubric {
namespace {

// Rows are tokenised, sorted and scored this many answers at a time, which bounds the memory.
constexpr size_t kWindow = 16384;
constexpr size_t kSignatureDigits = 12;

// A file has no place for other numbers, and one of them makes every mean undefined.
void require_finite(std::span<const double> scores, const Answer& answer) {
  for (const double score : scores) {
    if (std::isfinite(score)) continue;
    throw Error("the model predicts " + std::to_string(score), record_place("", answer),
                "train the model again, or fetch it again: its weights are not usable");
  }
}

class Lerc : public Metric<Answer> {
 public:
  Lerc(const std::filesystem::path& directory, const LercOptions& options)
      : model_(load_lerc(directory)),
        card_(read_model_card(directory)),
        tokenizer_(open_tokenizer(directory)),
        options_(options) {
    check_template({card_.inputs, card_.max_length}, (directory / "rubric.yaml").string());
    card_.max_length = std::min(card_.max_length, model_.encoder.config().max_position_embeddings);
    require_fit(model_, *tokenizer_, directory);
    std::string digest;
    for (const auto& [name, tensor] : model_.parameters()) {
      const at::Tensor bytes = tensor.contiguous();
      digest += name + sha256({static_cast<const char*>(bytes.const_data_ptr()),
                               static_cast<size_t>(bytes.nbytes())});
    }
    fingerprint_ = sha256(digest).substr(0, kSignatureDigits);
  }

  Scores score(std::span<const Answer> records) override {
    Scores scores{{"lerc"}, {}};
    AnswerEncoder encoder(*tokenizer_, {card_.inputs, card_.max_length});
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
    for (const std::string& input : card_.inputs) {
      inputs += (inputs.empty() ? "" : ",") + input.substr(0, 1);
    }
    return "lerc|model:" + fingerprint_ + "|inputs:" + inputs +
           "|max:" + std::to_string(card_.max_length) + "|trunc:" + std::to_string(truncated_) +
           "/" + std::to_string(rows_) + "|missing:" + std::to_string(missing_) + "/" +
           std::to_string(answers_) + "|rubric:" + kVersion;
  }

 private:
  bool reads(const char* input) const {
    return std::find(card_.inputs.begin(), card_.inputs.end(), input) != card_.inputs.end();
  }

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
    AnswerEncoder encoder(*tokenizer_, {card_.inputs, card_.max_length});
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
        predict_scores(model_, rows, options_.max_tokens, advance);
    auto first = predicted.begin();
    for (const Answer& answer : answers) {
      const auto end = first + rows_of(answer);
      require_finite({first, end}, answer);
      scores.rows.push_back({*std::max_element(first, end)});
      first = end;
    }
  }

  LercModel model_;
  ModelCard card_;
  std::unique_ptr<Tokenizer> tokenizer_;
  LercOptions options_;
  std::string fingerprint_;
  int64_t truncated_ = 0, rows_ = 0;   // rows cut, and of how many
  int64_t missing_ = 0, answers_ = 0;  // answers without a passage or question that is read
};

}  // namespace

std::vector<double> predict_scores(const LercModel& model, const TokenBatch& rows,
                                   int64_t max_tokens,
                                   const std::function<void(int64_t)>& advance) {
  const at::NoGradGuard no_grad;
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < rows.rows(); ++row) lengths.push_back(rows.length(row));
  const ExampleIndices order = longest_first(lengths);
  std::vector<double> scores(lengths.size());
  for (const auto piece : micro_batches(order, lengths, max_tokens)) {
    end_if_stop_requested();
    const at::Tensor predicted = model.predict(pack(select_rows(rows, piece))).contiguous();
    const float* values = predicted.const_data_ptr<float>();
    for (size_t i = 0; i < piece.size(); ++i) scores[static_cast<size_t>(piece[i])] = values[i];
    if (advance) advance(std::ssize(piece));
  }
  return scores;
}

std::unique_ptr<Metric<Answer>> make_lerc(const std::filesystem::path& model_directory,
                                          const LercOptions& options) {
  return std::make_unique<Lerc>(model_directory, options);
}

}  // namespace rubric
