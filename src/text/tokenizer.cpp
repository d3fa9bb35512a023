#include "text/tokenizer.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "text/byte_bpe/byte_bpe.h"
#include "text/sentencepiece/sentencepiece.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text {

namespace {

constexpr const char* kFetchAgain = "fetch the model again, or name another one";

enum class Model { wordpiece, byte_bpe, unigram };

// The model in tokenizer.json. The first releases wrote no type.
Model model_of(const std::filesystem::path& file) {
  const Json tokenizer = Json::parse_file(file);
  const Json& model = tokenizer.require("model", file.string());
  const Json* const type = model.find("type");
  if (type == nullptr) return model.find("merges") != nullptr ? Model::byte_bpe : Model::wordpiece;
  if (type->dump() == "\"BPE\"") return Model::byte_bpe;
  if (type->dump() == "\"WordPiece\"") return Model::wordpiece;
  if (type->dump() == "\"Unigram\"") return Model::unigram;
  throw InputError("the tokenizer has the type " + type->dump() +
                       "; this version has WordPiece, byte-level BPE and Unigram",
                   file.string(), "use a model with one of these tokenizers");
}

constexpr const char* kUseSequenceModel = "use a T5, BART or GPT-2 with its tokenizer";

// The tokenizer, unless its files put tokens around a text that it does not have.
template <class T>
std::unique_ptr<T> checked(T tokenizer, const std::filesystem::path& model_directory) {
  for (const std::vector<int64_t>* const ids :
       {&tokenizer.around().before, &tokenizer.around().after}) {
    for (const int64_t id : *ids) {
      if (id >= 0 && id < tokenizer.size()) continue;
      throw InputError("the tokenizer puts the token " + std::to_string(id) +
                           " around a text; it has " + std::to_string(tokenizer.size()) + " tokens",
                       model_directory.string(), "fetch tokenizer.json again");
    }
  }
  return std::make_unique<T>(std::move(tokenizer));
}

}  // namespace

// Separate vocabulary files tell the model without parsing tokenizer.json.
std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory) {
  const auto has = [&](const char* name) { return is_there(model_directory / name, kFetchAgain); };
  Model model = Model::wordpiece;
  if (has("vocab.txt")) {
    model = Model::wordpiece;
  } else if (has("vocab.json")) {
    model = Model::byte_bpe;
  } else if (has("tokenizer.json")) {
    model = model_of(model_directory / "tokenizer.json");
  } else if (has("sentencepiece.bpe.model") || has("sentencepiece.model") || has("spm.model")) {
    model = Model::unigram;
  } else {
    throw InputError(
        "no tokenizer: no tokenizer.json, no vocab.txt, no vocab.json with merges.txt, no "
        "sentencepiece.bpe.model, no sentencepiece.model, no spm.model",
        model_directory.string(), "give a model directory with its tokenizer files");
  }
  if (model == Model::byte_bpe) {
    return checked(ByteBpe::from_directory(model_directory), model_directory);
  }
  if (model == Model::unigram) {
    return checked(SentencePiece::from_directory(model_directory), model_directory);
  }
  return checked(WordPiece::from_directory(model_directory), model_directory);
}

std::string GenerationTokenizer::decode(std::span<const int64_t> ids,
                                        bool skip_special_tokens) const {
  std::vector<std::string_view> tokens;
  tokens.reserve(ids.size());
  for (const int64_t id : ids) {
    const TokenTable::Entry entry = tokens_.table.entry(id);
    if (entry.text.empty() || (skip_special_tokens && entry.is_special)) continue;
    tokens.push_back(entry.text);
  }
  std::string text = join(tokens);
  if (tokens_.clean_up_spaces) clean_up_spaces(text);
  return text;
}

std::unique_ptr<GenerationTokenizer> open_generation_tokenizer(
    const std::filesystem::path& model_directory, const std::vector<std::string>& added_tokens) {
  const auto has = [&](const char* name) { return is_there(model_directory / name, kFetchAgain); };
  Model model = Model::byte_bpe;
  if (has("spiece.model") || has("sentencepiece.bpe.model")) {
    model = Model::unigram;
  } else if (has("vocab.txt")) {
    model = Model::wordpiece;
  } else if (has("tokenizer.json")) {
    model = model_of(model_directory / "tokenizer.json");
  } else if (!has("vocab.json") && !has("tokenizer.model")) {
    throw InputError(
        "no tokenizer: no spiece.model, no tokenizer.json, no tokenizer.model, no vocab.json with "
        "merges.txt",
        model_directory.string(), "give a model directory with its tokenizer files");
  }
  if (model == Model::wordpiece) {
    throw InputError(std::string("the tokenizer is a WordPiece") +
                         (has("vocab.txt") ? " (vocab.txt)" : "") +
                         ", which does not turn ids into text",
                     model_directory.string(), kUseSequenceModel);
  }
  if (model == Model::unigram) {
    return checked(SentencePiece::from_directory(model_directory, added_tokens), model_directory);
  }
  return checked(ByteBpe::from_directory(model_directory, added_tokens), model_directory);
}

void clean_up_spaces(std::string& text) {
  for (const std::string_view mark : {" .", " ?", " !", " ,"}) {
    replace_all(text, mark, mark.substr(1));
  }
  replace_all(text, " ' ", "'");
  for (const std::string_view ending : {" n't", " 'm", " 's", " 've", " 're"}) {
    replace_all(text, ending, ending.substr(1));
  }
}

}  // namespace rubric::text
