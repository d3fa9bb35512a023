#include "metrics/neural/lerc.h"

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/field_text.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/seen_questions.h"
#include "data/model_files/shipped_models.h"
#include "data/tasks/label_scale.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/encoder_fit.h"
#include "metrics/neural/lerc_model.h"
#include "metrics/ngram/nearest_references.h"
#include "metrics/ngram/refusals.h"
#include "models/encoders/list.h"
#include "rubric/version.h"
#include "text/bare_answers.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {

std::string without_word(std::string_view text, std::span<const std::string_view> words, size_t i) {
  const auto begin_of = [&](size_t word) {
    return static_cast<size_t>(words[word].data() - text.data());
  };
  const auto end_of = [&](size_t word) { return begin_of(word) + words[word].size(); };
  const bool is_last = i + 1 == words.size();
  const size_t begin = is_last && i > 0 ? end_of(i - 1) : begin_of(i);
  const size_t end = is_last ? end_of(i) : begin_of(i + 1);
  return std::string(text.substr(0, begin)) + std::string(text.substr(end));
}

std::string with_another_word(std::string_view text, std::string_view word,
                              std::string_view other) {
  const auto begin = static_cast<size_t>(word.data() - text.data());
  return std::string(text.substr(0, begin)) + std::string(other) +
         std::string(text.substr(begin + word.size()));
}

Json explanation(const std::string& reference, const ExplainedRow& row,
                 std::span<const AnswerFeature* const> features,
                 std::span<const ExplainedWord> words) {
  Json json;
  json["reference"] = reference;
  if (!features.empty()) {
    json["encoder"] = row.encoder;
    Json values{Json::Object()};
    for (size_t i = 0; i < features.size(); ++i) {
      values[std::string(features[i]->name)] = static_cast<double>(row.features[i]);
    }
    json["features"] = std::move(values);
  }
  const int64_t cut = std::ranges::count(words, false, &ExplainedWord::is_encoded);
  if (cut > 0) json["cut"] = cut;
  Json::Array differences;
  for (const ExplainedWord& word : words) {
    differences.emplace_back(Json::Array{
        std::string(word.word), word.is_read ? Json(row.score - word.score_without) : Json()});
  }
  json["words"] = std::move(differences);
  return json;
}

namespace {

// The fields of a row beside its scores, with the values of a verdict. The setting of a verdict is
// called as its field.
const std::string kExplanation = "explanation", kRight = "right", kWrong = "wrong";

// The number of answers sorted and scored at a time, which bounds the memory.
constexpr size_t kAnswerWindow = 16384;

// With explanations, which take a row for each word: about as many rows.
constexpr size_t kExplainedWindow = kAnswerWindow / kMostExplainedWords;

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

double threshold_of(const data::ModelCard& card, const std::filesystem::path& directory) {
  if (card.threshold) return *card.threshold;
  throw InputError("the model has no threshold from which on an answer counts as correct",
                   (directory / "rubric.yaml").string(),
                   "train it again, or write `threshold: X` into this file");
}

bool is_number(const Json* value) {
  return value != nullptr &&
         (value->is_number() || (value->is_string() && parse_number(trim(value->string()))));
}

class Lerc : public AnswerMetric {
 public:
  Lerc(const std::string& task, const std::filesystem::path& directory, const LercOptions& options)
      : card_(card_for(task, directory)),
        model_(load_lerc(directory)),
        weights_hash_(hash_of_weights(model_)),
        tokenizer_(text::open_tokenizer(directory)),
        hashed_with_weights_(tokenizer_->fingerprint() + model_.config_values),
        options_(options),
        shipped_(data::find_shipped_at(directory)),
        seen_(directory) {
    if (options_.verdict) threshold_ = threshold_of(card_, directory);
    const int64_t longest = model_.encoder->limits().longest_row;
    template_ = data::template_of(task, card_.inputs, std::min(card_.max_length, longest),
                                  card_.cut, (directory / "rubric.yaml").string());
    require_fit(*model_.encoder, *tokenizer_, directory);
    features_ = require_features(card_.head.features, (directory / "rubric.yaml").string());
    // Weights in float32 stay as they are: packed, scoring is 3 to 6% faster, and the start 0.05 s
    // longer.
    if (options_.int8) model_.encoder->pack_weights(models::Packing::int8);
  }

