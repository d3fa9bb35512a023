#include "metrics/ngram/answer_features.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include "core/text/ascii.h"
#include "metrics/ngram/nearest_references.h"
#include "metrics/ngram/refusals.h"
#include "metrics/ngram/squad.h"
#include "metrics/ngram/words.h"
#include "text/bare_answers.h"
#include "text/quantities.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {

struct ComparedText {
  std::string text = {};                // of text::normalize_quantities(), or text::keep_articles()
  std::string written = {};             // of normalize_answer(), or text::keep_articles()
  std::string spelt = {};               // words with the marks inside: 20,000 is not 20000
  bool keeps_articles = false;          // the latter, because the former is empty
  std::vector<std::string> words = {};  // of it, in its order
  std::set<std::string> known = {};     // the words, each once
  std::set<std::string> values = {};    // words with digits, ranges among them
  std::set<std::string> trigrams = {};  // each run of three bytes of the text between two blanks
};

namespace {

// Of texts with articles and punctuation, `written` is `text`.
ComparedText divided(std::string text, std::string written) {
  ComparedText result{.text = std::move(text), .written = std::move(written)};
  if (result.text.empty()) return result;
  split_at_spaces(result.text, [&](std::string_view word) { result.words.emplace_back(word); });
  result.known = {result.words.begin(), result.words.end()};
  constexpr size_t kRun = 3;
  const std::string padded = " " + result.text + " ";  // a text of one byte has a run, too
  for (size_t i = 0; i + kRun <= padded.size(); ++i) result.trigrams.insert(padded.substr(i, kRun));
  return result;
}

bool has_digit(std::string_view text) {
  return std::ranges::any_of(text, is_ascii_digit);
}

// A number, or letters with a sign: "o+", "c#".
bool is_value(std::string_view word) {
  return has_digit(word) || (word.size() > 1 && std::string_view("+-#").find(word.back()) < 3) ||
         word.ends_with("\u266d");
}

// A candidate as it is compared with these references, normalised; other texts have none.
ComparedText compared(std::string_view text, std::span<const std::string> references = {}) {
  const std::string normalised = text::normalize_quantities(text);
  const std::string bare = text::keep_articles(text);
  if (!normalised.empty()) {
    ComparedText result =
        divided(text::compared_quantities(normalised, references), text::normalize_answer(text));
    split_at_spaces(references.empty() ? normalised : result.text, [&](std::string_view word) {
      if (is_value(word)) result.values.emplace(word);
    });
    split_at_spaces(bare, [&](std::string_view word) {
      if (word == "a" || word == "an" || word == "the") return;
      if (!result.spelt.empty()) result.spelt += " ";
      result.spelt += word;
    });
    return result;
  }
  ComparedText result = divided(bare, bare);
  result.keeps_articles = true;
  return result;
}

}  // namespace

// A reference and the candidate as it is compared with it.
struct ComparedPair {
  const ComparedText *reference, *candidate;
};

struct ComparedAnswer {
  ComparedText candidate;
  const std::set<std::string>& question_words;
  bool has_no_answer = false;    // the one reference is ""
  bool answers_nothing = false;  // metrics/ngram/refusals.h
  // Nearest first, without empty ones and those equal to a nearer one (nearest_references()): two
  // forms of one day are two references.
  std::vector<ComparedPair> pairs = {};
};

