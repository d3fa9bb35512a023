// Tokenises pairs of source and target into the inputs and targets of sequence-to-sequence and
// causal language models, with truncation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/model_files/model_tokens.h"
#include "data/records.h"
#include "data/source_targets/pair_config.h"
#include "data/tokens/batches.h"
#include "text/tokenizer.h"

namespace rubric::data {

// Pairs of records from their tokenisation until their forward pass.
class KeptPairs {
 public:
  void append(const TokenPairs& pairs);
  TokenPairs pairs(int64_t begin, int64_t end) const;

  std::vector<size_t> truncated;  // the records of which not all is there

 private:
  KeptRows sources_, decoder_inputs_, targets_;
  std::vector<int64_t> given_;
};

TokenPairs select_pairs(const TokenPairs& pairs, std::span<const int64_t> rows);

// The special tokens around a source and its target, and the length limits.
struct PairTemplate {
  std::vector<int64_t> source_prefix, source_suffix, target_prefix, target_suffix;
  std::string end_text;  // the configuration's own end, as written behind a target
  // The only added tokens that texts may contain: those that mark parts of source and target.
  // Empty: any, because rows with whole sources and targets contain their marks too.
  std::vector<std::string> marks;
  // Before a given target, and before a text to be written; nullopt: the last token of the source.
  std::optional<int64_t> decoder_start, generation_start;
  std::optional<int64_t> empty_source;     // what a causal model reads instead of an empty source
  bool is_causal = false;                  // source and target share the positions
  int64_t max_source = 0, max_target = 0;  // in tokens, including special tokens
  int64_t positions = 0;                   // of the model; 0: unlimited
  bool refuses = false;                    // throws for longer texts instead of truncating them
};

// The special tokens that the model's tokenizer puts around a text: an end for T5, a beginning and
// an end for BART; for a causal model its tokens around the source, if it has some, and an end
// behind the target. `max_source` and `max_target` are limited to the model's
// positions. Throws InputError, naming `where`, when a required token is missing.
PairTemplate pair_template(const PairConfig& config, const ModelTokens& tokens,
                           const std::string& where);

// Records whose sources (or targets) were truncated.
struct TruncatedTexts {
  std::vector<std::string> ids;
  int64_t shortest = 0, longest = 0;  // remaining tokens
};

// "3 of 890 sources are too long and are cut at 512 tokens: records "a", "b", "c"".
std::string describe_truncations(const TruncatedTexts& truncated, const char* what, size_t rows);

// What a target's tokens decode to, where that is another text, which is then what a model learns
// to write: without special tokens, with a space for a line break, without the characters that the
// tokenizer lacks. nullopt where the target comes back. White space at the ends does not count, nor
// do spaces where the target holds added tokens, around which decoding puts its own.
std::optional<std::string> changed_target(const text::GenerationTokenizer& tokenizer,
                                          const std::string& target);

// Tokenises pairs by a template and counts truncations.
class PairEncoder {
 public:
  // Errors and warnings name the `file` of the records, if given.
  PairEncoder(const text::GenerationTokenizer& tokenizer, PairTemplate pair_template,
              const std::string& file = "")
      : tokenizer_(tokenizer),
        template_(std::move(pair_template)),
        of_file_(file.empty() ? "" : file + ": ") {}

  // Appends a row. If record.given is set, it is joined with the target by a space, and this text
  // is never truncated. Throws InputError naming the record when a text is too long and the
  // template refuses that or the record has `given`, when no source or no target token is left, and
  // for an added token that is not a mark of the template.
  void encode(const SourceTarget& record, TokenPairs& pairs);

  // Appends a row without target, for generation: decoder_inputs gets only the start token. The
  // source of a causal model is truncated to leave room for `max_new_tokens`.
  void encode_source(const SourceTarget& record, int64_t max_new_tokens, TokenPairs& pairs);

  const TruncatedTexts& truncated_sources() const { return truncated_sources_; }
  const TruncatedTexts& truncated_targets() const { return truncated_targets_; }

  // Logs one warning for truncated sources and one for truncated targets.
  void warn_of_truncations(size_t rows) const;

 private:
  std::vector<int64_t> source_ids(const SourceTarget& record, int64_t room);
  std::vector<int64_t> target_ids(const SourceTarget& record);
  void require_no_other_token(const SourceTarget& record, const char* field,
                              const std::string& text, std::span<const int64_t> ids) const;
  int64_t given_tokens(const SourceTarget& record, const std::vector<int64_t>& ids) const;
  void refuse_if_asked(const SourceTarget& record, const char* field, int64_t length, int64_t most,
                       bool must_stay_whole = false) const;
  int64_t take_start(const std::optional<int64_t>& start, std::vector<int64_t>& source) const;
  std::string place_of(const SourceTarget& record) const;

  const text::GenerationTokenizer& tokenizer_;
  PairTemplate template_;
  std::string of_file_;
  TruncatedTexts truncated_sources_, truncated_targets_;
};

}  // namespace rubric::data
