#include "data/source_targets/token_pairs.h"

#include <algorithm>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/source_targets/pair_config.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

void append_row(TokenBatch& rows, const std::vector<int64_t>& ids) {
  rows.ids.insert(rows.ids.end(), ids.begin(), ids.end());
  rows.offsets.push_back(std::ssize(rows.ids));
}

int64_t require_token(const std::optional<int64_t>& id, const char* name,
                      const std::string& where) {
  if (id) return *id;
  throw InputError(std::string("the model needs ") + name +
                       ", which its configuration does not "
                       "name",
                   where, "use the configuration that was published with the model");
}

// The smaller of the two; `limit` 0 means no limit.
int64_t at_most(int64_t asked, int64_t limit) {
  return limit == 0 ? asked : std::min(asked, limit);
}

// Throws if a text could be truncated to only the special tokens around it.
void require_room(int64_t most, const std::vector<int64_t>& prefix,
                  const std::vector<int64_t>& suffix, const char* key, const std::string& where) {
  if (most > std::ssize(prefix) + std::ssize(suffix)) return;
  throw InputError(
      std::string(key) + " of " + std::to_string(most) + " leaves no room for a token of the text",
      where, std::string("raise ") + key);
}

void add_truncation(const std::string& id, int64_t left, TruncatedTexts& truncated) {
  truncated.shortest = truncated.ids.empty() ? left : std::min(truncated.shortest, left);
  truncated.longest = std::max(truncated.longest, left);
  truncated.ids.push_back(id);
}

}  // namespace

std::string describe_truncations(const TruncatedTexts& truncated, const char* what, size_t rows) {
  std::vector<std::string> ids;
  for (const std::string& id : truncated.ids) {  // consecutive rows may have the same id
    if (ids.empty() || ids.back() != json_quote(id)) ids.push_back(json_quote(id));
  }
  const std::string range =
      truncated.shortest == truncated.longest ? "" : std::to_string(truncated.shortest) + " to ";
  return std::to_string(truncated.ids.size()) + " of " + std::to_string(rows) + " " + what +
         " are too long and are cut at " + range + std::to_string(truncated.longest) +
         " tokens: records " + join_some(ids);
}

std::optional<std::string> changed_target(const text::GenerationTokenizer& tokenizer,
                                          const std::string& target) {
  std::vector<int64_t> ids;
  tokenizer.encode(target, ids);
  const std::string decoded = tokenizer.decode(ids);
  if (text::strip(decoded) == text::strip(target)) return std::nullopt;
  const auto is_added = [&](int64_t id) { return tokenizer.is_added_token(id); };
  if (std::ranges::none_of(ids, is_added)) return decoded;
  const auto without_blanks = [](std::string text) {
    std::erase(text, ' ');
    return std::string(text::strip(text));
  };
  if (without_blanks(decoded) == without_blanks(target)) return std::nullopt;
  return decoded;
}

void KeptPairs::append(const TokenPairs& pairs) {
  sources_.append(pairs.sources);
  decoder_inputs_.append(pairs.decoder_inputs);
  targets_.append({pairs.targets, {}, pairs.decoder_inputs.offsets, {}});
  given_.insert(given_.end(), pairs.given.begin(), pairs.given.end());
}

TokenPairs KeptPairs::pairs(int64_t begin, int64_t end) const {
  return {.sources = sources_.rows(begin, end),
          .decoder_inputs = decoder_inputs_.rows(begin, end),
          .targets = targets_.rows(begin, end).ids,
          .given = {given_.begin() + begin, given_.begin() + end}};
}

TokenPairs select_pairs(const TokenPairs& pairs, std::span<const int64_t> rows) {
  TokenPairs selected;
  const auto part = [](const auto& ids, const TokenBatch& batch, int64_t row) {
    const auto i = static_cast<size_t>(row);
    return std::vector<int64_t>(ids.begin() + batch.offsets[i], ids.begin() + batch.offsets[i + 1]);
  };
  for (const int64_t row : rows) {
    selected.given.push_back(pairs.given[static_cast<size_t>(row)]);
    append_row(selected.sources, part(pairs.sources.ids, pairs.sources, row));
    append_row(selected.decoder_inputs, part(pairs.decoder_inputs.ids, pairs.decoder_inputs, row));
    if (pairs.targets.empty()) continue;  // for generation
    const auto targets = part(pairs.targets, pairs.decoder_inputs, row);
    selected.targets.insert(selected.targets.end(), targets.begin(), targets.end());
  }
  return selected;
}