namespace {

double share(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The share of the words that are in `known`.
double share_in(const std::vector<std::string>& words, const std::set<std::string>& known) {
  return share(static_cast<size_t>(std::ranges::count_if(
                   words, [&](const std::string& word) { return known.contains(word); })),
               words.size());
}

// Grows with the logarithm of the count and is 1 from 511 on.
double bounded_count(size_t count) {
  return std::min(1.0, std::log2(1 + static_cast<double>(count)) / 9);
}

// The best score(candidate, reference).
template <class Score>
double best_reference(const ComparedAnswer& answer, const Score& score) {
  double best = 0;
  for (const auto& [reference, candidate] : answer.pairs) {
    best = std::max(best, score(*candidate, *reference));
  }
  return best;
}

WordOverlap overlap(const ComparedText& candidate, const ComparedText& reference) {
  return word_overlap(candidate.text, reference.text);
}

double f1_feature(const ComparedAnswer& answer) {
  if (answer.has_no_answer) return answer.candidate.text.empty() ? 1 : 0;
  return best_reference(answer, [](const ComparedText& candidate, const ComparedText& reference) {
    return f1_of(overlap(candidate, reference));
  });
}

bool contains_words(const std::string& text, const std::string& words) {
  return !words.empty() && (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

double contains_feature(const ComparedAnswer& answer) {
  return best_reference(answer, [](const ComparedText& candidate, const ComparedText& reference) {
    return contains_words(candidate.text, reference.text) ? 1.0 : 0.0;
  });
}

// contains_feature() of the texts with their numbers as they are written.
double contains_written(const ComparedAnswer& answer) {
  return best_reference(answer, [](const ComparedText& candidate, const ComparedText& reference) {
    return contains_words(candidate.written, reference.written) ? 1.0 : 0.0;
  });
}

double other_form_feature(const ComparedAnswer& answer) {
  const auto contains_number = [](const ComparedText& candidate, const ComparedText& reference) {
    const bool has_value = std::ranges::any_of(reference.words, is_value);
    return has_value && contains_words(candidate.text, reference.text) ? 1.0 : 0.0;
  };
  const auto contains_spelt = [](const ComparedText& candidate, const ComparedText& reference) {
    return contains_words(candidate.spelt, reference.spelt) ? 1.0 : 0.0;
  };
  return std::max(0.0,
                  best_reference(answer, contains_number) - best_reference(answer, contains_spelt));
}

// Whether the candidate has the digits of a number that it lacks in another order.
bool has_another_order(const ComparedText& candidate, const ComparedText& reference) {
  return std::ranges::any_of(reference.values, [&](const std::string& number) {
    return !contains_words(candidate.text, text::parted(number)) &&
           std::ranges::any_of(candidate.values, [&](const std::string& other) {
             return !reference.known.contains(other) && text::are_other_orders(number, other);
           });
  });
}

double other_value_feature(const ComparedAnswer& answer) {
  const auto has_other_order = [](const ComparedText& candidate, const ComparedText& reference) {
    return has_another_order(candidate, reference) ? 1.0 : 0.0;
  };
  return std::max(0.0, std::max(contains_written(answer), best_reference(answer, has_other_order)) -
                           contains_feature(answer));
}

double recall_feature(const ComparedAnswer& answer) {
  return best_reference(answer, [](const ComparedText& candidate, const ComparedText& reference) {
    return recall_of(overlap(candidate, reference));
  });
}

double new_words_feature(const ComparedAnswer& answer) {
  return best_reference(answer, [&](const ComparedText& candidate, const ComparedText& reference) {
    std::vector<std::string> fresh;
    std::ranges::copy_if(reference.words, std::back_inserter(fresh), [&](const std::string& word) {
      return !answer.question_words.contains(word);
    });
    return share_in(fresh.empty() ? reference.words : fresh, candidate.known);
  });
}

double characters_feature(const ComparedAnswer& answer) {
  return best_reference(answer, [](const ComparedText& candidate, const ComparedText& reference) {
    const auto found = std::ranges::count_if(reference.trigrams, [&](const std::string& run) {
      return candidate.trigrams.contains(run);
    });
    return share(static_cast<size_t>(found), reference.trigrams.size());
  });
}

std::vector<std::string> numbers_of(const ComparedText& text) {
  std::vector<std::string> numbers;
  std::ranges::copy_if(text.words, std::back_inserter(numbers), is_value);
  return numbers;
}

std::vector<std::string> nearest_numbers(const ComparedAnswer& answer) {
  return answer.pairs.empty() ? std::vector<std::string>{}
                              : numbers_of(*answer.pairs.front().reference);
}

double missing_numbers_feature(const ComparedAnswer& answer) {
  const std::vector<std::string> numbers = nearest_numbers(answer);
  return numbers.empty() ? 0 : 1 - share_in(numbers, answer.candidate.known);
}

double has_numbers_feature(const ComparedAnswer& answer) {
  return nearest_numbers(answer).empty() ? 0 : 1;
}

double wrong_numbers_feature(const ComparedAnswer& answer) {
  if (missing_numbers_feature(answer) == 0) return 0;  // "May 8, 1945" for 1945 only says more
  const std::vector<std::string> numbers = numbers_of(answer.candidate);
  if (numbers.empty()) return other_value_feature(answer);  // "O" for "O-"
  const auto is_wrong = [&](const std::string& number) {
    return !answer.question_words.contains(number) &&
           std::ranges::none_of(answer.pairs, [&](const ComparedPair& pair) {
             return pair.reference->known.contains(number);
           });
  };
  return share(static_cast<size_t>(std::ranges::count_if(numbers, is_wrong)), numbers.size());
}

double question_words_feature(const ComparedAnswer& answer) {
  return share_in(answer.candidate.words, answer.question_words);
}

double candidate_length_feature(const ComparedAnswer& answer) {
  return bounded_count(answer.candidate.words.size());
}

double reference_length_feature(const ComparedAnswer& answer) {
  return answer.pairs.empty() ? 0 : bounded_count(answer.pairs.front().reference->words.size());
}

double references_feature(const ComparedAnswer& answer) {
  return bounded_count(answer.pairs.size());
}

double no_answer_feature(const ComparedAnswer& answer) {
  return answer.answers_nothing ? 1 : 0;
}

constexpr AnswerFeature kEach[] = {
    {"f1", "token F1 with the best reference (score f1 of these texts)", f1_feature},
    {"recall", "share of a reference's words that the candidate has (score recall of these texts)",
     recall_feature},
    {"contains",
     "whether the candidate has a reference's words consecutively (score contains of these texts)",
     contains_feature},
    {"other_form",
     "whether contains is 1 of a reference with a number, time, day or sign that no reference has "
     "in the candidate's form: half past nine for 9:30, 20000 for 20,000",
     other_form_feature},
    {"other_value",
     "whether contains is 0, and the candidate has the digits of a number that it lacks in another "
     "order, 1-3 for 3-1, or contains would be 1 if numbers, times and days kept the form in which "
     "they are written and lost their points and signs: 314 for 3.14",
     other_value_feature},
    {"new_words", "share of a reference's words, but those of the question, that the candidate has",
     new_words_feature},
    {"characters",
     "share of a reference's runs of three bytes, blanks at its ends included, that the candidate "
     "has",
     characters_feature},
    {"missing_numbers", "share of the nearest reference's numbers that the candidate lacks",
     missing_numbers_feature},
    {"has_numbers", "whether the nearest reference has a number", has_numbers_feature},
    {"wrong_numbers",
     "share of the candidate's numbers that neither a reference nor the question has, and "
     "other_value where it has none; 0 where the candidate has all numbers of the nearest "
     "reference or that has none",
     wrong_numbers_feature},
    {"question_words", "share of the candidate's words that the question has",
     question_words_feature},
    {"candidate_length", "logarithm of the candidate's number of words", candidate_length_feature},
    {"reference_length", "logarithm of the nearest reference's number of words",
     reference_length_feature},
    {"references", "logarithm of the number of references", references_feature},
    {"no_answer",
     "whether the candidate is empty or a refusal, and no reference is or says \"unknown\"; the "
     "score is then the lowest, by rule",
     no_answer_feature, true}};

constexpr struct AllFeatures {
  const AnswerFeature* all[std::size(kEach)] = {};
  constexpr AllFeatures() {
    for (size_t i = 0; i < std::size(kEach); ++i) all[i] = &kEach[i];
  }
} kAll;
static_assert(have_unique_names(kAll.all));

// The shares of the reference's words and of the candidate's words that are the other's, too.
std::pair<double, double> nearness(const ComparedText& candidate, const ComparedText& reference) {
  const WordOverlap both = overlap(candidate, reference);
  return {both.common / std::max(1.0, both.reference), both.common / std::max(1.0, both.candidate)};
}

}  // namespace

const List<AnswerFeature> kAnswerFeatures = kAll.all;

void require_features_version(int64_t version, const std::string& where) {
  if (version == kFeaturesVersion) return;
  throw InputError("the model reads features of version " + std::to_string(version) +
                       ", this rubric computes version " + std::to_string(kFeaturesVersion),
                   where, "train the model again, or score with the rubric that trained it");
}

std::vector<const AnswerFeature*> require_features(std::span<const std::string> names,
                                                   const std::string& where) {
  std::vector<const AnswerFeature*> features;
  for (const std::string& name : names) {
    const AnswerFeature* const feature = &require(kAnswerFeatures, name, "feature", where);
    if (std::ranges::count(features, feature) > 0) {
      throw InputError("the feature \"" + name + "\" is listed twice", where, "name it once");
    }
    features.push_back(feature);
  }
  return features;
}

struct ComparedReferences::Texts {
  explicit Texts(const data::Answer& answer)
      : given(answer.references),
        order(answer.references),
        question_words(compared(answer.question).known) {
    for (const std::string& reference : answer.references) {
      references.push_back(compared(reference));
      normalised.push_back(text::normalize_quantities(reference));
    }
  }

  std::vector<std::string> given;
  ReferenceOrder order;
  std::vector<ComparedText> references;  // in the order of the answer
  std::vector<std::string> normalised;   // the same, as text::normalize_quantities() writes them
  std::set<std::string> question_words;
};

ComparedReferences::ComparedReferences(const data::Answer& answer,
                                       std::span<const AnswerFeature* const> features)
    : features_(features), texts_(features.empty() ? nullptr : new Texts(answer)) {}

ComparedReferences::~ComparedReferences() = default;

void ComparedReferences::append_features(std::string_view candidate,
                                         std::vector<float>& values) const {
  if (features_.empty()) return;
  const std::vector<std::string>& given = texts_->given;
  // A candidate that says that there is no answer is compared with the references that do so alone.
  const bool is_rejected = answers_nothing(given, candidate);
  const std::optional<std::string_view> same = same_refusal(given, candidate);
  candidate = same.value_or(candidate);
  const bool is_empty = !text::has_text(candidate);
  const bool has_empty = !std::ranges::all_of(given, text::has_text);
  const bool is_of_nothing = is_empty ? has_empty : same.has_value();
  if (is_empty) candidate = "";
  const auto is_compared = [&](const std::string& reference) {
    return !is_of_nothing || (is_empty ? !text::has_text(reference) : has_no_answer(reference));
  };
  ComparedAnswer answer{.candidate = compared(candidate, texts_->normalised),
                        .question_words = texts_->question_words,
                        .has_no_answer = is_of_nothing
                                             ? is_empty
                                             : given.size() == 1 && !text::has_text(given.front()),
                        .answers_nothing = is_rejected};
  std::list<ComparedText> with_articles;  // of the candidate
  for (const size_t i : texts_->order.nearest(candidate)) {
    const ComparedText& reference = texts_->references[i];
    if (reference.words.empty() || !is_compared(given[i])) continue;
    answer.pairs.push_back({&reference, &answer.candidate});
    if (!reference.keeps_articles) continue;
    const std::string bare = text::keep_articles(candidate, given[i]);
    answer.pairs.back().candidate = &with_articles.emplace_back(divided(bare, bare));
  }
  std::ranges::stable_sort(answer.pairs, std::greater<>(), [](const ComparedPair& pair) {
    return nearness(*pair.candidate, *pair.reference);
  });
  for (const AnswerFeature* feature : features_) {
    values.push_back(static_cast<float>(feature->value(answer)));
  }
}

void append_features(const data::Answer& answer, std::span<const AnswerFeature* const> features,
                     std::vector<float>& values) {
  ComparedReferences(answer, features).append_features(answer.candidate, values);
}

}  // namespace rubric::metrics
