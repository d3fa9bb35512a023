#include "train/settings/choice_data.h"

#include <numeric>
#include <optional>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "core/system/log.h"
#include "data/model_files/seen_questions.h"
#include "data/multiple_choice/readers.h"
#include "train/settings/train_config.h"

namespace rubric::train {

namespace {

constexpr uint64_t kDevSeed = 0;    // the dev pairs use this seed, not the run's
constexpr int64_t kDevUpdate = -1;  // an update number that no run uses

// Reads all questions of the split "train" or "dev".
ChoiceSplit read_split(const TrainConfig& config, const std::string& name) {
  ChoiceSplit split;
  for (const DataSource& source : data_sources(config)) {
    if (!source.key.ends_with("." + name)) continue;
    data::ChoiceSet set = source.reader->read(source.path);
    split.questions.insert(split.questions.end(), std::make_move_iterator(set.questions.begin()),
                           std::make_move_iterator(set.questions.end()));
    for (const auto& [reason, count] : set.dropped) split.dropped[reason] += count;
  }
  return split;
}

void drop_long_passages(ChoiceSplit& split, int64_t most, const text::Tokenizer& tokenizer) {
  std::optional<std::string> passage;  // of the previous question, which is often the same
  std::vector<int64_t> ids;
  const auto is_long = [&](const data::ChoiceQuestion& question) {
    end_if_stop_requested();
    if (passage != question.passage) {
      passage = question.passage;
      ids.clear();
      tokenizer.encode(*passage, ids);
    }
    return std::ssize(ids) > most;
  };
  const auto dropped = static_cast<int64_t>(std::erase_if(split.questions, is_long));
  if (dropped == 0) return;
  split.dropped["questions with a passage of more than " + std::to_string(most) + " tokens"] =
      dropped;
}

int64_t total(const data::Dropped& dropped) {
  int64_t sum = 0;
  for (const auto& [reason, count] : dropped) sum += count;
  return sum;
}

std::string dropped_text(const data::Dropped& dropped) {
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : dropped) {
    reasons.push_back(std::to_string(count) + " " + reason);
  }
  return std::to_string(total(dropped)) + " questions dropped" +
         (reasons.empty() ? "" : " (" + join(reasons) + ")");
}

void require_pairs(const ChoiceSplit& split, const std::string& name) {
  if (!split.pairs.empty()) return;
  throw InputError("no pair of answers is left: " + dropped_text(split.dropped),
                   "questions.*." + name, "name more data, or raise questions.max_passage");
}

// Tokenises all pairs to measure them; the length does not depend on the order of the answers.
void measure(ChoiceSplit& split, const text::Tokenizer& tokenizer,
             const data::AnswerTemplate& input) {
  data::AnswerEncoder encoder(tokenizer, input);
  for (const ChoicePair& pair : split.pairs) {
    end_if_stop_requested();
    const data::ChoiceQuestion& question = split.questions[static_cast<size_t>(pair.question)];
    const data::Answer row = as_answer(question, pair, false);
    data::TokenBatch tokens;
    encoder.encode(row, row.references[0], tokens);
    split.lengths.push_back(tokens.length(0));
  }
  split.truncated = encoder.truncated();
}

std::string describe_questions(const char* name, const ChoiceSplit& split) {
  std::map<std::string, int64_t> sources;
  for (const data::ChoiceQuestion& question : split.questions) ++sources[question.source];
  std::vector<std::string> counts;
  for (const auto& [source, count] : sources)
    counts.push_back(source + " " + std::to_string(count));
  int64_t both = 0;
  for (size_t i = 0; i < split.pairs.size(); ++i) {
    const data::ChoiceQuestion& question = split.question_of(static_cast<int64_t>(i));
    both += label_of(question, split.pairs[i], false) == ChoiceLabel::both ? 1 : 0;
  }
  const int64_t tokens = std::accumulate(split.lengths.begin(), split.lengths.end(), int64_t{0});
  return std::string(name) + std::to_string(split.questions.size()) + " questions (" +
         join(counts) + "), " + std::to_string(split.pairs.size()) + " pairs (" +
         std::to_string(both) + " of two correct answers), " + std::to_string(tokens) +
         " tokens, " + std::to_string(split.truncated) + " passages cut, " +
         dropped_text(split.dropped);
}

constexpr double kIdentity = 0.2;

const std::string& answer(const data::ChoiceQuestion& question, int64_t number) {
  const auto i = static_cast<size_t>(number), correct = question.correct.size();
  return i < correct ? question.correct[i] : question.incorrect[i - correct];
}

bool are_both_correct(const data::ChoiceQuestion& question, const ChoicePair& pair) {
  return pair.second < std::ssize(question.correct);
}

bool has_identity_pair(uint64_t seed, int64_t question, int64_t answer) {
  return uniform(random_bits(seed, Purpose::identity_pair, static_cast<uint64_t>(question),
                             static_cast<uint64_t>(answer))) < kIdentity;
}

std::vector<data::Answer> as_answers(const ChoiceSplit& split) {
  std::vector<data::Answer> questions;
  for (const data::ChoiceQuestion& question : split.questions) {
    data::Answer& added = questions.emplace_back();
    added.passage = question.passage;
    added.question = question.question;
    added.references = question.correct;
  }
  return questions;
}

}  // namespace

