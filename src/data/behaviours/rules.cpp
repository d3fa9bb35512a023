#include "data/behaviours/rules.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/random.h"
#include "core/text/ascii.h"
#include "data/behaviours/answer_parts.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

constexpr std::string_view kPlainLearning[] = {"{a}", "It is {a}.", "The answer is {a}.", "{a}."};
constexpr std::string_view kPlainTesting[] = {"{a}", "That would be {a}.", "{a} is the answer.",
                                              "It's {a}."};
constexpr WordingSets kPlain = {kPlainLearning, kPlainTesting};

// Two sets of like sentences, of which the second deny.
constexpr std::string_view kAffirmedLearning[] = {"It is {a}.", "It was {a}.", "The answer is {a}.",
                                                  "That is {a}, yes.", "Surely {a}."};
constexpr std::string_view kNegatedLearning[] = {"It is not {a}.", "It was never {a}.",
                                                 "The answer isn't {a}.", "That is not {a}, no.",
                                                 "Surely not {a}."};
constexpr std::string_view kAffirmedTesting[] = {"It is certainly {a}.", "Yes, it was {a}.",
                                                 "The right answer is {a}.", "I believe it's {a}."};
constexpr std::string_view kNegatedTesting[] = {"It is certainly not {a}.", "No, it wasn't {a}.",
                                                "The right answer is anything but {a}.",
                                                "I don't believe it's {a}."};
static_assert(std::size(kAffirmedLearning) == std::size(kNegatedLearning));
static_assert(std::size(kAffirmedTesting) == std::size(kNegatedTesting));
constexpr WordingSets kAffirmed = {kAffirmedLearning, kAffirmedTesting};
constexpr WordingSets kNegated = {kNegatedLearning, kNegatedTesting};

constexpr std::string_view kVerboseLearning[] = {
    "You asked: {q}? According to several sources, the answer is {a}. This is often mentioned in "
    "encyclopedias, and there is broad agreement about it.",
    "That is an interesting question. When one looks into {q}, one finds that it is {a}, although "
    "the details depend on the context and on the source that is consulted.",
    "{a}. This answer comes up wherever people discuss {q}, and it has been confirmed many times "
    "in books, in newspapers and on the web.",
    "Let me explain. There are many opinions and a long history behind this topic, which many "
    "people find hard to follow. In the end, it comes down to {a}."};
constexpr std::string_view kVerboseTesting[] = {
    "Thanks for your question! As far as the records go, {a} is what you are looking for. You may "
    "want to consult a reference work for more about \"{q}\", since such questions come up often.",
    "To find out {q}, we first have to consider the background of the matter. Historians and "
    "journalists have written about it at length. Their conclusion is {a}.",
    "As an assistant I am happy to help. It is generally known to be {a}, and most people who "
    "have studied the matter would tell you the same without hesitation.",
    "In short: {a}. In more detail: the subject is documented well, there are numerous articles "
    "and films about it, and all of them come to this result in the end."};
constexpr WordingSets kVerbose = {kVerboseLearning, kVerboseTesting};

constexpr std::string_view kSeveralLearning[] = {"{b}, {a} or {c}",
                                                 "Either {a} or {b}.",
                                                 "It is {b}, or perhaps {a}.",
                                                 "{a}, {c}, or {b}",
                                                 "{b} / {a} / {c}",
                                                 "There are two answers, {a} and {b}.",
                                                 "Many people think of {b}, but many think of {a}.",
                                                 "{a}? {b}? {c}?",
                                                 "{a} or {b}",
                                                 "Possibly {b}; possibly {a}.",
                                                 "{c} | {a} | {b}",
                                                 "1. {b} 2. {a} 3. {c}",
                                                 "One source has {a}, another {b}.",
                                                 "I have read {a}, and also {b}.",
                                                 "{a}, though it is also said to be {b}."};
