#include "train/settings/choice_data.h"

#include "core/random.h"

namespace rubric {
namespace {

constexpr double kIdentity = 0.2;

const std::string& answer(const ChoiceQuestion& question, int64_t number) {
  const auto i = static_cast<size_t>(number), correct = question.correct.size();
  return i < correct ? question.correct[i] : question.incorrect[i - correct];
}

bool are_both_correct(const ChoiceQuestion& question, const ChoicePair& pair) {
  return pair.second < std::ssize(question.correct);
}

bool has_identity_pair(uint64_t seed, int64_t question, int64_t answer) {
  return uniform(random_bits(seed, Purpose::identity_pair, static_cast<uint64_t>(question),
                             static_cast<uint64_t>(answer))) < kIdentity;
}

}  // namespace

std::vector<ChoicePair> choice_pairs(std::span<const ChoiceQuestion> questions, uint64_t seed) {
  std::vector<ChoicePair> pairs;
  for (int64_t q = 0; q < std::ssize(questions); ++q) {
    const ChoiceQuestion& question = questions[static_cast<size_t>(q)];
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

bool is_swapped(const ChoiceQuestion& question, const ChoicePair& pair, uint64_t seed,
                int64_t update, int64_t place) {
  return !are_both_correct(question, pair) &&
         random_bits(seed, Purpose::answer_order, static_cast<uint64_t>(update),
                     static_cast<uint64_t>(place)) %
                 2 ==
             1;
}

ChoiceLabel label_of(const ChoiceQuestion& question, const ChoicePair& pair, bool swapped) {
  if (are_both_correct(question, pair)) return ChoiceLabel::both;
  return swapped ? ChoiceLabel::second : ChoiceLabel::first;
}

Answer as_answer(const ChoiceQuestion& question, const ChoicePair& pair, bool swapped) {
  Answer row;
  row.id = question.id;
  row.constituent = question.source;
  row.passage = question.passage;
  row.question = question.question;
  row.references = {answer(question, swapped ? pair.second : pair.first)};
  row.candidate = answer(question, swapped ? pair.first : pair.second);
  return row;
}

}  // namespace rubric
