// Derivations (steps that explain an answer, R4C) as text for sequence models, training rows made
// of them, R4C's two baselines that derive them from parsed sentences, and the files of predictions
// that `evaluate r4c` reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// Writes the steps one after another:
//   TITLE | SENTENCE | HEAD | RELATION | TAIL ; TITLE | SENTENCE | HEAD | RELATION | TAIL
// A "|" or ";" inside a part is doubled. A derivation without steps is "".
std::string derivation_text(const Derivation& derivation);

// Parses such a text; nullopt when it is malformed. Inverts derivation_text(), except for spaces
// and tabs at the ends of a part, which are removed.
std::optional<Derivation> parse_derivation(std::string_view text);

struct SupportingSentence {
  SupportingFact fact;
  std::string text;
};

// The question and the sentences that a derivation may use, in the same form:
//   QUESTION ; TITLE | SENTENCE | TEXT ; TITLE | SENTENCE | TEXT
// Removes spaces at the ends of the question and of the texts.
std::string evidence_text(const std::string& question,
                          const std::vector<SupportingSentence>& sentences);

// Rows for a sequence model: the question with its supporting sentences as source, a derivation as
// target.
struct DerivationPairs {
  std::vector<SourceTarget> rows;    // with the ids of the questions
  std::vector<std::string> skipped;  // facts that name no existing sentence: "ID: TITLE 3"
};

// One row for each question, without target.
DerivationPairs derivation_sources(std::span<const HotpotQuestion> questions);

// One row for each of the first `most` references of a question (0: all), in the order of
// `questions`; questions without references give none. Throws InputError listing the questions of
// `references` that are not in `questions`.
DerivationPairs derivation_pairs(std::span<const HotpotQuestion> questions,
                                 std::span<const DerivationQuestion> references, int64_t most);

// R4C's two baselines derive steps from parsed sentences (Inoue et al. 2020, section 5). Noun
// chunks and named entities must be merged into single tokens, as the official scripts do.

// CORE: the step (title, root, first right child of the root) of the first parsed sentence of
// `fact`. "is" precedes a root tagged VBN; a child tagged IN joins the relation, and its own first
// right child is the tail. No step when there is no such child.
Derivation core_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences);

// IE: a step for every pair of noun chunks of the first sentence in text order, with the text
// between them as the relation. The title replaces a head that is "she", "he", "it" or "they".
Derivation ie_derivation(const SupportingFact& fact, std::span<const ParsedSentence> sentences);

struct DerivationPredictions {
  Json json;  // {"re": {ID: DERIVATION}}, of a baseline with its supporting facts, "sp"
  int64_t questions = 0, steps = 0;
  std::vector<std::string>
      malformed;  // ids of texts that are not a derivation; these have no steps
};

// core_derivation() or ie_derivation().
using DerivationBaseline = Derivation (*)(const SupportingFact& fact,
                                          std::span<const ParsedSentence> sentences);

// The steps of each supporting fact, by question, of `articles` (HotpotQA's JSON) and `parses`
// (CoNLL-U). Throws InputError as their readers do, and for supporting facts that are not parsed.
DerivationPredictions baseline_predictions(const std::filesystem::path& articles,
                                           const std::filesystem::path& parses,
                                           DerivationBaseline derive);

// The derivations of rows of "id" and text, in `field`, as derivation_text() writes them. Throws
// InputError for a file without rows, and for a row without id or field, or with an id that was
// there.
DerivationPredictions text_predictions(const std::filesystem::path& file, InputFormat format,
                                       const std::string& field);

}  // namespace rubric::data
