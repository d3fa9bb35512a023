#include "text/tokenizer.h"

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "text/byte_bpe/byte_bpe_part.h"
#include "text/wordpiece/wordpiece_part.h"

namespace rubric {
namespace {

constexpr const char* kFetchAgain = "fetch the model again, or name another one";

// Whether the folder has a byte-level BPE, and not a WordPiece. The files of the separate kind tell
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
  if (type == nullptr) return model.find("merges") != nullptr;  // the first releases wrote none
  if (type->dump() == "\"BPE\"") return true;
  if (type->dump() == "\"WordPiece\"") return false;
  throw InputError("the tokenizer is of the type " + type->dump() +
                       "; this version has WordPiece and byte-level BPE",
                   file.string(), "use a model of BERT's or RoBERTa's kind");
}

}  // namespace

std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& model_directory) {
  if (has_byte_bpe(model_directory)) {
    return std::make_unique<ByteBpe>(ByteBpe::from_directory(model_directory));
  }
  return std::make_unique<WordPiece>(WordPiece::from_directory(model_directory));
}

}  // namespace rubric
