#include "metrics/neural/opened_sequence_model.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "models/sequence_model.h"
#include "models/weights/weights.h"

namespace rubric::metrics {
namespace {

void require_tokens(const OpenedSequenceModel& opened, const std::filesystem::path& directory) {
  const data::ModelTokens& tokens = opened.tokens;
  std::vector<std::pair<const char*, std::optional<int64_t>>> ids = {
      {"bos_token_id", tokens.bos},
      {"decoder_start_token_id", tokens.decoder_start},
      {"decoder_start_token_id", tokens.generation_start},
      {"forced_bos_token_id", tokens.forced_bos},
      {"forced_eos_token_id", tokens.forced_eos}};
  ids.emplace_back("eos_token_id", tokens.eos);
  for (const int64_t end : tokens.eos_ids) ids.emplace_back("eos_token_id", end);
  for (const auto& [key, id] : ids) {
    if (!id || *id < opened.model->vocabulary_size()) continue;
    throw InputError(std::string(key) + " is " + std::to_string(*id) + ", the model has " +
                         std::to_string(opened.model->vocabulary_size()) + " tokens",
                     directory.string(),
                     "use the config.json and generation_config.json that were published with the "
                     "model");
  }
}

void require_vocabulary(const text::GenerationTokenizer& tokenizer, int64_t vocabulary,
                        const std::filesystem::path& directory) {
  if (tokenizer.size() <= vocabulary) return;
  std::error_code unreadable;  // counts as missing
  const bool assumes_extra_ids =
      std::filesystem::exists(directory / "spiece.model", unreadable) &&
      !std::filesystem::exists(directory / "tokenizer_config.json", unreadable);
  throw InputError(
      "the tokenizer has " + std::to_string(tokenizer.size()) + " entries, the model " +
          std::to_string(vocabulary) +
          (assumes_extra_ids ? "; T5's usual 100 extra ids are among them, as there is no "
                               "tokenizer_config.json whose extra_ids says how many"
                             : ""),
      directory.string(), "use the tokenizer files that belong to the model");
}

void require_no_empty_token(const std::vector<std::string>& added_tokens) {
  for (const std::string& token : added_tokens) {
    if (!trim(token).empty()) continue;
    throw InputError("a token to add is empty: " + json_quote(token), "model.add_tokens",
                     "name tokens, such as [\"<because>\"]");
  }
}

// Pairs end with the tokenizer's end token, or the one that it puts behind a text, if it is one of
// the model's. Otherwise pairs must not use the tokenizer's end: the files of REV's published code
// name a token of their own.
void use_tokenizers_end(const data::PairConfig& config, OpenedSequenceModel& opened,
                        const std::filesystem::path& directory) {
  const int64_t end = opened.tokenizer->eos_id();
  if (end < 0) return;
  data::ModelTokens& tokens = opened.tokens;
  const std::vector<int64_t>& after = tokens.around.after;
  for (const int64_t of_text : {end, after.empty() ? -1 : after.back()}) {
    if (of_text != tokens.eos && std::ranges::count(tokens.eos_ids, of_text) == 0) continue;
    tokens.eos = tokens.target_end = of_text;
    return;
  }
  if (!config.source_eos && !(config.target_eos && config.end.empty())) return;
  throw InputError("the tokenizer ends a text with the token " + std::to_string(end) +
                       ", the model with " + std::to_string(*opened.tokens.eos),
                   directory.string(), "use the tokenizer files that belong to the model");
}

// Replaces the start and end tokens that the model's files name by those of `config`.
void use_brackets(const data::PairConfig& config, OpenedSequenceModel& opened) {
  data::ModelTokens& tokens = opened.tokens;
  if (!config.bos) tokens.forced_bos.reset();
  if (config.end.empty()) return;
  const int64_t end = opened.tokenizer->find(config.end);
  if (end < 0 || !opened.tokenizer->is_added_token(end)) {
    throw InputError("the tokenizer has no added token " + json_quote(config.end), "seq2seq.end",
                     "add it: model.add_tokens=[\"" + config.end + "\"]");
  }
  tokens.target_end = end;
  tokens.eos_ids = {end};
  if (tokens.forced_eos) tokens.forced_eos = end;
}

// Those that stand in a source or a target, or bound their length.
std::string values_of(const data::ModelTokens& tokens) {
  const auto optional = [](const std::optional<int64_t>& id) { return id ? Json(*id) : Json(); };
  Json values;
  values["starts_with_bos"] = tokens.starts_with_bos;
  values["bos"] = optional(tokens.bos);
  values["eos"] = optional(tokens.eos);
  values["decoder_start"] = optional(tokens.decoder_start);
  values["target_end"] = optional(tokens.target_end);
  values["max_positions"] = tokens.max_positions;
  // Where they are others than those that came with the kind of model.
  text::TokensAround usual;
  if (tokens.starts_with_bos) usual.before = {tokens.bos.value_or(-1)};
  if (!tokens.is_causal) usual.after = {tokens.eos.value_or(-1)};
  if (tokens.around != usual) {
    values["before"] = Json::Array(tokens.around.before.begin(), tokens.around.before.end());
    values["after"] = Json::Array(tokens.around.after.begin(), tokens.around.after.end());
  }
  return values.dump();
}

}  // namespace

std::string fingerprint(const OpenedSequenceModel& opened) {
  return short_sha256(models::fingerprint(opened.model->tensors()) +
                      opened.tokenizer->fingerprint() + opened.settings);
}

OpenedSequenceModel open_sequence_model(const std::filesystem::path& directory,
                                        const data::PairConfig& config,
                                        const Initialization& start) {
  require_no_empty_token(start.add_tokens);
  OpenedSequenceModel opened;
  // Quick checks first.
  const models::SequenceModelFactory factory = models::read_sequence_config(directory);
  opened.tokens = data::read_model_tokens(directory);
  opened.tokenizer = text::open_generation_tokenizer(directory);
  opened.tokens.around = opened.tokenizer->around();
  require_vocabulary(*opened.tokenizer, factory.vocabulary, directory);
  use_tokenizers_end(config, opened, directory);
  opened.settings = factory.config_values + values_of(opened.tokens);
  opened.model = start.has_random_weights
                     ? models::new_sequence_model(directory, start.seed, factory)
                     : models::load_sequence_model(directory, factory);
  require_tokens(opened, directory);
  if (!start.add_tokens.empty()) {
    opened.tokenizer = text::open_generation_tokenizer(directory, start.add_tokens);
    // Spare rows of an embedding, as T5 has them, serve new tokens first.
    if (opened.tokenizer->size() > opened.model->vocabulary_size()) {
      opened.model->resize_vocabulary(opened.tokenizer->size(), start.seed);
    }
  }
  use_brackets(config, opened);
  return opened;
}

}  // namespace rubric::metrics