  data::Scores score(std::span<const data::Answer> records) override {
    std::vector<data::Answer> changed;
    is_replaced_.assign(records.size(), false);
    for (size_t i = 0; i < records.size() && !features_.empty(); ++i) {
      const auto same = same_refusal(records[i].references, records[i].candidate);
      if (!same) continue;
      if (changed.empty()) changed.assign(records.begin(), records.end());
      changed[i].candidate = *same;
      is_replaced_[i] = true;
    }
    if (!changed.empty()) records = changed;
    data::Scores scores{{card_.task}, {}};
    seen_.find(records);
    missing_ = left_out_ = scored_rows_ = 0;
    is_right_.clear();
    explanations_.clear();
    const ReadAnswers read = this->read(records);
    data::warn_of_missing_inputs(records, template_);
    data::warn_of_uncovered(records, *tokenizer_);
    Progress progress("scoring", read.rows.size() + read.explained_rows);
    int64_t done = 0;
    const auto advance = [&](int64_t rows) {
      done += rows;
      if (options_.show_progress) progress.update(done);
    };
    const size_t size = options_.explain ? kExplainedWindow : kAnswerWindow;
    for (size_t begin = 0; begin < records.size(); begin += size) {
      score_window(records, {begin, std::min(begin + size, records.size())}, read, advance, scores);
    }
    warn_of_outside(scores);
    return scores;
  }

  std::string signature() const override {
    std::string inputs;  // the initials of the inputs, which are distinct: p,q,r,c
    for (const std::string& input : template_.inputs) {
      inputs += (inputs.empty() ? "" : ",") + input.substr(0, 1);
    }
    const std::string name = shipped_ == nullptr ? "" : std::string(shipped_->name) + ":";
    return card_.task + "|model:" + name +
           short_sha256(weights_hash_.get() + hashed_with_weights_) +
           (options_.int8 ? "|weights:int8" : "") + "|inputs:" + inputs + head() +
           "|max:" + std::to_string(template_.max_length) +
           (template_.cut == data::AnswerTemplate().cut ? "" : "|cut:" + template_.cut) +
           "|trunc:" + std::to_string(truncated_) + "/" + std::to_string(rows_) +
           (left_out_ > 0 ? "|left_out:" + std::to_string(left_out_) : "") +
           "|missing:" + std::to_string(missing_) + "/" + std::to_string(answers_) +
           (options_.verdict ? "|threshold:" + Json(threshold_).dump() : "") + seen_.signature() +
           "|rubric:" + version_with_build();
  }

  std::vector<std::string> field_names() const override {
    std::vector<std::string> names;
    if (options_.verdict) names.emplace_back(kVerdict.name);
    if (options_.explain) names.emplace_back(kExplanation);
    return names;
  }

  std::vector<Json> fields(size_t row) override {
    std::vector<Json> values;
    if (options_.verdict) values.emplace_back(is_right_[row] ? kRight : kWrong);
    if (options_.explain) values.push_back(std::move(explanations_[row]));
    return values;
  }

  // What other programs call a verdict has other values, or no score of ours beside it. In a table
  // the score is a column.
  std::vector<std::string> outdated_fields(const Json& row,
                                           const std::string& suffix) const override {
    const Json* const scores = row.find("scores" + suffix);
    const Json* const score = scores != nullptr ? scores->find(card_.task) : nullptr;
    if (score == nullptr && !is_number(row.find(card_.task + suffix))) return {};
    std::vector<std::string> names;
    const Json* const verdict = row.find(kVerdict.name + suffix);
    const bool is_ours = verdict != nullptr && verdict->is_string() &&
                         (verdict->string() == kRight || verdict->string() == kWrong);
    if (is_ours) names.push_back(kVerdict.name + suffix);
    const Json* const explained = row.find(kExplanation + suffix);
    if (explained != nullptr && explained->find("words") != nullptr) {
      names.push_back(kExplanation + suffix);
    }
    return names;
  }