ChoiceData load_choice_data(const TrainConfig& config, const text::Tokenizer& tokenizer) {
  const data::AnswerTemplate input = data::template_of(
      config.task, config.data.inputs, config.data.max_length, config.data.cut, "data.inputs");

  // 1. Read all files, to find errors before anything is tokenised.
  ChoiceData data{read_split(config, "train"), read_split(config, "dev")};

  // 2. Make the pairs.
  drop_long_passages(data.train, config.questions.max_passage, tokenizer);
  drop_long_passages(data.dev, config.questions.max_passage, tokenizer);
  data.train.pairs = choice_pairs(data.train.questions, static_cast<uint64_t>(config.seed));
  data.dev.pairs = choice_pairs(data.dev.questions, kDevSeed);
  require_pairs(data.train, "train");
  require_pairs(data.dev, "dev");

  // 3. Check that each of them fits.
  measure(data.train, tokenizer, input);
  measure(data.dev, tokenizer, input);
  const data::SharedQuestions shared =
      data::shared_questions(as_answers(data.train), as_answers(data.dev), /*reads_passage=*/true);
  if (shared.count > 0) log_warning(data::shared_note(shared));
  return data;
}

ChoiceRows choice_rows(const ChoiceSplit& split, std::span<const int64_t> pairs, uint64_t seed,
                       int64_t update, const text::Tokenizer& tokenizer,
                       const data::AnswerTemplate& input) {
  ChoiceRows rows;
  data::AnswerEncoder encoder(tokenizer, input);
  for (const int64_t place : pairs) {
    const ChoicePair& pair = split.pairs[static_cast<size_t>(place)];
    const data::ChoiceQuestion& question = split.question_of(place);
    const bool swapped = is_swapped(question, pair, seed, update, place);
    const data::Answer row = as_answer(question, pair, swapped);
    encoder.encode(row, row.references[0], rows.tokens);
    rows.labels.push_back(label_of(question, pair, swapped));
  }
  return rows;
}

ChoiceRows dev_rows(const ChoiceSplit& dev, const text::Tokenizer& tokenizer,
                    const data::AnswerTemplate& input) {
  std::vector<int64_t> all(dev.pairs.size());
  std::iota(all.begin(), all.end(), int64_t{0});
  return choice_rows(dev, all, kDevSeed, kDevUpdate, tokenizer, input);
}

std::string describe(const ChoiceData& data) {
  return describe_questions("train: ", data.train) + "; " + describe_questions("dev: ", data.dev);
}

std::vector<ChoicePair> choice_pairs(std::span<const data::ChoiceQuestion> questions,
                                     uint64_t seed) {
  std::vector<ChoicePair> pairs;
  for (int64_t q = 0; q < std::ssize(questions); ++q) {
    const data::ChoiceQuestion& question = questions[static_cast<size_t>(q)];
    const int64_t correct = std::ssize(question.correct);
    const int64_t answers = correct + std::ssize(question.incorrect);
    for (int64_t first = 0; first < correct; ++first) {
      if (has_identity_pair(seed, q, first)) pairs.push_back({q, first, first});
      for (int64_t second = first + 1; second < answers; ++second) {
        pairs.push_back({q, first, second});
      }
    }
  }
  return pairs;
}

bool is_swapped(const data::ChoiceQuestion& question, const ChoicePair& pair, uint64_t seed,
                int64_t update, int64_t place) {
  return !are_both_correct(question, pair) &&
         random_bits(seed, Purpose::answer_order, static_cast<uint64_t>(update),
                     static_cast<uint64_t>(place)) %
                 2 ==
             1;
}

ChoiceLabel label_of(const data::ChoiceQuestion& question, const ChoicePair& pair, bool swapped) {
  if (are_both_correct(question, pair)) return ChoiceLabel::both;
  return swapped ? ChoiceLabel::second : ChoiceLabel::first;
}

data::Answer as_answer(const data::ChoiceQuestion& question, const ChoicePair& pair, bool swapped) {
  data::Answer row;
  row.id = question.id;
  row.constituent = question.source;
  row.passage = question.passage;
  row.question = question.question;
  row.references = {answer(question, swapped ? pair.second : pair.first)};
  row.candidate = answer(question, swapped ? pair.first : pair.second);
  return row;
}

}  // namespace rubric::train