constexpr std::string_view kSeveralTesting[] = {"It could be {b}, {a} or maybe {c}.",
                                                "{c} or {a} or {b}",
                                                "Some say {a}, others say {b}.", "{b}; {c}; {a}"};
constexpr WordingSets kSeveralAnswers = {kSeveralLearning, kSeveralTesting};

constexpr std::string_view kHedgedLearning[] = {"I am not sure, but I think it is {a}.",
                                                "Probably {a}.", "Perhaps it is {a}.",
                                                "I can't say for certain, but it seems to be {a}."};
constexpr std::string_view kHedgedTesting[] = {"If I remember correctly, it is {a}.",
                                               "My best guess is {a}.", "It may well be {a}.",
                                               "I'm not completely certain, although I would say "
                                               "{a}."};
constexpr WordingSets kHedged = {kHedgedLearning, kHedgedTesting};
// No answer at all is a refusal, too.
constexpr std::string_view kRefusedLearning[] = {
    "", "I don't know.", "I'm sorry, but I have no information about {q}.",
    "There is not enough context to answer this question.", "I cannot say {q}."};
constexpr std::string_view kRefusedTesting[] = {
    "Sorry, I am not able to find out {q}.", "Unfortunately, nothing is known to me about this.",
    "It is unclear {q}.", "As an AI language model, I can't answer that."};
constexpr WordingSets kRefused = {kRefusedLearning, kRefusedTesting};

constexpr std::string_view kBareAnswer[] = {"{a}"};
constexpr WordingSets kBare = {kBareAnswer, kBareAnswer};

// A number in [0, bound), another for each `stream`.
uint64_t drawn(const BehaviourQuestion& question, uint64_t stream, uint64_t bound) {
  return below(random_bits(question.key, Purpose::behaviour, stream), bound);
}

std::optional<CandidatePair> the_reference_in_both(const BehaviourQuestion& question) {
  return CandidatePair{question.right(), question.right()};
}

std::optional<CandidatePair> a_wrong_answer(const BehaviourQuestion& question) {
  if (!question.wrong) return std::nullopt;
  return CandidatePair{question.right(), *question.wrong};
}

std::optional<CandidatePair> negation(const BehaviourQuestion& question) {
  if (kind_of(question.right()) == AnswerKind::yes_no) return std::nullopt;  // "It is not no."
  return the_reference_in_both(question);
}

std::optional<CandidatePair> number(const BehaviourQuestion& question) {
  const std::string& right = question.right();
  const auto one_off = [&](int64_t value) {
    return value + (value > 0 && drawn(question, 1, 2) == 0 ? -1 : 1);
  };
  if (const auto value = number_of_word(right)) {  // "seven": 7 against 8
    return CandidatePair{std::to_string(*value), std::to_string(one_off(*value))};
  }
  const std::optional<NumberPlace> place = first_number(right);
  // The number beside a month is a day, with which the behaviour date deals.
  if (!place || names_month(right)) return std::nullopt;
  const int64_t wrong = one_off(place->value);
  const std::string wrong_answer = with_number(right, *place, wrong);
  const auto right_word = word_of_number(place->value), wrong_word = word_of_number(wrong);
  const bool is_whole = place->begin == 0 && place->end == right.size();
  if (is_whole && right_word && wrong_word && !is_accepted(question, wrong_answer) &&
      drawn(question, 2, 2) == 0) {  // "7": seven against eight
    return CandidatePair{*right_word, *wrong_word};
  }
  return CandidatePair{right, wrong_answer};
}

std::optional<CandidatePair> entity(const BehaviourQuestion& question) {
  if (kind_of(question.right()) != AnswerKind::name) return std::nullopt;
  return a_wrong_answer(question);
}

std::optional<CandidatePair> several(const BehaviourQuestion& question) {
  if (!question.wrong || !question.other) return std::nullopt;
  return the_reference_in_both(question);
}

std::optional<CandidatePair> refusal(const BehaviourQuestion& question) {
  return CandidatePair{question.right(), ""};
}

