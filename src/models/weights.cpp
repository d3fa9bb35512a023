#include "models/weights.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "models/binary_file.h"
#include "models/pytorch_bin.h"

namespace rubric {
namespace {

using Reader = NamedTensors (*)(const std::filesystem::path&);

// Which tensors each shard must hold.
using Shards = std::map<std::string, std::set<std::string>>;

Shards read_index(const std::filesystem::path& index) {
  const std::string where = index.string() + ": weight_map";
  const Json json = Json::parse_file(index);
  const Json& weight_map = json.require("weight_map", index.string());
  if (!weight_map.is_object()) throw InputError("expected an object", where);
  Shards shards;
  for (const auto& [name, shard] : weight_map.object()) {
    const std::string file = shard.is_string() ? shard.string() : "";
    // A path could leave the directory.
    if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) {
      throw InputError("the shard of " + json_quote(name) + " must be a plain file name", where);
    }
    shards[file].insert(name);
  }
  return shards;
}

// The tensors of all shards that an index names, shard by shard.
NamedTensors read_shards(const std::filesystem::path& index, Reader read) {
  NamedTensors all;
  Shards shards = read_index(index);
  for (auto& [file, names] : shards) {
    const std::filesystem::path path = index.parent_path() / file;
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

// The published file that a model directory has, and what reads it.
struct Found {
  std::filesystem::path file;
  bool is_index;
  Reader read;
};

Found find_weights(const std::filesystem::path& model_directory) {
  constexpr std::pair<const char*, Reader> kFiles[] = {{"model.safetensors", read_safetensors},
                                                       {"pytorch_model.bin", read_pytorch_bin}};
  std::vector<std::string> looked_for;
  for (const auto& [name, read] : kFiles) {
    for (const bool is_index : {false, true}) {
      const std::string file = is_index ? std::string(name) + ".index.json" : name;
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

NamedTensors read_weights(const std::filesystem::path& model_directory) {
  const Found found = find_weights(model_directory);
  return found.is_index ? read_shards(found.file, found.read) : found.read(found.file);
}

std::vector<std::filesystem::path> weight_files(const std::filesystem::path& model_directory) {
  const Found found = find_weights(model_directory);
  std::vector<std::filesystem::path> files = {found.file};
  if (!found.is_index) return files;
  for (const auto& [file, names] : read_index(found.file)) files.push_back(model_directory / file);
  return files;
}

}  // namespace rubric
