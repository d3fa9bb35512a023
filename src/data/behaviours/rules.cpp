#include "data/behaviours/rules.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/random.h"
#include "core/text/ascii.h"
#include "data/behaviours/answer_parts.h"

namespace rubric::data {

namespace {

using Sentences = std::span<const std::string_view>;

// {a} is an answer, {b} and {c} are answers to other questions, {q} is
// the question.
struct WordingSets {
  Sentences learning, testing;
};

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
                                                 "{a}? {b}? {c}?"};
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
constexpr std::string_view kRefusedLearning[] = {
    "I don't know.", "I'm sorry, but I have no information about {q}.",
    "There is not enough context to answer this question.", "I cannot say {q}."};
constexpr std::string_view kRefusedTesting[] = {
    "Sorry, I am not able to find out {q}.", "Unfortunately, nothing is known to me about this.",
    "It is unclear {q}.", "As an AI language model, I can't answer that."};
constexpr WordingSets kRefused = {kRefusedLearning, kRefusedTesting};

// A number in [0, bound), another for each `stream`.
uint64_t drawn(const BehaviourQuestion& question, uint64_t stream, uint64_t bound) {
  return below(random_bits(question.key, Purpose::behaviour, stream), bound);
}

std::string_view sentence(const WordingSets& sets, const BehaviourQuestion& question) {
  const Sentences sentences =
      question.wordings == Wordings::learning ? sets.learning : sets.testing;
  return sentences[drawn(question, 0, sentences.size())];
}

std::string filled(std::string_view sentence, const BehaviourQuestion& question,
                   const std::string& answer) {
  std::string text(sentence);
  // A full stop may stand at an answer's end already.
  if (answer.ends_with('.')) replace_all(text, "{a}.", "{a}");
  replace_all(text, "{q}", question.question);
  replace_all(text, "{b}", question.wrong);
  replace_all(text, "{c}", question.other);
  replace_all(text, "{a}", answer);
  return text;
}

std::string worded(const WordingSets& sets, const BehaviourQuestion& question,
                   const std::string& answer) {
  return filled(sentence(sets, question), question, answer);
}

// Both in the same words.
CandidatePair plain_pair(const BehaviourQuestion& question, const std::string& right,
                         const std::string& wrong) {
  return {worded(kPlain, question, right), worded(kPlain, question, wrong)};
}

std::optional<CandidatePair> negation(const BehaviourQuestion& question) {
  return CandidatePair{worded(kAffirmed, question, question.right),
                       worded(kNegated, question, question.right)};
}

std::optional<CandidatePair> number(const BehaviourQuestion& question) {
  const std::optional<NumberPlace> place = first_number(question.right);
  if (!place) return std::nullopt;
  const int64_t off = place->value > 0 && drawn(question, 1, 2) == 0 ? -1 : 1;
  const std::string wrong = with_number(question.right, *place, place->value + off);
  if (std::ranges::count(question.references, wrong) > 0) return std::nullopt;
  return plain_pair(question, question.right, wrong);
}

std::optional<CandidatePair> entity(const BehaviourQuestion& question) {
  if (kind_of(question.right) != AnswerKind::name) return std::nullopt;
  return plain_pair(question, question.right, question.wrong);
}

std::optional<CandidatePair> verbose_right(const BehaviourQuestion& question) {
  return CandidatePair{worded(kVerbose, question, question.right),
                       worded(kPlain, question, question.wrong)};
}

std::optional<CandidatePair> verbose_wrong(const BehaviourQuestion& question) {
  return CandidatePair{worded(kPlain, question, question.right),
                       worded(kVerbose, question, question.wrong)};
}

std::optional<CandidatePair> several(const BehaviourQuestion& question) {
  return CandidatePair{worded(kPlain, question, question.right),
                       worded(kSeveralAnswers, question, question.right)};
}

std::optional<CandidatePair> refusal(const BehaviourQuestion& question) {
  return CandidatePair{worded(kHedged, question, question.right),
                       worded(kRefused, question, question.right)};
}

std::optional<CandidatePair> date(const BehaviourQuestion& question) {
  const std::optional<Date> right = date_of(question.right);
  if (!right) return std::nullopt;
  constexpr int kFewestDays = 28;  // of a month
  Date wrong = *right;
  // Another reference may be the year alone, which a wrong day would leave right.
  switch (question.references.size() > 1 ? 2 : drawn(question, 1, 3)) {
    case 0:
      wrong.day = wrong.day % kFewestDays + 1;
      break;
    case 1:
      wrong.month = wrong.month % 12 + 1;
      wrong.day = std::min(wrong.day, kFewestDays);
      break;
    default:
      wrong.year += 1;
  }
  std::vector<DateForm> forms = {DateForm::month_first, DateForm::day_first, DateForm::iso};
  if (question.wordings == Wordings::testing) forms = {DateForm::ordinal, DateForm::abbreviated};
  std::erase_if(forms, [&](DateForm form) { return written(*right, form) == question.right; });
  const DateForm form = forms[drawn(question, 2, forms.size())];
  return plain_pair(question, written(*right, form), written(wrong, form));
}

std::optional<CandidatePair> unit(const BehaviourQuestion& question) {
  const std::optional<UnitSpellings> spellings =
      other_units(question.right, random_bits(question.key, Purpose::behaviour, 1));
  if (!spellings || spellings->same.empty()) return std::nullopt;
  return plain_pair(question, spellings->same, spellings->other);
}

std::optional<CandidatePair> typo(const BehaviourQuestion& question) {
  const std::optional<std::string> right = with_typo(question.right),
                                   wrong = with_typo(question.wrong);
  if (!right || !wrong) return std::nullopt;
  return plain_pair(question, *right, *wrong);
}

std::optional<CandidatePair> paraphrase(const BehaviourQuestion& question) {
  const auto one_of = [&](const std::vector<std::string>& candidates, uint64_t stream) {
    return candidates[drawn(question, stream, candidates.size())];
  };
  if (question.judged_right.empty() || question.judged_wrong.empty()) return std::nullopt;
  return CandidatePair{one_of(question.judged_right, 1), one_of(question.judged_wrong, 2)};
}

}  // namespace

