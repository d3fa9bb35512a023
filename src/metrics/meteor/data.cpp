#include "metrics/meteor/meteor_data.h"

#include "core/files/shipped_files.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall =
    "run scripts/setup --meteor (and install the program again, if it is installed), or set "
    "RUBRIC_METEOR to a folder with METEOR's data";

// Below METEOR's folder.
constexpr const char* kPrefixes = "nonbreaking/english.prefixes";
constexpr const char* kFunctionWords = "function/english.words";
constexpr const char* kSynonyms = "synonym";
constexpr const char* kParaphrases = "data/paraphrase-en.gz";

void require(const fs::path& file) {
  if (!is_there(file, kInstall))
    throw InputError("METEOR's data is not there", file.string(), kInstall);
}

// A line is a prefix, "PREFIX #NUMERIC_ONLY#", a comment (#) or empty.
NonbreakingPrefixes read_prefixes(const fs::path& file) {
  NonbreakingPrefixes prefixes;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    const std::vector<std::string_view> words = meteor_words(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    const bool numeric = words.size() > 1 && words[1] == "#NUMERIC_ONLY#";
    (numeric ? prefixes.before_number : prefixes.always).emplace(words[0]);
  }
  return prefixes;
}

std::unordered_set<std::string> read_function_words(const fs::path& file) {
  std::unordered_set<std::string> words;
  LineReader lines(file);
  for (std::string line; lines.next(line);) words.insert(line);
  return words;
}

}  // namespace

fs::path meteor_folder() {
  const std::string folder = environment("RUBRIC_METEOR");
  return folder.empty() ? fetched_folder("meteor") : fs::path(folder);
}

std::vector<fs::path> meteor_files(const fs::path& folder) {
  std::vector<fs::path> files = {folder / kPrefixes, folder / kFunctionWords,
                                 folder / kSynonyms / "english.synsets",
                                 folder / kSynonyms / "english.exceptions"};
  for (const fs::path& file : files) require(file);
  if (is_there(folder / kParaphrases, kInstall)) files.push_back(folder / kParaphrases);
  return files;
}

MeteorData read_meteor_data(const fs::path& folder) {
  const fs::path paraphrases = folder / kParaphrases;
  std::vector<fs::path> files = meteor_files(folder);
  const bool has_paraphrases = files.back() == paraphrases;
  if (has_paraphrases) files.pop_back();
  std::string hashes;
  for (const fs::path& file : files) hashes += sha256_file(file);
  MeteorData data{read_prefixes(folder / kPrefixes), read_function_words(folder / kFunctionWords),
                  MeteorSynonyms(folder / kSynonyms), std::nullopt, ""};
  if (has_paraphrases) {
    data.paraphrases.emplace(paraphrases);
    hashes += std::to_string(data.paraphrases->table_checksum());
  }
  constexpr size_t kDigits = 8;
  data.hash = sha256(hashes).substr(0, kDigits);
  return data;
}

}  // namespace rubric