  bool lists_questions() const override { return seen_.lists_questions(); }
  const data::SeenRows& seen() const override { return seen_.found(); }

  std::optional<int64_t> right() const override {
    if (!options_.verdict) return std::nullopt;
    return std::ranges::count(is_right_, true);
  }

 private:
  // Nothing where the head is as in the paper, and no scale where it is from 1 to 5.
  std::string head() const {
    std::vector<std::string> parts = card_.head.features;
    if (card_.head.bounded) parts.insert(parts.begin(), "bounded");
    std::string text = parts.empty() ? "" : "|head:" + join(parts, ",");
    // A part of the scores that is not in the weights.
    if (model_.is_bounded && model_.scale != data::LabelScale()) {
      text += "|scale:" + data::scale_text(model_.scale);
    }
    return text;
  }

  bool reads(std::string_view field) const {
    return std::ranges::count(template_.inputs, field) > 0;
  }

  bool lacks_an_input(const data::Answer& answer) const {
    return (answer.passage.empty() && reads("passage")) ||
           (answer.question.empty() && reads("question"));
  }

  // Of a head without bounds.
  void warn_of_outside(const data::Scores& scores) const {
    if (card_.scale.empty() || model_.is_bounded) return;
    std::vector<double> values;
    for (const std::vector<double>& row : scores.rows) values.push_back(row.front());
    const int64_t outside = data::count_outside(model_.scale, values);
    if (outside == 0) return;
    log_warning(std::to_string(outside) + " of " + std::to_string(scores.rows.size()) +
                " scores are outside the scale of the labels that the model was trained on, " +
                card_.scale);
  }

  // What is read of an answer.
  struct ReadAnswer {
    std::vector<size_t> references;  // each in a row of its own
    bool is_cut = false;             // not all of the answer is in its rows
    size_t explained_words = 0;      // of the candidate, which come first
  };

  // Every row, tokenised.
  struct ReadAnswers {
    std::vector<ReadAnswer> answers;
    data::KeptRows rows;
    int64_t explained_rows = 0;  // to come, one without each word
  };

  // Reads all records first, so that one that cannot be scored does not stop a run after hours.
  ReadAnswers read(std::span<const data::Answer> records) {
    data::AnswerEncoder encoder(*tokenizer_, template_);
    ReadAnswers all;
    int64_t answers_with_more = 0, long_candidates = 0;
    LongReferences too_long;
    for (const data::Answer& answer : records) {
      end_if_stop_requested();
      if (answer.references.empty()) {
        throw InputError("the record has no reference" + own_field("reference"),
                         data::named_record(answer), "give every record at least one reference");
      }
      ReadReferences references = read_references(answer, encoder);
      const int64_t before = encoder.truncated();
      data::TokenBatch rows;
      for (auto& fields : references.fields) encoder.append(std::move(fields), answer, rows);
      all.rows.append(rows);
      const bool is_cut = encoder.truncated() > before || references.too_long > 0;
      all.answers.push_back({.references = std::move(references.indices), .is_cut = is_cut});
      too_long.add(references, answer);
      answers_with_more += references.are_more ? 1 : 0;
      missing_ += lacks_an_input(answer) ? 1 : 0;
      // The words of a reference in the candidate's place are not the candidate's.
      if (!options_.explain || is_replaced_[all.answers.size() - 1]) continue;
      const size_t words = text::words_as_written(answer.candidate).size();
      all.answers.back().explained_words = std::min(words, kMostExplainedWords);
      all.explained_rows += static_cast<int64_t>(all.answers.back().explained_words);
      long_candidates += words > kMostExplainedWords ? 1 : 0;
    }
    answers_ = std::ssize(records);
    rows_ = all.rows.size();
    truncated_ = encoder.truncated();
    if (long_candidates > 0) {
      const std::string most = std::to_string(kMostExplainedWords);
      log_warning(counted(long_candidates, "candidate") + own_field("candidate") +
                  (long_candidates == 1 ? " has" : " have") + " more than " + most +
                  " words: only " + (long_candidates == 1 ? "its" : "their") + " first " + most +
                  " are explained");
    }
    too_long.warn();
    left_out_ += too_long.count;
    if (answers_with_more > 0) {
      const std::string most = std::to_string(kMostReferences);
      log_warning(counted(answers_with_more, "row has", "rows have") + " more than " + most +
                  " references" + own_field("reference") + ": only the " + most +
                  " most like the candidate are read");
    }
    return all;
  }

