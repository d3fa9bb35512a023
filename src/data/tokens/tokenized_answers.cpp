#include "data/tokens/tokenized_answers.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/context.h"
#include "core/error.h"

namespace rubric::data {

std::vector<Answer> augment(std::vector<Answer> answers, const Augmentation& augmentation) {
  constexpr double kPerfect = 5;
  std::vector<Answer> added;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const Answer& answer : answers) {
    const std::string& reference = answer.references.front();
    if (augmentation.identity &&
        seen.emplace(answer.constituent, answer.passage, answer.question).second) {
      Answer identity = answer;
      identity.id += "#identity";
      identity.candidate = reference;
      identity.score = kPerfect;
      added.push_back(std::move(identity));
    }
    if (augmentation.swap && answer.score == kPerfect) {
      Answer swapped = answer;
      swapped.id += "#swapped";
      swapped.candidate = reference;
      swapped.references = {answer.candidate};
      added.push_back(std::move(swapped));
    }
  }
  answers.insert(answers.end(), std::make_move_iterator(added.begin()),
                 std::make_move_iterator(added.end()));
  return answers;
}

void require_scores(std::span<const Answer> answers, const std::string& file) {
  for (const Answer& answer : answers) {
    if (answer.score) continue;
    throw InputError("a row without a score cannot be trained or validated on",
                     record_place(file, answer),
                     "use a split with labels, or score the file instead");
  }
}

TokenizedAnswers tokenize_answers(std::span<const Answer> answers, const text::Tokenizer& tokenizer,
                                  const AnswerTemplate& answer_template, const std::string& file) {
  TokenizedAnswers tokenized;
  AnswerEncoder encoder(tokenizer, answer_template, file);
  require_scores(answers, file);
  for (const Answer& answer : answers) {
    end_if_stop_requested();
    const int64_t cut_before = encoder.truncated();
    encoder.encode(answer, answer.references.front(), tokenized.tokens);
    tokenized.truncated.push_back(encoder.truncated() > cut_before ? 1 : 0);
    tokenized.labels.push_back(*answer.score);
    tokenized.ids.push_back(answer.id);
    tokenized.constituents.push_back(answer.constituent);
  }
  return tokenized;
}

void require_constituents(const std::vector<std::string>& hold_out,
                          const std::set<std::string>& known, const std::string& where) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& name : hold_out) {
    if (known.contains(name)) continue;
    const std::string nearest = nearest_name(name, names);
    throw InputError(
        "the file has no constituent \"" + name + "\" to hold out", where,
        "it has " + join(names) + (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
  }
}

TokenizedAnswers without_constituents(const TokenizedAnswers& answers,
                                      const std::vector<std::string>& hold_out,
                                      const std::string& where) {
  require_constituents(hold_out, {answers.constituents.begin(), answers.constituents.end()}, where);
  std::vector<int64_t> kept;
  TokenizedAnswers result;
  for (int64_t row = 0; row < answers.rows(); ++row) {
    const auto i = static_cast<size_t>(row);
    if (std::find(hold_out.begin(), hold_out.end(), answers.constituents[i]) != hold_out.end()) {
      continue;
    }
    kept.push_back(row);
    result.labels.push_back(answers.labels[i]);
    result.ids.push_back(answers.ids[i]);
    result.constituents.push_back(answers.constituents[i]);
    result.truncated.push_back(answers.truncated[i]);
  }
  result.tokens = select_rows(answers.tokens, kept);
  return result;
}

}  // namespace rubric::data
