// The data of METEOR 1.5, in the folders of its distribution: the jar's entries and the paraphrase
// table beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "metrics/meteor/data.h"
#include "metrics/meteor/paraphrase_index.h"
#include "metrics/meteor/normalizer.h"

namespace rubric {

struct MeteorData {
  NonbreakingPrefixes prefixes;                    // nonbreaking/english.prefixes
  std::unordered_set<std::string> function_words;  // function/english.words
  MeteorSynonyms synonyms;                         // synonym/english.*
  std::optional<ParaphraseIndex> paraphrases;      // data/paraphrase-en.gz, when it is there
  std::string hash;                                // of all of them, the first 8 digits
};

// Where $RUBRIC_METEOR says; else, for a program built in a checkout, where scripts/setup --meteor
// puts it, and for an installed one share/rubric/meteor beside its bin/.
std::filesystem::path meteor_folder();

// The files that read_meteor_data() reads, the paraphrase table last when it is there. Throws
// InputError when another one is missing.
std::vector<std::filesystem::path> meteor_files(const std::filesystem::path& folder);

// Throws InputError when the folder or a file other than the paraphrase table is missing.
MeteorData read_meteor_data(const std::filesystem::path& folder);

}  // namespace rubric
