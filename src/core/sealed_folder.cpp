#include "core/sealed_folder.h"

#include <cstdint>
#include <system_error>

#include "core/error.h"
#include "core/hash.h"
#include "core/json.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

void require_equal(const MappedFile& file, const Json& record, const std::string& path,
                   const std::string& seal) {
  const int64_t size = record.require_integer("bytes", seal);
  const auto found = static_cast<int64_t>(file.bytes().size());
  if (found != size) {
    throw InputError("the file has " + std::to_string(found) + " bytes, but " + kSeal + " says " +
                         std::to_string(size),
                     path);
  }
  if (sha256(file.bytes()) != record.require_string("sha256", seal)) {
    throw InputError(std::string("the file is damaged: its SHA-256 is not the one in ") + kSeal,
                     path);
  }
}

}  // namespace

void seal_folder(const fs::path& folder) {
  std::map<std::string, Json> records;  // in an order of their own
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw Error("cannot list the folder: " + error.message(), folder.string());
  for (const auto& entry : entries) {
    const MappedFile file(entry.path());
    Json& record = records[entry.path().filename().string()];
    record["bytes"] = static_cast<int64_t>(file.bytes().size());
    record["sha256"] = sha256(file.bytes());
  }
  Json list = Json::Object(records.begin(), records.end());
  write_file(folder / kSeal, list.dump(2) + "\n");
}

SealedFolder::SealedFolder(const fs::path& folder) : folder_(folder) {
  const std::string seal = path(kSeal);
  const Json list = Json::parse_file(seal);
  if (!list.is_object()) throw InputError("not a list of files", seal);
  for (const auto& [name, record] : list.object()) {
    if (name != fs::path(name).filename()) {
      throw InputError(json_quote(name) + " is not the name of a file", seal);
    }
    const MappedFile& file = files_.try_emplace(name, folder / name).first->second;
    require_equal(file, record, path(name), seal);
  }
}

std::vector<std::string> SealedFolder::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

std::string_view SealedFolder::bytes(const std::string& name) const {
  const auto file = files_.find(name);
  if (file == files_.end())
    throw InputError("the file is not listed in " + path(kSeal), path(name));
  return file->second.bytes();
}

}  // namespace rubric
