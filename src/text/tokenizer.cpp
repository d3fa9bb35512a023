#include "text/tokenizer.h"

#include <string_view>

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

// Whether the directory has a byte-level BPE, not a WordPiece. Separate vocabulary files tell this
// without parsing tokenizer.json.
bool has_byte_bpe(const std::filesystem::path& directory) {
  if (is_there(directory / "vocab.txt", kFetchAgain)) return false;
  if (is_there(directory / "vocab.json", kFetchAgain)) return true;
  const std::filesystem::path file = directory / "tokenizer.json";
  if (!is_there(file, kFetchAgain)) {
    throw InputError("no tokenizer: no tokenizer.json, no vocab.txt, no vocab.json with merges.txt",
                     directory.string(), "give a model directory with its tokenizer files");
  }
  const Json tokenizer = Json::parse_file(file);
  const Json& model = tokenizer.require("model", file.string());
  const Json* const type = model.find("type");
  if (type == nullptr) return model.find("merges") != nullptr;  // the first releases wrote no type
  if (type->dump() == "\"BPE\"") return true;
  if (type->dump() == "\"WordPiece\"") return false;
  throw InputError("the tokenizer has the type " + type->dump() +
                       "; this version has WordPiece and byte-level BPE",
                   file.string(), "use a model of BERT's or RoBERTa's kind");
}

constexpr const char* kUseSequenceModel = "use a T5, BART or GPT-2 with its tokenizer";

// Checks tokenizer.json in a directory without spiece.model. The first releases wrote no type.
void require_byte_bpe(const std::filesystem::path& file) {
  const Json tokenizer = Json::parse_file(file);
  const Json* const type = tokenizer.require("model", file.string()).find("type");
  if (type == nullptr || type->dump() == "\"BPE\"") return;
  if (type->dump() == "\"Unigram\"") {
    throw InputError(
        "tokenizer.json has a Unigram model, which is read from spiece.model; that "
        "file is not there",
        file.string(), "fetch spiece.model, too");
  }
  throw InputError("the tokenizer has the type " + type->dump() +
                       ", which does not turn ids into text; SentencePiece or byte-level BPE is "
                       "needed",
                   file.string(), kUseSequenceModel);
}

}  // namespace

std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory) {
  if (has_byte_bpe(model_directory)) {
    return std::make_unique<ByteBpe>(ByteBpe::from_directory(model_directory));
  }
  return std::make_unique<WordPiece>(WordPiece::from_directory(model_directory));
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
  if (has("spiece.model")) {
    return std::make_unique<SentencePiece>(
        SentencePiece::from_directory(model_directory, added_tokens));
  }
  if (has("vocab.txt")) {
    throw InputError("the tokenizer is a WordPiece (vocab.txt), which does not turn ids into text",
                     model_directory.string(), kUseSequenceModel);
  }
  if (has("tokenizer.json")) {
    require_byte_bpe(model_directory / "tokenizer.json");
  } else if (!has("vocab.json")) {
    throw InputError(
        "no tokenizer: no spiece.model, no tokenizer.json, no vocab.json with merges.txt",
        model_directory.string(), "give a model directory with its tokenizer files");
  }
  return std::make_unique<ByteBpe>(ByteBpe::from_directory(model_directory, added_tokens));
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
