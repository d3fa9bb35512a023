// Reads GGUF, the file format of llama.cpp
// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): one file with a model's settings,
// tokenizer and weights, which may be stored in blocks of 4 to 8 bits. Versions 2 and 3,
// little-endian.
//
// Goals: the weights as their owner's config.json and tokenizer.json would give them.
// Not goals: writing, several files of one model, architectures that are not in gguf.tsv.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric::data {

// How numbers are stored. A block of `block` numbers takes `bytes`.
struct GgufType {
  uint32_t id;  // ggml_type
  std::string_view name;
  int64_t block, bytes;
};

// F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K.
extern const std::vector<GgufType> kGgufTypes;

struct GgufTensor {
  std::string name;            // "blk.0.attn_q.weight"
  std::vector<int64_t> shape;  // outermost first, as torch has it; the file has the reverse
  const GgufType* type;
  std::string_view data;  // numbers of a row follow one another, in whole blocks
};

class GgufFile {
 public:
  // Throws InputError naming the file and the key or tensor for what is no GGUF, truncated, of
  // another version or byte order, or has a type that is not in kGgufTypes.
  explicit GgufFile(const std::filesystem::path& path);

  const std::string& where() const { return where_; }
  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  bool has_tensor(std::string_view name) const;

  std::vector<std::string> keys() const;  // with those of lists
  // The keys that are no lists, in the file's order, and their values.
  const Json::Object& values() const { return values_.object(); }
  // The value of such a key; nullptr where the file has none.
  const Json* find(std::string_view key) const;
  // Throw InputError where the file has no such key or another type there.
  const std::string& require_string(std::string_view key) const;
  int64_t require_integer(std::string_view key) const;

  // The values of a list; empty where the file has none. Throw InputError for a list of other
  // values.
  std::vector<std::string> strings(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;

 private:
  struct List {
    uint32_t type;
    uint64_t count;
    std::string_view bytes;
  };

  MappedFile file_;
  std::string where_;
  Json values_ = Json(Json::Object{});
  std::map<std::string, List, std::less<>> lists_;
  std::vector<GgufTensor> tensors_;
};

// Whether a path names a GGUF file: a file whose name ends in .gguf.
bool is_gguf(const std::filesystem::path& path);

// The model's files beside its weights, as its owner's folder has them: config.json, tokenizer.json
// and tokenizer_config.json. Throws InputError naming the key for an architecture, a tokenizer or a
// setting that gguf.tsv does not have.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;
NamedTexts gguf_model_files(const GgufFile& file);

// A model directory with these files and a link to the weights, model.gguf, in the user's cache
// ($XDG_CACHE_HOME/rubric, else ~/.cache/rubric). It is made when a file is first opened. Throws as
// GgufFile() and gguf_model_files() do, and InputError when the cache is not writable.
std::filesystem::path gguf_model_directory(const std::filesystem::path& path);
inline constexpr const char* kGgufWeights = "model.gguf";

// The published name of a tensor: "model.layers.0.self_attn.q_proj.weight" for
// "blk.0.attn_q.weight". "" for what is computed from config.json (rope_freqs.weight). Throws
// InputError for a name that gguf.tsv does not have.
std::string published_name(const GgufFile& file, const GgufTensor& tensor);

// Whether gguf.tsv says this of the file's architecture.
bool has_gguf_trait(const GgufFile& file, std::string_view trait);

}  // namespace rubric::data