  // Scores the records [window.first, window.second), whose first row is scored next.
  void score_window(std::span<const data::Answer> records, std::pair<size_t, size_t> window,
                    const ReadAnswers& read, const std::function<void(int64_t)>& advance,
                    data::Scores& scores) {
    const auto answers = records.subspan(window.first, window.second - window.first);
    std::vector<size_t> references;  // of each row
    std::vector<int64_t> ends;       // of each answer's rows
    std::vector<float> features;
    for (size_t i = 0; i < answers.size(); ++i) {
      end_if_stop_requested();
      const ReadAnswer& of_answer = read.answers[window.first + i];
      if (of_answer.is_cut) scores.truncated.push_back(window.first + i);
      std::vector<float> of_all;  // the references, so each row has the same
      append_features(answers[i], features_, of_all);
      for (const size_t reference : of_answer.references) {
        references.push_back(reference);
        features.insert(features.end(), of_all.begin(), of_all.end());
      }
      ends.push_back(std::ssize(references));
    }
    data::TokenBatch rows = read.rows.rows(scored_rows_, scored_rows_ + std::ssize(references));
    scored_rows_ += rows.rows();
    rows.features = std::move(features);
    const RowScores predicted =
        predict_row_scores(model_, rows, options_.max_tokens, advance, options_.ranks);
    std::vector<ExplainedRow> best;  // of each answer
    auto first = predicted.scores.begin();
    for (size_t i = 0; i < answers.size(); ++i) {
      const auto end = predicted.scores.begin() + ends[i];
      require_finite({first, end}, answers[i]);
      const auto highest = std::max_element(first, end);
      scores.rows.push_back({*highest});
      if (options_.verdict) is_right_.push_back(*highest >= threshold_);
      if (options_.explain) {
        const auto row = static_cast<size_t>(highest - predicted.scores.begin());
        const auto values = rows.features.begin() + static_cast<int64_t>(row * features_.size());
        best.push_back({.reference = references[row],
                        .score = *highest,
                        .encoder = predicted.encoder.empty() ? 0 : predicted.encoder[row],
                        .features = {values, values + std::ssize(features_)},
                        .ids = {rows.ids.begin() + rows.offsets[row],
                                rows.ids.begin() + rows.offsets[row + 1]}});
      }
      first = end;
    }
    if (!options_.explain) return;
    explain_window(answers, std::span(read.answers).subspan(window.first), best, advance);
  }

