#include "eval/experiment_record.h"

#include <algorithm>

#include "config/find_file.h"
#include "config/layers.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/version.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

fs::path beside(const StepRun& run, const char* end) {
  return fs::path(run.folder.string() + end);
}

// "a.b=v" a line.
void append_lines(const Yaml& node, const std::string& key, std::string& out) {
  if (node.kind == Yaml::Kind::map) {
    for (const auto& [name, value] : node.members) append_lines(value, key + "." + name, out);
    return;
  }
  out += key + "=" + node.text;
  for (const Yaml& item : node.items) out += " " + item.text;
  out += "\n";
}

std::vector<std::string> values_of(const std::vector<std::string>& words, const std::string& name) {
  std::vector<std::string> values;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == name) values.push_back(words[i + 1]);
  }
  return values;
}

std::string configuration_text(const Step& step, const std::vector<std::string>& command) {
  std::string text;
  append_lines(load_layers(configuration_of(step, command), values_of(command, "--set")), "", text);
  return text;
}

}  // namespace

void FileHashes::remember(const Json& record) {
  const Json* const files = record.find("files");
  if (files == nullptr || !files->is_object()) return;
  for (const auto& [file, entry] : files->object()) {
    const Json *const state = entry.find("state"), *const hash = entry.find("sha256");
    if (state == nullptr || !state->is_string() || hash == nullptr || !hash->is_string()) continue;
    known_[file] = {state->string(), hash->string()};
  }
}

const FileHashes::Known& FileHashes::known(const fs::path& file) {
  const auto modified = fs::last_write_time(file).time_since_epoch().count();
  const std::string state = std::to_string(fs::file_size(file)) + " " + std::to_string(modified);
  Known& known = known_[file];
  if (known.state != state) known = {state, sha256_file(file)};
  return known;
}

std::string FileHashes::of(const fs::path& file) {
  return known(file).sha256;
}

Json FileHashes::entry(const fs::path& file) {
  return Json::Object{{"state", known(file).state}, {"sha256", known(file).sha256}};
}

fs::path record_path(const StepRun& run) {
  return beside(run, ".json");
}

fs::path log_path(const StepRun& run) {
  return beside(run, ".log");
}

Json read_record(const StepRun& run) {
  const fs::path file = record_path(run);
  if (!fs::is_regular_file(file)) return {};
  try {
    return Json::parse_file(file);
  } catch (const InputError&) {
    return {};  // no record is made again
  }
}

fs::path configuration_of(const Step& step, const std::vector<std::string>& command) {
  const std::vector<std::string> names = values_of(command, "--config");
  if (names.size() != 1) {
    throw InputError("steps." + step.name + ": expected one --config", step.where);
  }
  try {
    return find_shipped("configuration", "configs", names.front());
  } catch (const InputError&) {
    throw InputError("steps." + step.name + ": there is no configuration \"" + names.front() + "\"",
                     step.where, "name one of the files in configs/");
  }
}

Json identity_of(const StepRun& run, const FilledStep& filled,
                 const std::map<std::string, std::string>& needs, FileHashes& hashes) {
  Json identity;
  identity["command"] = Json::Array(filled.command.begin(), filled.command.end());
  if (filled.command.front() == "train") {
    identity["configuration"] = sha256(configuration_text(*run.step, filled.command));
  }
  for (const std::string& file : filled.reads) identity["reads"][file] = hashes.of(file);
  for (const auto& [name, digest] : needs) identity["needs"][name] = digest;
  return identity;
}

std::string reason_to_run(const StepRun& run, const FilledStep& filled, const Json& record,
                          const Json& identity) {
  const Json* const earlier = record.find("identity");
  if (earlier == nullptr) return "not run yet";
  if (record.find("seconds") == nullptr) return "not finished";
  for (const std::string& file : filled.writes) {
    if (!fs::exists(run.folder / file)) return file + " is gone";
  }
  if (earlier->dump() == identity.dump()) return "";
  for (const auto& [part, what] : {std::pair("command", "the command has changed"),
                                   std::pair("configuration", "the configuration has changed"),
                                   std::pair("reads", "a file that it reads has changed")}) {
    const Json *const then = earlier->find(part), *const now = identity.find(part);
    if ((then == nullptr ? "" : then->dump()) != (now == nullptr ? "" : now->dump())) return what;
  }
  return "a step before it has changed";
}

void write_start_record(const StepRun& run, const Json& identity) {
  write_file(record_path(run), Json(Json::Object{{"identity", identity}}).dump(2) + "\n");
}

void set_aside_outdated(const StepRun& run, const FilledStep& filled, const Json& record,
                        const Json& identity) {
  const Json* const earlier = record.find("identity");
  const bool goes_on = filled.command.front() == "train" &&
                       (earlier == nullptr || earlier->dump() == identity.dump());
  if (goes_on || !fs::exists(run.folder)) return;
  const fs::path aside = run.folder.string() + ".outdated";
  fs::remove_all(aside);
  fs::rename(run.folder, aside);
  log_info("what was there is now " + aside.string());
}

void write_record(const StepRun& run, const FilledStep& filled, const Json& identity,
                  double seconds, FileHashes& hashes) {
  Json record;
  record["identity"] = identity;
  record["files"] = Json::Object();
  for (const std::string& file : filled.reads) record["files"][file] = hashes.entry(file);
  record["seconds"] = seconds;
  record["rubric"] = kVersion;
  write_file(record_path(run), record.dump(2) + "\n");
}

}  // namespace rubric