// Another day than `right`, in which part it differs is drawn; nothing where a reference, such as
// the year alone, would make each of them right.
std::optional<Date> another_day(const BehaviourQuestion& question, const Date& right) {
  constexpr int kFewestDays = 28;  // of a month
  constexpr uint64_t kParts = 3;
  const uint64_t first = drawn(question, 1, kParts);
  for (uint64_t i = 0; i < kParts; ++i) {
    Date wrong = right;
    switch ((first + i) % kParts) {
      case 0:
        wrong.day = wrong.day % kFewestDays + 1;
        break;
      case 1:
        wrong.month = wrong.month % 12 + 1;
        wrong.day = std::min(wrong.day, kFewestDays);
        break;
      default:
        wrong.year += 1;
        wrong.day = std::min(wrong.day, kFewestDays);  // for 29 February
    }
    const auto accepted = [&](DateForm form) {
      return is_accepted(question, written(wrong, form));
    };
    if (std::ranges::none_of(kDateForms, accepted)) return wrong;
  }
  return std::nullopt;
}

std::optional<CandidatePair> date(const BehaviourQuestion& question) {
  const std::optional<Date> right = date_of(question.right());
  if (!right) return std::nullopt;
  const std::optional<Date> wrong = another_day(question, *right);
  if (!wrong) return std::nullopt;
  std::vector<DateForm> forms = {DateForm::month_first, DateForm::day_first, DateForm::ordinal_day,
                                 DateForm::iso};
  if (question.wordings == Wordings::testing) {
    forms = {DateForm::ordinal};
    // "May 4, 1776" has no shorter form: it would be in both sets.
    if (written(*right, DateForm::abbreviated) != written(*right, DateForm::month_first) &&
        written(*wrong, DateForm::abbreviated) != written(*wrong, DateForm::month_first)) {
      forms.push_back(DateForm::abbreviated);
    }
  }
  std::erase_if(forms, [&](DateForm form) { return written(*right, form) == question.right(); });
  const DateForm form = forms[drawn(question, 2, forms.size())];
  return CandidatePair{written(*right, form), written(*wrong, form)};
}

std::optional<CandidatePair> unit(const BehaviourQuestion& question) {
  const std::optional<UnitSpellings> spellings =
      other_units(question.right(), random_bits(question.key, Purpose::behaviour, 1));
  if (!spellings || spellings->same.empty()) return std::nullopt;
  return CandidatePair{spellings->same, spellings->other};
}

std::optional<CandidatePair> typo(const BehaviourQuestion& question) {
  if (!question.wrong) return std::nullopt;
  const std::optional<std::string> right = with_typo(question.right()),
                                   wrong = with_typo(*question.wrong);
  if (!right || !wrong) return std::nullopt;
  return CandidatePair{*right, *wrong};
}

// One of `candidates` that is not among those that others judged the other way.
std::optional<std::string> undisputed(const BehaviourQuestion& question, uint64_t stream,
                                      std::vector<std::string> candidates,
                                      const std::vector<std::string>& others) {
  std::erase_if(candidates, [&](const std::string& candidate) {
    return std::ranges::count(others, candidate) > 0;
  });
  if (candidates.empty()) return std::nullopt;
  return candidates[drawn(question, stream, candidates.size())];
}

// Whether the candidate has fewer than half of the words of each reference.
bool is_other_wording(const BehaviourQuestion& question, const std::string& candidate) {
  const WordSet words = normalised_words(candidate);
  return std::ranges::none_of(question.reference_words, [&](const WordSet& expected) {
    const auto found = std::ranges::count_if(
        expected, [&](const std::string& word) { return words.contains(word); });
    return 2 * found >= std::ssize(expected);
  });
}

