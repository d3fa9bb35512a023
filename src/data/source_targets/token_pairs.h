// Sources and targets as tokens.
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

// Row i of all belongs together. A causal model reads a row of `sources` and then that of
// `decoder_inputs` as one sequence, an encoder-decoder each with its own half.
struct TokenPairs {
  TokenBatch sources;         // without segments
  TokenBatch decoder_inputs;  // at each place the token before the one that is predicted there
  // What is predicted at each place of the decoder's inputs; to generate, none.
  std::vector<int64_t> targets;
  // Of each row: how many of its first targets are given, and not judged.
  std::vector<int64_t> given;

  int64_t rows() const { return sources.rows(); }
  int64_t tokens(int64_t row) const { return sources.length(row) + decoder_inputs.length(row); }
};

TokenPairs select_pairs(const TokenPairs& pairs, std::span<const int64_t> rows);

// What stands around a source and its target.
struct PairTemplate {
  std::vector<int64_t> source_prefix, source_suffix, target_prefix, target_suffix;
  std::string end_text;  // an end of the configuration's own, as it is written behind a target
  // The only added tokens that texts may hold, those that mark parts of source and target. Empty:
  // any, as whoever gives sources and targets whole writes their marks, too.
  std::vector<std::string> marks;
  std::optional<int64_t> decoder_start;    // nothing: the last token of the source
  std::optional<int64_t> empty_source;     // what a causal model reads where there is no source
  bool is_causal = false;                  // then source and target share the positions
  int64_t max_source = 0, max_target = 0;  // in tokens, special tokens included
  int64_t positions = 0;                   // of the model; 0: any number
  bool refuses = false;                    // what is longer, instead of cutting it
};

// What the tokenizer of that kind of model puts around a text: T5 an end, BART a beginning and an
// end, GPT-2 an end behind the target. `max_source` and `max_target` are at most what the model has
// positions for. Throws InputError, naming `where`, when a token that is needed is missing.
PairTemplate pair_template(const PairConfig& config, const ModelTokens& tokens,
                           const std::string& where);

// Records whose sources, or whose targets, were too long.
struct TruncatedTexts {
  std::vector<std::string> ids;
  int64_t shortest = 0, longest = 0;  // tokens that were left of them
};

// "3 of 890 sources are too long and are cut at 512 tokens: records "a", "b", "c"".
std::string describe_truncations(const TruncatedTexts& cuts, const char* what, size_t rows);

// Puts pairs through a template, one after the other, and counts what it cuts.
class PairEncoder {
 public:
  // Errors and warnings name the `file` that records are of, where one is given.
  PairEncoder(const text::GenerationTokenizer& tokenizer, PairTemplate pair_template,
              const std::string& file = "")
      : tokenizer_(tokenizer),
        template_(std::move(pair_template)),
        of_file_(file.empty() ? "" : file + ": ") {}

  // Appends a row; record.given, a blank and the target are one text, which is never cut. Throws
  // InputError naming the record when a text is too long and the template refuses that or something
  // is given, when nothing is left to read or to predict, and for an added token that the template
  // lacks.
  void encode(const SourceTarget& record, TokenPairs& pairs);

  // Appends a row without a target, for generation: decoder_inputs get the one token to start with.
  // A causal model's source leaves room for `max_new_tokens`.
  void encode_source(const SourceTarget& record, int64_t max_new_tokens, TokenPairs& pairs);

  const TruncatedTexts& truncated_sources() const { return truncated_sources_; }
  const TruncatedTexts& truncated_targets() const { return truncated_targets_; }

  void warn_of_truncations(
      size_t rows) const;  // a line each for sources and for targets, where any are

 private:
  std::vector<int64_t> source_ids(const SourceTarget& record, int64_t room);
  std::vector<int64_t> target_ids(const SourceTarget& record);
  void require_no_other_token(const SourceTarget& record, const char* field,
                              const std::string& text, std::span<const int64_t> ids) const;
  int64_t given_tokens(const SourceTarget& record, const std::vector<int64_t>& ids) const;
  void refuse_if_asked(const SourceTarget& record, const char* field, int64_t length, int64_t most,
                       bool must_stay_whole = false) const;
  int64_t take_start(std::vector<int64_t>& source) const;
  std::string place_of(const SourceTarget& record) const;

  const text::GenerationTokenizer& tokenizer_;
  PairTemplate template_;
  std::string of_file_;
  TruncatedTexts truncated_sources_, truncated_targets_;
};

}  // namespace rubric::data
