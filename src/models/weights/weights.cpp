#include "models/weights/weights.h"

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "data/model_files/gguf.h"
#include "models/weights/binary_reader.h"
#include "models/weights/int8_weights.h"
#include "models/weights/torch_file.h"

namespace rubric::models {
namespace {

constexpr const char *kOneFile = "model.safetensors", *kIndexEnd = ".index.json";

using Reader = NamedTensors (*)(const std::filesystem::path&);

// The tensors that each shard must hold.
using Shards = std::map<std::string, std::set<std::string>>;

Shards read_index(const std::filesystem::path& index) {
  const std::string where = index.string() + ": weight_map";
  const Json json = Json::parse_file(index);
  const Json& weight_map = json.require("weight_map", index.string());
  if (!weight_map.is_object()) throw InputError("expected an object", where, kFetchAgain);
  Shards shards;
  for (const auto& [name, shard] : weight_map.object()) {
    const std::string file = shard.is_string() ? shard.string() : "";
    // A path could point outside the directory.
    if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) {
      throw InputError("the shard of " + json_quote(name) + " must be a plain file name", where,
                       kFetchAgain);
    }
    shards[file].insert(name);
  }
  return shards;
}

// Reads the tensors of all shards in an index, shard by shard.
NamedTensors read_shards(const std::filesystem::path& index, Reader read) {
  NamedTensors all;
  Shards shards = read_index(index);
  for (auto& [file, names] : shards) {
    const std::filesystem::path path = index.parent_path() / file;
    if (!is_there(path, kFetchAgain)) {
      throw InputError("the shard that " + index.filename().string() + " names is missing",
                       path.string(), kFetchAgain);
    }
    for (auto& [name, tensor] : read(path)) {
      if (names.erase(name) == 0) {
        throw InputError("the tensor " + json_quote(name) + " is not listed for this shard in " +
                             index.filename().string(),
                         path.string(), kFetchAgain);
      }
      all.emplace_back(name, std::move(tensor));
    }
    if (names.empty()) continue;
    throw InputError("the tensor " + json_quote(*names.begin()) +
                         " is missing from the shard that " + index.filename().string() + " names",
                     path.string(), kFetchAgain);
  }
  return all;
}

// Splits the tensors, in order, into shards filled as far as they fit.
std::vector<NamedTensors> split(const NamedTensors& tensors, size_t shard_bytes) {
  std::vector<NamedTensors> shards(1);
  size_t filled = 0;
  for (const auto& named : tensors) {
    const size_t bytes = named.second.nbytes();
    if (filled + bytes > shard_bytes && !shards.back().empty()) {
      shards.emplace_back();
      filled = 0;
    }
    shards.back().push_back(named);
    filled += bytes;
  }
  return shards;
}

// The shard's name as in transformers, counted from 1.
std::string shard_name(size_t number, size_t count) {
  char name[64];
  std::snprintf(name, sizeof(name), "model-%05zu-of-%05zu.safetensors", number, count);
  return name;
}

// The weights file that a model directory has, and its reader; null for GGUF.
struct Found {
  std::filesystem::path file;
  bool is_index;
  Reader read;
};

Found find_weights(const std::filesystem::path& model_directory) {
  constexpr std::pair<const char*, Reader> kFiles[] = {{kOneFile, read_safetensors},
                                                       {"pytorch_model.bin", read_pytorch_bin},
                                                       {data::kGgufWeights, nullptr}};
  std::vector<std::string> looked_for;
  for (const auto& [name, read] : kFiles) {
    for (const bool is_index : {false, true}) {
      if (is_index && read == nullptr) continue;
      const std::string file = is_index ? std::string(name) + kIndexEnd : name;
      std::error_code unreadable;  // counts as missing
      if (std::filesystem::exists(model_directory / file, unreadable)) {
        return {model_directory / file, is_index, read};
      }
      looked_for.push_back(file);
    }
  }
  throw InputError("no weights: looked for " + join(looked_for), model_directory.string(),
                   "give a model directory in Hugging Face's layout");
}

}  // namespace

NamedTensors read_weights(const std::filesystem::path& model_directory, BlockMatrices* stored) {
  const Found found = find_weights(model_directory);
  if (found.read == nullptr) return read_gguf(found.file, stored);
  return dequantized(found.is_index ? read_shards(found.file, found.read) : found.read(found.file),
                     found.file.string());
}

void write_weights(const std::filesystem::path& model_directory, const NamedTensors& tensors,
                   size_t shard_bytes) {
  const std::vector<NamedTensors> shards = split(tensors, shard_bytes);
  if (shards.size() == 1) return write_safetensors(model_directory / kOneFile, tensors);
  uint64_t total = 0;
  Json index, weight_map;
  for (size_t i = 0; i < shards.size(); ++i) {
    const std::string file = shard_name(i + 1, shards.size());
    write_safetensors(model_directory / file, shards[i]);
    for (const auto& [name, tensor] : shards[i]) {
      weight_map[name] = file;
      total += tensor.nbytes();
    }
  }
  index["metadata"]["total_size"] = total;
  index["weight_map"] = std::move(weight_map);
  write_file(model_directory / (std::string(kOneFile) + kIndexEnd), index.dump(2) + "\n");
}

std::vector<std::filesystem::path> weight_files(const std::filesystem::path& model_directory) {
  const Found found = find_weights(model_directory);
  std::vector<std::filesystem::path> files = {found.file};
  if (!found.is_index) return files;
  for (const auto& [file, names] : read_index(found.file)) files.push_back(model_directory / file);
  return files;
}

std::string fingerprint(const NamedTensors& tensors) {
  std::string digest;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor bytes = tensor.contiguous();
    digest += name + sha256({static_cast<const char*>(bytes.const_data_ptr()),
                             static_cast<size_t>(bytes.nbytes())});
  }
  return sha256(digest);
}

}  // namespace rubric::models
