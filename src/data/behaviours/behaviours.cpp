#include "data/behaviours/behaviours.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/embedded.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/text/ascii.h"
#include "data/behaviours/answer_parts.h"
#include "data/behaviours/rules.h"
#include "data/tokens/tokenized_answers.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

constexpr double kCorrect = 5, kIncorrect = 1;

bool share_a_word(const WordSet& first, const WordSet& second) {
  return std::ranges::any_of(first, [&](const std::string& word) { return second.contains(word); });
}

// Each distinct reference, by its kind: where incorrect answers come from.
using Pools = std::map<AnswerKind, std::vector<std::string>>;

Pools pools_of(std::span<const Answer> answers) {
  Pools pools;
  std::set<std::string> seen;
  for (const Answer& answer : answers) {
    const std::string& reference = answer.references.front();
    if (normalised_words(reference).empty() || !seen.insert(reference).second) continue;
    pools[kind_of(reference)].push_back(reference);
  }
  return pools;
}

// A text of the pool that has no word in `known`; nothing if none of many draws is one.
std::optional<std::string> foreign_answer(const std::vector<std::string>& pool,
                                          const WordSet& known, uint64_t key, uint64_t stream) {
  constexpr uint64_t kDraws = 32;
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    const uint64_t bits = random_bits(key, Purpose::behaviour, stream, draw + 1);
    const std::string& text = pool[below(bits, pool.size())];
    if (!share_a_word(normalised_words(text), known)) return text;
  }
  return std::nullopt;
}

// All answers to one question.
using SameQuestion = std::vector<const Answer*>;

// Alike for answers to one question. 64 bits of a hash: no copies of passages.
uint64_t question_key(const Answer& answer) {
  return sha256_bits(answer.passage + "\n" + text::normalize_answer(answer.question));
}

// In the order of the first answer to each.
std::vector<SameQuestion> by_question(std::span<const Answer> answers) {
  std::vector<SameQuestion> questions;
  std::unordered_map<uint64_t, size_t> places;
  for (const Answer& answer : answers) {
    if (trim(answer.question).empty()) {
      throw InputError("the answer has no question, by which pairs are told apart",
                       record_place("", answer), "give its question, or leave the row out");
    }
    const auto [place, is_new] = places.try_emplace(question_key(answer), questions.size());
    if (is_new) questions.emplace_back();
    questions[place->second].push_back(&answer);
  }
  return questions;
}

// The least and the greatest human score; none where all are alike.
struct Grades {
  std::optional<double> incorrect, correct;
};

Grades grades_of(std::span<const Answer> answers) {
  Grades grades;
  for (const Answer& answer : answers) {
    if (!answer.score) continue;
    grades.incorrect = std::min(grades.incorrect.value_or(*answer.score), *answer.score);
    grades.correct = std::max(grades.correct.value_or(*answer.score), *answer.score);
  }
  return grades.incorrect == grades.correct ? Grades{} : grades;
}

// Longer answers are sentences, of which people judge more than the answer.
bool is_short(std::string_view candidate) {
  constexpr int64_t kMostWords = 10;
  const std::string_view text = trim(candidate);
  return !text.empty() && std::ranges::count(text, ' ') < kMostWords;
}

void add_judgements(const SameQuestion& answers, const Grades& grades,
                    BehaviourQuestion& question) {
  for (const Answer* const answer : answers) {
    if (!answer->score || !is_short(answer->candidate)) continue;
    if (answer->score == grades.correct) question.judged_correct.push_back(answer->candidate);
    if (answer->score == grades.incorrect) question.judged_incorrect.push_back(answer->candidate);
  }
}

// The question as sentences have it: "when was it signed?": "when was it signed".
std::string without_question_mark(std::string question) {
  while (question.ends_with('?') || question.ends_with(' ')) question.pop_back();
  return question;
}

// Streams of draws of a question; 1, 2, 5 and 6 are the rules' own.
constexpr uint64_t kOfSentence = 0, kOfIncorrect = 3, kOfOther = 4;

BehaviourQuestion question_of(const SameQuestion& answers, const Pools& pools, const Grades& grades,
                              const BehaviourOptions& options) {
  const Answer& first = *answers.front();
  BehaviourQuestion question;
  question.question = without_question_mark(first.question);
  question.wordings = options.wordings;
  question.key = mix(options.seed) ^ question_key(first);
  WordSet known = normalised_words(first.question);
  for (const Answer* const answer : answers) {
    for (const std::string& reference : answer->references) {
      if (std::ranges::count(question.references, reference) > 0) continue;
      question.references.push_back(reference);
      question.reference_words.push_back(normalised_words(reference));
      known.insert(question.reference_words.back().begin(), question.reference_words.back().end());
    }
  }
  const std::vector<std::string>& pool = pools.at(kind_of(question.correct()));
  question.incorrect = foreign_answer(pool, known, question.key, kOfIncorrect);
  if (question.incorrect) {
    known.merge(normalised_words(*question.incorrect));
    question.other = foreign_answer(pool, known, question.key, kOfOther);
  }
  add_judgements(answers, grades, question);
  return question;
}

// The sentence with its blanks filled in; what is filled in is not searched for blanks.
std::string filled(std::string_view sentence, const BehaviourQuestion& question,
                   const std::string& answer, const std::string& other) {
  std::string text;
  for (size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] != '{') {
      // A full stop may stand at an answer's end already.
      if (sentence[i] != '.' || !text.ends_with('.')) text += sentence[i];
      continue;
    }
    switch (sentence[i + 1]) {
      case 'a':
        text += answer;
        break;
      case 'o':
        text += other;
        break;
      case 'b':
        text += question.incorrect.value();
        break;
      case 'c':
        text += question.other.value();
        break;
      case 'q':
        text += question.question;
        break;
    }
    i += 2;
  }
  return text;
}