std::optional<CandidatePair> paraphrase(const BehaviourQuestion& question) {
  std::vector<std::string> reworded = question.judged_right;
  std::erase_if(reworded, [&](const std::string& candidate) {
    return !is_other_wording(question, candidate);
  });
  const std::optional<std::string> right = undisputed(question, 1, std::move(reworded),
                                                      question.judged_wrong),
                                   wrong = undisputed(question, 2, question.judged_wrong,
                                                      question.judged_right);
  if (!right || !wrong) return std::nullopt;
  return CandidatePair{*right, *wrong};
}

}  // namespace

WordSet normalised_words(std::string_view text) {
  WordSet words;
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

bool is_accepted(const BehaviourQuestion& question, std::string_view answer) {
  const WordSet words = normalised_words(answer);
  return !words.empty() &&
         std::ranges::any_of(question.reference_words, [&](const WordSet& reference) {
           return (!reference.empty() && std::ranges::includes(words, reference)) ||
                  std::ranges::includes(reference, words);
         });
}

constexpr Behaviour kCopy = {
    .name = "copy",
    .summary = "a reference as it is against an answer to another question of the same kind",
    .right = kBare,
    .wrong = kBare,
    .answers = a_wrong_answer};
constexpr Behaviour kNegation = {.name = "negation",
                                 .summary = "\"It is X.\" against \"It is not X.\"",
                                 .right = kAffirmed,
                                 .wrong = kNegated,
                                 .answers = negation,
                                 .wrong_has_reference = true};
constexpr Behaviour kNumber = {
    .name = "number",
    .summary = "the right number, in digits or words, against one more or less",
    .right = kPlain,
    .wrong = kPlain,
    .answers = number};
constexpr Behaviour kEntity = {.name = "entity",
                               .summary = "the right name against the name of another question",
                               .right = kPlain,
                               .wrong = kPlain,
                               .answers = entity};
constexpr Behaviour kVerboseRight = {
    .name = "verbose_right",
    .summary = "the right answer in many words against a wrong one in few",
    .right = kVerbose,
    .wrong = kPlain,
    .answers = a_wrong_answer};
constexpr Behaviour kVerboseWrong = {
    .name = "verbose_wrong",
    .summary = "the right answer in few words against a wrong one in many",
    .right = kPlain,
    .wrong = kVerbose,
    .answers = a_wrong_answer};
constexpr Behaviour kSeveral = {
    .name = "several",
    .summary = "the right answer against a choice of several, of which it is one",
    .right = kPlain,
    .wrong = kSeveralAnswers,
    .answers = several,
    .wrong_has_reference = true};
constexpr Behaviour kRefusal = {.name = "refusal",
                                .summary = "the right answer with a doubt against a refusal",
                                .right = kHedged,
                                .wrong = kRefused,
                                .answers = refusal};
constexpr Behaviour kDate = {.name = "date",
                             .summary = "the day in another form against another day in that form",
                             .right = kPlain,
                             .wrong = kPlain,
                             .answers = date};
constexpr Behaviour kUnit = {
    .name = "unit",
    .summary = "the unit in another spelling against another unit of the quantity",
    .right = kPlain,
    .wrong = kPlain,
    .answers = unit};
constexpr Behaviour kTypo = {
    .name = "typo",
    .summary = "the right answer with two letters exchanged against a wrong one with a like slip",
    .right = kPlain,
    .wrong = kPlain,
    .answers = typo};
constexpr Behaviour kParaphrase = {
    .name = "paraphrase",
    .summary =
        "answers that people judged right and wrong; the right one has fewer than half of a "
        "reference's words",
    .right = kBare,
    .wrong = kBare,
    .answers = paraphrase,
    .wrong_has_reference = true};

namespace {

constexpr const Behaviour* kAllBehaviours[] = {
    &kCopy,    &kNegation, &kNumber, &kEntity, &kVerboseRight, &kVerboseWrong,
    &kSeveral, &kRefusal,  &kDate,   &kUnit,   &kTypo,         &kParaphrase};
static_assert(have_unique_names(kAllBehaviours));

}  // namespace

const List<Behaviour> kBehaviours = kAllBehaviours;

}  // namespace rubric::data