PairTemplate pair_template(const PairConfig& config, const ModelTokens& tokens,
                           const std::string& where) {
  PairTemplate made;
  made.is_causal = tokens.is_causal;
  const int64_t eos = require_token(tokens.eos, "eos_token_id", where);
  // A causal model's target continues its source.
  if (config.bos) {
    made.source_prefix = tokens.around.before;
    if (!made.is_causal) made.target_prefix = tokens.around.before;
  }
  if ((config.source_eos || made.is_causal) && !config.is_chat)
    made.source_suffix = tokens.around.after;
  for (const auto& [text, key] :
       {std::pair(config.source, "seq2seq.source"), {config.target, "seq2seq.target"}}) {
    for (const std::string& mark : template_marks(parse_template(text, key))) {
      made.marks.push_back(mark);
    }
  }
  if (!made.marks.empty() && !config.end.empty()) made.marks.push_back(config.end);
  if (config.target_eos) {
    const bool has_end = made.is_causal || !config.end.empty();
    made.target_suffix =
        has_end ? std::vector{tokens.target_end.value_or(eos)} : tokens.around.after;
  }
  // The configured end follows the text after a space, which is a token for some tokenizers.
  if (!config.end.empty()) made.end_text = " " + config.end;
  if (made.is_causal) {
    made.empty_source = tokens.bos;
  } else if (config.decoder_start == "model") {
    made.decoder_start = require_token(tokens.decoder_start, "decoder_start_token_id", where);
    made.generation_start = tokens.generation_start ? tokens.generation_start : made.decoder_start;
  }
  made.max_source = at_most(config.max_source, tokens.max_positions);
  made.max_target = at_most(config.max_target, tokens.max_positions);
  made.positions = tokens.max_positions;
  made.refuses = config.too_long == "refuse";
  require_room(made.max_source, made.source_prefix, made.source_suffix, "max_source", where);
  require_room(made.max_target, made.target_prefix, made.target_suffix, "max_target", where);
  return made;
}

void PairEncoder::warn_of_truncations(size_t rows) const {
  for (const auto& [truncated, what] :
       {std::pair(&truncated_sources_, "sources"), std::pair(&truncated_targets_, "targets")}) {
    if (!truncated->ids.empty())
      log_warning(of_file_ + describe_truncations(*truncated, what, rows));
  }
}

void PairEncoder::encode(const SourceTarget& record, TokenPairs& pairs) {
  const std::vector<int64_t> target = target_ids(record);
  std::vector<int64_t> source = source_ids(record, std::ssize(target) - 1);
  std::vector<int64_t> inputs = {take_start(template_.decoder_start, source)};
  inputs.insert(inputs.end(), target.begin(), target.end() - 1);
  append_row(pairs.sources, source);
  append_row(pairs.decoder_inputs, inputs);
  pairs.targets.insert(pairs.targets.end(), target.begin(), target.end());
  pairs.given.push_back(given_tokens(record, target));
}

void PairEncoder::encode_source(const SourceTarget& record, int64_t max_new_tokens,
                                TokenPairs& pairs) {
  std::vector<int64_t> source = source_ids(record, max_new_tokens - 1);
  const int64_t start = take_start(template_.generation_start, source);
  append_row(pairs.sources, source);
  append_row(pairs.decoder_inputs, {start});
  pairs.given.push_back(0);
}

// `room`: the number of tokens after the source in a causal model's sequence.
std::vector<int64_t> PairEncoder::source_ids(const SourceTarget& record, int64_t room) {
  std::vector<int64_t> ids = template_.source_prefix;
  tokenizer_.encode(record.source, ids);
  require_no_other_token(record, "source", record.source,
                         std::span(ids).subspan(template_.source_prefix.size()));
  const bool is_empty = ids.empty() && template_.source_suffix.empty();
  if (is_empty && template_.empty_source) ids.push_back(*template_.empty_source);
  const int64_t length = std::ssize(ids) + std::ssize(template_.source_suffix);
  int64_t most = template_.max_source;
  if (template_.is_causal && template_.positions > 0)
    most = std::min(most, template_.positions - room);
  if (most < 1 + std::ssize(template_.source_suffix)) {
    throw InputError("the target leaves no room for the source", place_of(record),
                     "lower max_target, or use a model for longer texts");
  }
  if (length > most) {
    refuse_if_asked(record, "source", length, most);
    add_truncation(record.id, most, truncated_sources_);
    if (template_.is_causal) {  // keeps the end, which the target continues
      const int64_t kept = std::min(std::ssize(template_.source_prefix),
                                    most - 1 - std::ssize(template_.source_suffix));
      ids.erase(ids.begin() + kept, ids.begin() + kept + (length - most));
    } else {
      ids.resize(static_cast<size_t>(most - std::ssize(template_.source_suffix)));
    }
  }
  ids.insert(ids.end(), template_.source_suffix.begin(), template_.source_suffix.end());
  if (ids.empty()) {
    throw InputError("no token is left of the source", place_of(record), "give a source");
  }
  return ids;
}

