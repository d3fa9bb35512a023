#include "metrics/meteor_data.h"

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall =
    "run scripts/setup --meteor (and install the program again, if it is installed), or set "
    "RUBRIC_METEOR to a folder with METEOR's data";

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
  if (!folder.empty()) return folder;
  const fs::path installed = program_directory().parent_path();
  const fs::path checkout = installed.parent_path();
  return is_there(checkout / "scripts" / "setup", kInstall)
             ? checkout / ".deps" / "meteor"
             : installed / "share" / "rubric" / "meteor";
}

MeteorData read_meteor_data(const fs::path& folder) {
  const fs::path prefixes = folder / "nonbreaking" / "english.prefixes";
  const fs::path function_words = folder / "function" / "english.words";
  const fs::path synonyms = folder / "synonym";
  const fs::path paraphrases = folder / "data" / "paraphrase-en.gz";
  std::string hashes;
  for (const fs::path& file :
       {prefixes, function_words, synonyms / "english.synsets", synonyms / "english.exceptions"}) {
    require(file);
    hashes += sha256_file(file);
  }
  MeteorData data{read_prefixes(prefixes), read_function_words(function_words),
                  MeteorSynonyms(synonyms), std::nullopt, ""};
  if (is_there(paraphrases, kInstall)) {
    data.paraphrases.emplace(paraphrases);
    hashes += std::to_string(data.paraphrases->table_checksum());
  }
  constexpr size_t kDigits = 8;
  data.hash = sha256(hashes).substr(0, kDigits);
  return data;
}

}  // namespace rubric