constexpr Behaviour kNegation = {
    .name = "negation", .summary = "\"It is X.\" against \"It is not X.\"", .make = negation};
constexpr Behaviour kNumber = {
    .name = "number", .summary = "the right number against one more or less", .make = number};
constexpr Behaviour kEntity = {.name = "entity",
                               .summary = "the right name against the name of another question",
                               .make = entity};
constexpr Behaviour kVerboseRight = {
    .name = "verbose_right",
    .summary = "the right answer in many words against a wrong one in few",
    .make = verbose_right};
constexpr Behaviour kVerboseWrong = {
    .name = "verbose_wrong",
    .summary = "the right answer in few words against a wrong one in many",
    .make = verbose_wrong};
constexpr Behaviour kSeveral = {
    .name = "several",
    .summary = "the right answer against a choice of several, of which it is one",
    .make = several};
constexpr Behaviour kRefusal = {.name = "refusal",
                                .summary = "the right answer with a doubt against a refusal",
                                .make = refusal};
constexpr Behaviour kDate = {.name = "date",
                             .summary = "the day in another form against another day in that form",
                             .make = date};
constexpr Behaviour kUnit = {
    .name = "unit",
    .summary = "the unit in another spelling against another unit of the quantity",
    .make = unit};
constexpr Behaviour kTypo = {
    .name = "typo",
    .summary = "the right answer with two letters exchanged against a wrong one with a like slip",
    .make = typo};
constexpr Behaviour kParaphrase = {
    .name = "paraphrase",
    .summary =
        "answers that people judged right and wrong; the right one has fewer than half of a "
        "reference's words",
    .make = paraphrase};

namespace {

constexpr const Behaviour* kAllBehaviours[] = {
    &kNegation, &kNumber, &kEntity, &kVerboseRight, &kVerboseWrong, &kSeveral,
    &kRefusal,  &kDate,   &kUnit,   &kTypo,         &kParaphrase};
static_assert(have_unique_names(kAllBehaviours));

}  // namespace

const List<Behaviour> kBehaviours = kAllBehaviours;

}  // namespace rubric::data
