#include "models/sequence_model.h"

#include <algorithm>

#include "core/error.h"
#include "core/hash.h"
#include "core/json.h"
#include "models/load_conditional_model.h"
#include "models/weights.h"

namespace rubric {
namespace {

void require_tokens(const SequenceModel& opened, const std::filesystem::path& directory) {
  const ModelTokens& tokens = opened.tokens;
  std::vector<int64_t> ids = tokens.ends;
  for (const auto& id : {tokens.bos, tokens.decoder_start, tokens.forced_bos, tokens.forced_eos}) {
    if (id) ids.push_back(*id);
  }
  for (const int64_t id : ids) {
    if (id < opened.model->vocabulary_size()) continue;
    throw InputError("the configuration names the token " + std::to_string(id) +
                         ", the model has " + std::to_string(opened.model->vocabulary_size()),
                     (directory / "config.json").string(),
                     "use the configuration that was published with the model");
  }
}

void require_fit(const GenerationTokenizer& tokenizer, int64_t vocabulary,
                 const std::filesystem::path& directory) {
  if (tokenizer.size() <= vocabulary) return;
  throw InputError("the tokenizer has " + std::to_string(tokenizer.size()) +
                       " entries, the model " + std::to_string(vocabulary),
                   directory.string(), "use the tokenizer files that belong to the model");
}

// Where pairs end with it; the published code of REV, whose texts end with a token of its own,
// names that one in the tokenizer's files alone.
void require_one_end(const SequenceModel& opened, const PairConfig& config,
                     const std::filesystem::path& directory) {
  if (!config.source_eos && !(config.target_eos && config.end.empty())) return;
  const int64_t end = opened.tokenizer->eos_id();
  if (end < 0 || std::ranges::count(opened.tokens.ends, end) > 0) return;
  throw InputError("the tokenizer ends a text with the token " + std::to_string(end) +
                       ", the model with " + std::to_string(*opened.tokens.eos),
                   directory.string(), "use the tokenizer files that belong to the model");
}

// What pairs are bracketed with instead of the tokens that the model's files name.
void use_brackets(const PairConfig& config, SequenceModel& opened) {
  ModelTokens& tokens = opened.tokens;
  if (!config.bos) tokens.forced_bos.reset();
  if (config.end.empty()) return;
  const int64_t end = opened.tokenizer->find(config.end);
  if (end < 0 || !opened.tokenizer->is_added_token(end)) {
    throw InputError("the tokenizer has no added token " + json_quote(config.end), "seq2seq.end",
                     "add it: model.add_tokens=[\"" + config.end + "\"]");
  }
  tokens.target_end = end;
  tokens.ends = {end};
  if (tokens.forced_eos) tokens.forced_eos = end;
}

}  // namespace

std::string fingerprint(const SequenceModel& opened) {
  NamedTensors tensors = opened.model->parameters();
  for (auto& buffer : opened.model->buffers()) tensors.push_back(std::move(buffer));
  return sha256(fingerprint(tensors) + opened.tokenizer->fingerprint()).substr(0, 12);
}

SequenceModel open_sequence_model(const std::filesystem::path& directory, const PairConfig& config,
                                  const NewParts& add) {
  SequenceModel opened;
  // What is quick to check first.
  const int64_t vocabulary = configured_vocabulary_size(directory);
  opened.tokens = read_model_tokens(directory);
  opened.tokenizer = open_generation_tokenizer(directory);
  require_fit(*opened.tokenizer, vocabulary, directory);
  require_one_end(opened, config, directory);
  opened.model =
      add.weights ? new_conditional_model(directory, add.seed) : load_conditional_model(directory);
  require_tokens(opened, directory);
  if (!add.add_tokens.empty()) {
    opened.tokenizer = open_generation_tokenizer(directory, add.add_tokens);
    // The first spare rows of an embedding, as T5 has them, serve new tokens as well.
    if (opened.tokenizer->size() > opened.model->vocabulary_size()) {
      opened.model->grow_vocabulary(opened.tokenizer->size(), add.seed);
    }
  }
  use_brackets(config, opened);
  return opened;
}

}  // namespace rubric
