#include "metrics/meteor/meteor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rubric::metrics {
namespace {

// Tuned for the ranking task of WMT, English; the default of METEOR 1.5.
constexpr double kAlpha = 0.85;  // weight of recall against precision
constexpr double kBeta = 0.2;    // the exponent of the penalty
constexpr double kGamma = 0.6;   // the largest penalty
constexpr double kDelta = 0.75;  // weight of content words against function words
constexpr std::array<double, kMeteorModules> kWeights = {1, 0.6, 0.8, 0.6};

// One side of an alignment: its words, and the matched words by module.
struct Side {
  int content = 0, function = 0;
  std::array<int, kMeteorModules> content_matched{}, function_matched{};

  int words() const { return content + function; }
  int matched() const {
    int sum = 0;
    for (const int count : content_matched) sum += count;
    for (const int count : function_matched) sum += count;
    return sum;
  }
  // The weighted share of matched words.
  double weighted_share() const {
    double matches = 0;
    for (size_t i = 0; i < kWeights.size(); ++i)
      matches += content_matched[i] * kWeights[i] * kDelta;
    for (size_t i = 0; i < kWeights.size(); ++i) {
      matches += function_matched[i] * kWeights[i] * (1 - kDelta);
    }
    return matches / (kDelta * content + (1 - kDelta) * function);
  }
};

void count_matched(const MeteorSentence& sentence, int start, int length, MeteorModule module,
                   Side& side) {
  for (int i = start; i < start + length; ++i) {
    auto& counts = sentence.words[static_cast<size_t>(i)]->is_function_word ? side.function_matched
                                                                            : side.content_matched;
    ++counts[static_cast<size_t>(module)];
  }
}

// Counts runs of matches that are consecutive in both sentences.
int count_chunks(const std::vector<MeteorMatch>& alignment) {
  int chunks = 0;
  const MeteorMatch* last = nullptr;
  for (const MeteorMatch& match : alignment) {
    if (last == nullptr || match.start != last->start + last->length ||
        match.candidate_start != last->candidate_start + last->candidate_length) {
      ++chunks;
    }
    last = &match;
  }
  return chunks;
}

double score_alignment(const MeteorSentence& candidate, const MeteorSentence& reference,
                       const std::vector<MeteorMatch>& alignment) {
  if (alignment.empty()) return 0;
  Side test{.content = candidate.size() - candidate.function_words,
            .function = candidate.function_words};
  Side target{.content = reference.size() - reference.function_words,
              .function = reference.function_words};
  for (const MeteorMatch& match : alignment) {
    count_matched(candidate, match.candidate_start, match.candidate_length, match.module, test);
    count_matched(reference, match.start, match.length, match.module, target);
  }
  const double f_mean =
      1 / ((1 - kAlpha) / test.weighted_share() + kAlpha / target.weighted_share());
  const int chunks = count_chunks(alignment);
  const bool is_whole =
      chunks == 1 && test.matched() == test.words() && target.matched() == target.words();
  const double fragmentation = is_whole ? 0 : chunks / ((test.matched() + target.matched()) / 2.0);
  return std::max(f_mean * (1 - kGamma * std::pow(fragmentation, kBeta)), 0.0);
}

}  // namespace

Meteor::Meteor(std::shared_ptr<const MeteorData> data)
    : data_(std::move(data)),
      lexicon_(*data_),
      matcher_(data_->paraphrases ? data_->paraphrases->word_count() : 0) {}

double Meteor::score(std::span<const std::string> references, std::string_view candidate) {
  if (lexicon_.forget_if_large()) reference_texts_.clear();
  if (!std::ranges::equal(references, reference_texts_)) {
    reference_texts_.clear();
    references_.resize(references.size());
    for (size_t i = 0; i < references.size(); ++i) lexicon_.read(references[i], references_[i]);
    reference_texts_.assign(references.begin(), references.end());
  }
  lexicon_.read(candidate, candidate_);
  matcher_.set_candidate(candidate_);
  double best = 0;
  for (const MeteorSentence& reference : references_) {
    matcher_.match(reference, matches_);
    best = std::max(best, score_alignment(candidate_, reference, aligner_.align(matches_)));
  }
  return best;
}

std::string meteor_settings(const MeteorData& data) {
  return std::string("1.5|case:lc|tok:norm|modules:exact,stem,synonym") +
         (data.paraphrases ? ",paraphrase" : "") + "|data:" + data.hash;
}

std::unique_ptr<AnswerMetric> make_meteor(const Settings& settings) {
  const auto data = std::make_shared<const MeteorData>(read_meteor_data(meteor_directory()));
  return make_sentence_metric(kMeteor.name, scorer_maker<Meteor>(data), settings,
                              "|" + meteor_settings(*data));
}

std::vector<std::filesystem::path> files_of_meteor() {
  return meteor_files(meteor_directory());
}

}  // namespace rubric::metrics