std::string worded(const std::vector<std::string>& sentences, const BehaviourQuestion& question,
                   const std::string& answer, const std::string& other) {
  const uint64_t draw = random_bits(question.key, Purpose::behaviour, kOfSentence);
  return filled(sentences[below(draw, sentences.size())], question, answer, other);
}

// The pair's candidates; nothing where the rule does not suit or a reference makes both correct.
std::optional<CandidatePair> candidates_of(const Behaviour& behaviour,
                                           const std::vector<std::string>& correct,
                                           const std::vector<std::string>& incorrect,
                                           const BehaviourQuestion& question) {
  const std::optional<CandidatePair> answers = behaviour.answers(question);
  if (!answers) return std::nullopt;
  CandidatePair texts = *answers;
  texts.correct = worded(correct, question, answers->correct, answers->incorrect);
  texts.incorrect = worded(incorrect, question, answers->incorrect, answers->correct);
  const std::vector<WordSet> references = texts.reference.empty()
                                              ? question.reference_words
                                              : std::vector{normalised_words(texts.reference)};
  const bool is_wrong =
      behaviour.wrong_has_reference ||
      !(is_accepted(references, answers->incorrect) || is_accepted(references, texts.incorrect));
  return is_wrong ? std::optional(std::move(texts)) : std::nullopt;
}

std::vector<const Behaviour*> chosen_behaviours(const std::vector<std::string>& names) {
  if (names.empty()) return {kBehaviours.begin(), kBehaviours.end()};
  std::vector<const Behaviour*> chosen;
  for (const std::string& name : names) {
    const Behaviour* const behaviour = &require(kBehaviours, name, "behaviour");
    if (std::ranges::count(chosen, behaviour) > 0) {
      throw InputError("the behaviour " + name + " is named twice", "", "name it once");
    }
    chosen.push_back(behaviour);
  }
  std::ranges::sort(chosen, {}, [](const Behaviour* behaviour) {
    return std::ranges::find(kBehaviours, behaviour) - kBehaviours.begin();
  });
  return chosen;
}

struct MadePair {
  size_t question = 0;
  uint64_t draw = 0;  // the pairs with the least are kept
  CandidatePair texts;
};

std::vector<MadePair> pairs_of(const Behaviour& behaviour,
                               std::span<const BehaviourQuestion> questions,
                               const BehaviourOptions& options) {
  std::vector<MadePair> pairs;
  const std::vector<std::string> correct = sentences(behaviour.correct, options.wordings),
                                 incorrect = sentences(behaviour.incorrect, options.wordings);
  for (size_t i = 0; i < questions.size(); ++i) {
    std::optional<CandidatePair> pair = candidates_of(behaviour, correct, incorrect, questions[i]);
    if (!pair) continue;
    const uint64_t draw =
        random_bits(questions[i].key, Purpose::behaviour, sha256_bits(behaviour.name));
    pairs.push_back({i, draw, std::move(*pair)});
  }
  if (options.pairs > 0 && options.pairs < std::ssize(pairs)) {
    std::ranges::sort(pairs, {}, &MadePair::draw);
    pairs.resize(static_cast<size_t>(options.pairs));
    std::ranges::sort(pairs, {}, &MadePair::question);
  }
  return pairs;
}

}  // namespace

std::vector<std::string> sentences(std::string_view kind, Wordings wordings) {
  constexpr size_t kTuningEvery = 4;
  std::vector<std::string> chosen;
  const std::vector<Cells> all =
      embedded_rows("data/behaviours/wordings.tsv",
                    std::string(kind) + (wordings == Wordings::testing ? " testing" : " learning"));
  for (size_t i = 0; i < all.size(); ++i) {
    const bool is_of_tuning = i % kTuningEvery == kTuningEvery - 1;
    // Of a few sentences none can be spared.
    if (wordings == Wordings::testing || all.size() < kTuningEvery ||
        is_of_tuning == (wordings == Wordings::tuning))
      chosen.push_back(all[i][0]);
  }
  return chosen;
}

BehaviourRows derive_behaviours(std::span<const Answer> answers, const BehaviourOptions& options) {
  const std::vector<const Behaviour*> behaviours = chosen_behaviours(options.names);
  const Pools pools = pools_of(answers);
  const Grades grades = grades_of(answers);
  BehaviourRows result;
  std::vector<BehaviourQuestion> questions;
  std::vector<const Answer*> firsts;  // of each question
  for (const SameQuestion& same : by_question(answers)) {
    end_if_stop_requested();
    ++result.questions;
    if (normalised_words(same.front()->references.front()).empty()) {
      ++result.without_words;
      continue;
    }
    questions.push_back(question_of(same, pools, grades, options));
    firsts.push_back(same.front());
    if (!questions.back().incorrect) ++result.without_incorrect;
  }
  for (const Behaviour* const behaviour : behaviours) {
    for (const auto& [of, draw, texts] : pairs_of(*behaviour, questions, options)) {
      const Answer& first = *firsts[of];
      const std::string id = std::to_string(of);
      for (const bool is_correct : {true, false}) {
        result.rows.push_back({.id = id + (is_correct ? "-right" : "-wrong"),
                               .constituent = std::string(behaviour->name),
                               .source = first.constituent,
                               .passage = first.passage,
                               .question = texts.question.empty() ? first.question : texts.question,
                               .candidate = is_correct ? texts.correct : texts.incorrect,
                               .references = texts.reference.empty() ? questions[of].references
                                                                     : std::vector{texts.reference},
                               .score = is_correct ? kCorrect : kIncorrect,
                               .ratings = {}});
      }
    }
  }
  return result;
}

}  // namespace rubric::data
