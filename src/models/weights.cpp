#include "models/weights.h"

#include <map>
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

// The tensors of all shards that an index names, shard by shard.
NamedTensors read_shards(const std::filesystem::path& index, Reader read) {
  const std::string where = index.string() + ": weight_map";
  const Json json = Json::parse_file(index);
  const Json& weight_map = json.require("weight_map", index.string());
  if (!weight_map.is_object()) throw InputError("expected an object", where);
  std::map<std::string, std::map<std::string, bool>> shards;  // shard → tensor → found
  for (const auto& [name, shard] : weight_map.object()) {
    const std::string file = shard.is_string() ? shard.string() : "";
    // A path could leave the directory.
    if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) {
      throw InputError("the shard of " + json_quote(name) + " must be a plain file name", where);
    }
    shards[file][name] = false;
  }
  NamedTensors all;
  for (auto& [file, names] : shards) {
    const std::filesystem::path path = index.parent_path() / file;
    for (auto& [name, tensor] : read(path)) {
      const auto listed = names.find(name);
      if (listed == names.end()) {
        throw InputError("the tensor " + json_quote(name) + " is not listed for this shard in " +
                             index.filename().string(),
                         path.string(), kFetchAgain);
      }
      listed->second = true;
      all.emplace_back(name, std::move(tensor));
    }
    for (const auto& [name, found] : names) {
      if (found) continue;
      throw InputError("the tensor " + json_quote(name) + " is missing from the shard that " +
                           index.filename().string() + " names",
                       path.string(), kFetchAgain);
    }
  }
  return all;
}

}  // namespace

NamedTensors read_weights(const std::filesystem::path& model_directory) {
  constexpr std::pair<const char*, Reader> kFiles[] = {{"model.safetensors", read_safetensors},
                                                       {"pytorch_model.bin", read_pytorch_bin}};
  std::vector<std::string> looked_for;
  for (const auto& [name, read] : kFiles) {
    const std::filesystem::path whole = model_directory / name;
    std::error_code unreadable;  // counts as missing
    if (std::filesystem::exists(whole, unreadable)) return read(whole);
    const std::filesystem::path index = model_directory / (std::string(name) + ".index.json");
    if (std::filesystem::exists(index, unreadable)) return read_shards(index, read);
    looked_for.insert(looked_for.end(), {whole.filename().string(), index.filename().string()});
  }
  throw InputError("no weights: looked for " + join(looked_for), model_directory.string(),
                   "give a model directory in Hugging Face's layout");
}

}  // namespace rubric
