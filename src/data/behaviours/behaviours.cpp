#include "data/behaviours/behaviours.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/text/ascii.h"
#include "data/behaviours/answer_parts.h"
#include "data/behaviours/rules.h"
#include "data/tokens/tokenized_answers.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

constexpr double kRight = 5, kWrong = 1;

std::set<std::string> normalised_words(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text::normalize_answer(text) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

bool share_a_word(const std::set<std::string>& first, const std::set<std::string>& second) {
  return std::ranges::any_of(first, [&](const std::string& word) { return second.contains(word); });
}

// Each distinct reference, by its kind: where wrong answers come from.
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

// A text of the pool that has no word of question or references; "" if none of many draws is one.
std::string foreign_answer(const std::vector<std::string>& pool, const BehaviourQuestion& question,
                           uint64_t stream) {
  constexpr uint64_t kDraws = 32;
  std::set<std::string> known = normalised_words(question.question);
  for (const std::string& reference : question.references) {
    known.merge(normalised_words(reference));
  }
  known.merge(normalised_words(question.wrong));
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    const uint64_t bits = random_bits(question.key, Purpose::behaviour, stream, draw + 1);
    const std::string& text = pool[below(bits, pool.size())];
    if (!share_a_word(normalised_words(text), known)) return text;
  }
  return "";
}

// Whether the candidate has fewer than half of the words of each reference.
bool is_other_wording(const std::string& candidate, const std::vector<std::string>& references) {
  const std::set<std::string> words = normalised_words(candidate);
  return std::ranges::none_of(references, [&](const std::string& reference) {
    const std::set<std::string> expected = normalised_words(reference);
    const auto found = std::ranges::count_if(
        expected, [&](const std::string& word) { return words.contains(word); });
    return 2 * found >= std::ssize(expected);
  });
}

// Two marks of one text that only one stream of draws has.
constexpr uint64_t kOfWrong = 3, kOfOther = 4;

BehaviourQuestion start_question(const Answer& answer, const Pools& pools,
                                 const BehaviourOptions& options) {
  BehaviourQuestion question{
      .question = answer.question,
      .right = answer.references.front(),
      .references = answer.references,
      .wrong = "",
      .other = "",
      .judged_right = {},
      .judged_wrong = {},
      .wordings = options.wordings,
      .key = mix(options.seed) ^ sha256_bits(answer.passage + "\n" + answer.question)};
  while (question.question.ends_with('?') || question.question.ends_with(' ')) {
    question.question.pop_back();
  }
  const std::vector<std::string>& pool = pools.at(kind_of(question.right));
  question.wrong = foreign_answer(pool, question, kOfWrong);
  question.other = foreign_answer(pool, question, kOfOther);
  return question;
}

// Longer answers are sentences, of which people judge more than the answer.
bool is_short(std::string_view candidate) {
  constexpr int64_t kMostWords = 10;
  return std::ranges::count(trim(candidate), ' ') < kMostWords;
}

void add_judgement(const Answer& answer, BehaviourQuestion& question) {
  if (!is_short(answer.candidate)) return;
  if (answer.score == kWrong) {
    question.judged_wrong.push_back(answer.candidate);
  } else if (answer.score == kRight && is_other_wording(answer.candidate, answer.references)) {
    question.judged_right.push_back(answer.candidate);
  }
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
  for (size_t i = 0; i < questions.size(); ++i) {
    std::optional<CandidatePair> pair = behaviour.make(questions[i]);
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

std::vector<Answer> derive_behaviours(std::span<const Answer> answers,
                                      const BehaviourOptions& options) {
  const std::vector<const Behaviour*> behaviours = chosen_behaviours(options.names);
  const Pools pools = pools_of(answers);
  std::vector<BehaviourQuestion> questions;
  std::vector<const Answer*> firsts;  // of each question
  std::map<std::pair<std::string, std::string>, std::optional<size_t>> places;
  for (const Answer& answer : answers) {
    end_if_stop_requested();
    if (trim(answer.question).empty()) {
      throw InputError("the answer has no question, by which pairs are told apart",
                       record_place("", answer), "give its question, or leave the row out");
    }
    const auto [place, is_new] = places.try_emplace({answer.passage, answer.question});
    if (is_new && !normalised_words(answer.references.front()).empty()) {
      BehaviourQuestion question = start_question(answer, pools, options);
      if (!question.wrong.empty() && !question.other.empty()) {
        place->second = questions.size();
        questions.push_back(std::move(question));
        firsts.push_back(&answer);
      }
    }
    if (place->second) add_judgement(answer, questions[*place->second]);
  }
  std::vector<Answer> rows;
  for (const Behaviour* const behaviour : behaviours) {
    for (MadePair& pair : pairs_of(*behaviour, questions, options)) {
      const Answer& first = *firsts[pair.question];
      const std::string id = std::to_string(pair.question);
      for (const bool is_right : {true, false}) {
        rows.push_back({.id = id + (is_right ? "-right" : "-wrong"),
                        .constituent = std::string(behaviour->name),
                        .source = first.constituent,
                        .passage = first.passage,
                        .question = first.question,
                        .candidate = is_right ? pair.texts.right : pair.texts.wrong,
                        .references = first.references,
                        .score = is_right ? kRight : kWrong,
                        .ratings = {}});
      }
    }
  }
  return rows;
}

}  // namespace rubric::data