  // Appends the row of the answer without each of its first words, beside its features.
  std::vector<ExplainedWord> append_words(const data::Answer& answer, size_t explained_words,
                                          const ExplainedRow& best, data::AnswerEncoder& encoder,
                                          data::TokenBatch& rows) const {
    const std::string& reference = answer.references[best.reference];
    const ComparedReferences compared(answer, features_);
    const std::vector<std::string_view> words = text::words_as_written(answer.candidate);
    std::vector<ExplainedWord> result;
    data::Answer changed = answer;
    for (size_t i = 0; i < explained_words; ++i) {
      changed.candidate = without_word(answer.candidate, words, i);
      const auto first_feature = std::ssize(rows.features);
      compared.append_features(changed.candidate, rows.features);
      encoder.encode(changed, reference, rows);
      const auto changes = [&](std::string_view other) {
        data::TokenBatch row;
        changed.candidate = with_another_word(answer.candidate, words[i], other);
        encoder.encode(changed, reference, row);
        return row.ids != best.ids;
      };
      const bool is_encoded = changes("x") || changes("y");  // "X" may be read as "x"
      const std::span features(rows.features.begin() + first_feature, rows.features.end());
      const bool is_read = is_encoded || !std::ranges::equal(features, best.features);
      result.push_back({.word = words[i], .is_encoded = is_encoded, .is_read = is_read});
    }
    return result;
  }

  // Scores each answer without each word of its candidate, with the reference that gave its score.
  void explain_window(std::span<const data::Answer> answers, std::span<const ReadAnswer> read,
                      std::span<const ExplainedRow> best,
                      const std::function<void(int64_t)>& advance) {
    data::TokenBatch rows;
    data::AnswerEncoder encoder(*tokenizer_, template_);  // the signature does not count these rows
    std::vector<std::vector<ExplainedWord>> words;        // of each answer
    for (size_t i = 0; i < answers.size(); ++i) {
      end_if_stop_requested();
      words.push_back(append_words(answers[i], read[i].explained_words, best[i], encoder, rows));
    }
    std::vector<double> without;
    if (rows.rows() > 0) {
      without = predict_scores(model_, rows, options_.max_tokens, advance, options_.ranks);
    }
    std::span<const double> rest = without;
    for (size_t i = 0; i < answers.size(); ++i) {
      require_finite(rest.first(words[i].size()), answers[i]);
      for (ExplainedWord& word : words[i]) {
        word.score_without = rest.front();
        rest = rest.subspan(1);
      }
      explanations_.push_back(
          explanation(answers[i].references[best[i].reference], best[i], features_, words[i]));
    }
  }

  data::ModelCard card_;
  LercModel model_;
  std::shared_future<std::string> weights_hash_;
  data::AnswerTemplate template_;
  std::vector<const AnswerFeature*> features_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  std::string hashed_with_weights_;  // tokenizer and config.json, for the hash in the signature
  LercOptions options_;
  const data::ShippedModel* shipped_;  // for the signature; null: the model is not shipped
  data::SeenRecords seen_;
  double threshold_ = 0;  // for verdicts
  // These count the records scored last.
  int64_t truncated_ = 0, rows_ = 0;   // truncated rows, and all rows
  int64_t left_out_ = 0;               // references that are too long, where another fits
  int64_t missing_ = 0, answers_ = 0;  // answers with missing inputs, and all answers
  int64_t scored_rows_ = 0;            // so far
  std::vector<bool> is_replaced_;      // the candidate, by the reference that says the same
  std::vector<bool> is_right_;
  std::vector<Json> explanations_;
};

std::unique_ptr<AnswerMetric> make_of_kind(const MetricKind& kind, const ModelUse& use) {
  LercOptions options{.int8 = use.settings.has(kInt8),
                      .verdict = use.settings.has(kVerdict),
                      .explain = use.settings.has(kExplain),
                      .show_progress = use.show_progress,
                      .ranks = use.ranks};
  return make_lerc(std::string(kind.name), model_directory(kind, use, models::encoder_types()),
                   options);
}

}  // namespace

std::unique_ptr<AnswerMetric> make_lerc(const std::string& task,
                                        const std::filesystem::path& model_directory,
                                        const LercOptions& options) {
  return std::make_unique<Lerc>(task, model_directory, options);
}

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kLerc>(const ModelUse& use) {
  return make_of_kind(kLerc, use);
}

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kSimilarity>(const ModelUse& use) {
  return make_of_kind(kSimilarity, use);
}

}  // namespace rubric::metrics
