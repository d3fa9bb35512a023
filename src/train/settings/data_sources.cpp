#include "train/settings/data_sources.h"

#include "core/hash.h"
#include "data/multiple_choice/mctest.h"
#include "data/multiple_choice/race.h"

namespace rubric {
namespace {

std::string sha256_source(const DataSource& source) {
  const auto& [key, path] = source;
  if (key.starts_with("questions.mctest.")) {
    return sha256(sha256_file(path) + sha256_file(mctest_answers(path)));
  }
  if (!key.starts_with("questions.race.")) return sha256_file(path);
  std::string hashes;
  for (const std::filesystem::path& file : race_files(path)) {
    hashes += file.lexically_relative(path).generic_string() + sha256_file(file);
  }
  return sha256(hashes);
}

}  // namespace

std::vector<DataSource> data_sources(const TrainConfig& config) {
  if (config.task != "multiple_choice") {
    return {{"data.train", config.data.train}, {"data.dev", config.data.dev}};
  }
  const QuestionsConfig& questions = config.questions;
  std::vector<DataSource> sources;
  for (const auto& [name, files] : {std::pair("mctest", &questions.mctest),
                                    {"race", &questions.race},
                                    {"boolq", &questions.boolq},
                                    {"multirc", &questions.multirc}}) {
    const std::string key = std::string("questions.") + name;
    for (const std::string& path : files->train) sources.push_back({key + ".train", path});
    for (const std::string& path : files->dev) sources.push_back({key + ".dev", path});
  }
  return sources;
}

Json data_hashes(const TrainConfig& config) {
  Json hashes;
  for (const DataSource& source : data_sources(config)) {
    const Json* before = hashes.find(source.key);
    const std::string hash = sha256_source(source);
    hashes[source.key] = before == nullptr ? hash : sha256(before->string() + hash);
  }
  return hashes;
}

}  // namespace rubric
