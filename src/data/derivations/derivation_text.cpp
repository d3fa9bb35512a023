#include "data/derivations/derivations.h"

#include "core/text/ascii.h"

namespace rubric {
namespace {

constexpr char kPart = '|', kStep = ';';
constexpr size_t kParts = 5;

std::string escaped(std::string_view part) {
  std::string text;
  for (const char c : part) {
    text += c;
    if (c == kPart || c == kStep) text += c;
  }
  return text;
}

using Parts = std::vector<std::string>;

std::vector<Parts> steps_of(std::string_view text) {
  std::vector<Parts> steps = {{""}};
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != kPart && c != kStep) {
      steps.back().back() += c;
    } else if (i + 1 < text.size() && text[i + 1] == c) {
      steps.back().back() += c;
      ++i;
    } else if (c == kPart) {
      steps.back().emplace_back();
    } else {
      steps.push_back({""});
    }
  }
  return steps;
}

std::optional<DerivationStep> step_of(const Parts& parts) {
  if (parts.size() != kParts) return std::nullopt;
  const auto part = [&](size_t i) { return std::string(trim(parts[i])); };
  const std::optional<int64_t> sentence = parse_count(part(1));
  if (!sentence) return std::nullopt;
  return DerivationStep{part(0), *sentence, part(2), part(3), part(4)};
}

}  // namespace

std::string derivation_text(const Derivation& derivation) {
  std::string text;
  for (const DerivationStep& step : derivation) {
    if (!text.empty()) text += " ; ";
    text += escaped(step.title) + " | " + std::to_string(step.sentence);
    for (const std::string* const part : {&step.head, &step.relation, &step.tail}) {
      text += " | " + escaped(*part);
    }
  }
  return text;
}

std::string evidence_text(const std::string& question,
                          const std::vector<SupportingSentence>& sentences) {
  std::string text = escaped(trim(question));
  for (const auto& [fact, sentence] : sentences) {
    text += " ; " + escaped(fact.title) + " | " + std::to_string(fact.sentence) + " | " +
            escaped(trim(sentence));
  }
  return text;
}

std::optional<Derivation> parse_derivation(std::string_view text) {
  Derivation derivation;
  if (trim(text).empty()) return derivation;
  for (const Parts& parts : steps_of(text)) {
    std::optional<DerivationStep> step = step_of(parts);
    if (!step) return std::nullopt;
    derivation.push_back(std::move(*step));
  }
  return derivation;
}

}  // namespace rubric
