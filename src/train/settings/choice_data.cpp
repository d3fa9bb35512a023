#include "train/settings/choice_data_part.h"

#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/system/signals.h"
#include "data/multiple_choice/boolq.h"
#include "train/settings/data_sources.h"
#include "data/multiple_choice/mctest.h"
#include "data/multiple_choice/multirc.h"
#include "data/multiple_choice/race.h"

namespace rubric {
namespace {

constexpr uint64_t kDevSeed = 0;    // the dev pairs are those of this seed whatever the run's
constexpr int64_t kDevUpdate = -1;  // and their order that of an update that no run makes

struct Format {
  const char* key;
  ChoiceSet (*read)(const std::filesystem::path& path);
};

constexpr Format kFormats[] = {{"questions.mctest.", read_mctest},
                               {"questions.race.", read_race},
                               {"questions.boolq.", read_boolq},
                               {"questions.multirc.", read_multirc}};

// Every question of the split "train" or "dev".
ChoiceSplit read_split(const TrainConfig& config, const std::string& name) {
  ChoiceSplit split;
  for (const auto& [key, path] : data_sources(config)) {
    for (const Format& format : kFormats) {
      if (key != format.key + name) continue;
      ChoiceSet set = format.read(path);
      split.questions.insert(split.questions.end(), std::make_move_iterator(set.questions.begin()),
                             std::make_move_iterator(set.questions.end()));
      for (const auto& [reason, count] : set.dropped) split.dropped[reason] += count;
    }
  }
  return split;
}

void drop_long_passages(ChoiceSplit& split, int64_t most, const Tokenizer& tokenizer) {
  std::optional<std::string> passage;  // of the question before, which often has the same
  std::vector<int64_t> ids;
  const auto is_long = [&](const ChoiceQuestion& question) {
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

int64_t total(const Dropped& dropped) {
  int64_t sum = 0;
  for (const auto& [reason, count] : dropped) sum += count;
  return sum;
}

std::string dropped_text(const Dropped& dropped) {
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

// All pairs in a row: each one's length does not depend on the order of its answers.
void measure(ChoiceSplit& split, const Tokenizer& tokenizer, const AnswerTemplate& input) {
  AnswerEncoder encoder(tokenizer, input);
  for (const ChoicePair& pair : split.pairs) {
    end_if_stop_requested();
    const ChoiceQuestion& question = split.questions[static_cast<size_t>(pair.question)];
    const Answer row = as_answer(question, pair, false);
    TokenBatch tokens;
    encoder.encode(row, row.references[0], tokens);
    split.lengths.push_back(tokens.length(0));
  }
  split.cut = encoder.truncated();
}

std::string describe_split(const char* name, const ChoiceSplit& split) {
  std::map<std::string, int64_t> sources;
  for (const ChoiceQuestion& question : split.questions) ++sources[question.source];
  std::vector<std::string> counts;
  for (const auto& [source, count] : sources)
    counts.push_back(source + " " + std::to_string(count));
  int64_t both = 0;
  for (size_t i = 0; i < split.pairs.size(); ++i) {
    const ChoiceQuestion& question = split.question_of(static_cast<int64_t>(i));
    both += label_of(question, split.pairs[i], false) == ChoiceLabel::both ? 1 : 0;
  }
  const int64_t tokens = std::accumulate(split.lengths.begin(), split.lengths.end(), int64_t{0});
  return std::string(name) + std::to_string(split.questions.size()) + " questions (" +
         join(counts) + "), " + std::to_string(split.pairs.size()) + " pairs (" +
         std::to_string(both) + " of two correct answers), " + std::to_string(tokens) +
         " tokens, " + std::to_string(split.cut) + " passages cut, " + dropped_text(split.dropped);
}

}  // namespace

ChoiceData load_choice_data(const TrainConfig& config, const Tokenizer& tokenizer) {
  const AnswerTemplate input = template_of(config.task, config.data.inputs, config.data.max_length,
                                           config.data.cut, "data.inputs");

  // 1. What is wrong with any file shows before one is tokenised.
  ChoiceData data{read_split(config, "train"), read_split(config, "dev")};

  // 2. The pairs.
  drop_long_passages(data.train, config.questions.max_passage, tokenizer);
  drop_long_passages(data.dev, config.questions.max_passage, tokenizer);
  data.train.pairs = choice_pairs(data.train.questions, static_cast<uint64_t>(config.seed));
  data.dev.pairs = choice_pairs(data.dev.questions, kDevSeed);
  require_pairs(data.train, "train");
  require_pairs(data.dev, "dev");

  // 3. That each of them fits.
  measure(data.train, tokenizer, input);
  measure(data.dev, tokenizer, input);
  return data;
}

ChoiceRows choice_rows(const ChoiceSplit& split, std::span<const int64_t> pairs, uint64_t seed,
                       int64_t update, const Tokenizer& tokenizer, const AnswerTemplate& input) {
  ChoiceRows rows;
  AnswerEncoder encoder(tokenizer, input);
  for (const int64_t place : pairs) {
    const ChoicePair& pair = split.pairs[static_cast<size_t>(place)];
    const ChoiceQuestion& question = split.question_of(place);
    const bool swapped = is_swapped(question, pair, seed, update, place);
    const Answer row = as_answer(question, pair, swapped);
    encoder.encode(row, row.references[0], rows.tokens);
    rows.labels.push_back(label_of(question, pair, swapped));
  }
  return rows;
}

ChoiceRows dev_rows(const ChoiceSplit& dev, const Tokenizer& tokenizer,
                    const AnswerTemplate& input) {
  std::vector<int64_t> all(dev.pairs.size());
  std::iota(all.begin(), all.end(), int64_t{0});
  return choice_rows(dev, all, kDevSeed, kDevUpdate, tokenizer, input);
}

std::string describe(const ChoiceData& data) {
  return describe_split("train: ", data.train) + "; " + describe_split("dev: ", data.dev);
}

}  // namespace rubric