std::vector<int64_t> PairEncoder::target_ids(const SourceTarget& record) {
  std::vector<int64_t> ids = template_.target_prefix;
  const std::string text =
      record.given.empty() ? record.target : record.given + " " + record.target;
  tokenizer_.encode(text + template_.end_text, ids);
  require_no_other_token(record, "target", text,
                         std::span(ids).subspan(template_.target_prefix.size()));
  if (!template_.end_text.empty()) ids.pop_back();  // added again below if configured
  const int64_t before =
      record.given.empty() ? std::ssize(template_.target_prefix) : given_tokens(record, ids);
  if (std::ssize(ids) == before) {
    throw InputError("no token is left of the target", place_of(record),
                     "give a target, or leave the row out");
  }
  const int64_t length = std::ssize(ids) + std::ssize(template_.target_suffix);
  if (length > template_.max_target) {
    refuse_if_asked(record, "target", length, template_.max_target, !record.given.empty());
    add_truncation(record.id, template_.max_target, truncated_targets_);
    ids.resize(static_cast<size_t>(template_.max_target - std::ssize(template_.target_suffix)));
  }
  ids.insert(ids.end(), template_.target_suffix.begin(), template_.target_suffix.end());
  return ids;
}

// Throws for added tokens in a field's text: a </s> would be read as the end of the sequence.
void PairEncoder::require_no_other_token(const SourceTarget& record, const char* field,
                                         const std::string& text,
                                         std::span<const int64_t> ids) const {
  if (template_.marks.empty()) return;
  for (const int64_t id : ids) {
    if (!tokenizer_.is_added_token(id)) continue;
    const auto is_it = [&](const std::string& mark) { return tokenizer_.find(mark) == id; };
    if (std::ranges::any_of(template_.marks, is_it)) continue;
    const std::string token = tokenizer_.decode({&id, 1}, /*skip_special_tokens=*/false);
    // <unk> also represents text that the vocabulary lacks.
    if (id == tokenizer_.find("<unk>") && text.find(token) == std::string::npos) continue;
    throw InputError(std::string("the ") + field + " holds " + token +
                         ", a token of the model's that its template lacks",
                     place_of(record), "take it out of the text");
  }
}

// The number of a target's tokens that belong to its given beginning.
int64_t PairEncoder::given_tokens(const SourceTarget& record,
                                  const std::vector<int64_t>& ids) const {
  if (record.given.empty()) return 0;
  std::vector<int64_t> given = template_.target_prefix;
  tokenizer_.encode(record.given, given);
  if (given.size() <= ids.size() && std::equal(given.begin(), given.end(), ids.begin())) {
    return std::ssize(given);
  }
  throw InputError("the given beginning of the target has other tokens alone than before its rest",
                   place_of(record), "let it end with a word of its own, such as [answer]");
}

void PairEncoder::refuse_if_asked(const SourceTarget& record, const char* field, int64_t length,
                                  int64_t most, bool must_stay_whole) const {
  if (!template_.refuses && !must_stay_whole) return;
  const bool is_source = field == std::string_view("source");
  const bool leaves_room = is_source && most < template_.max_source;  // a causal model
  const bool is_of_model = most == template_.positions || leaves_room;
  const std::string positions = "the model's " + std::to_string(template_.positions) + " positions";
  throw InputError(std::string("the ") + field + " has " + std::to_string(length) +
                       " tokens, more than the " + std::to_string(most) + " that " +
                       (leaves_room   ? "the target leaves of " + positions
                        : is_of_model ? positions + " hold"
                                      : std::string("are allowed")),
                   place_of(record),
                   (is_of_model ? "use a model with more positions"
                                : std::string("raise seq2seq.max_") + field) +
                       (must_stay_whole ? "" : ", let it be cut") + ", or shorten the text");
}

std::string PairEncoder::place_of(const SourceTarget& record) const {
  return of_file_ + "record " + json_quote(record.id);
}

// Returns the token from which the target is predicted. A causal model uses the last token of its
// source, which is removed from the source.
int64_t PairEncoder::take_start(const std::optional<int64_t>& start,
                                std::vector<int64_t>& source) const {
  if (start) return *start;
  const int64_t last = source.back();
  if (template_.is_causal) source.pop_back();
  return last;
}

}  // namespace rubric::data
