// The synonym module's WordNet: which synsets a word stands in, itself or through its base forms.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/files/files.h"
#include "metrics/meteor/normalizer.h"
#include "metrics/meteor/paraphrase_index.h"

struct sb_stemmer;

namespace rubric::metrics {

class MeteorSynonyms {
 public:
  // Reads english.synsets (a word's line, then one of its synsets' numbers) and english.exceptions
  // (a base form's line, then one of its irregular forms). Throws InputError when a file is missing
  // or of another form.
  explicit MeteorSynonyms(const std::filesystem::path& directory);

  // Sorted, each once; empty for a word that WordNet lacks.
  std::vector<int32_t> synsets(std::string_view word) const;

 private:
  void append_synsets(std::string_view word, std::vector<int32_t>& out) const;
  std::string_view regular_base(std::string_view word, std::string& buffer) const;

  std::unique_ptr<MappedFile> synsets_file_, exceptions_file_;      // whose parts the tables hold
  std::unordered_map<std::string_view, std::string_view> synsets_;  // numbers as they are written
  std::unordered_map<std::string_view, std::vector<std::string_view>> bases_;
};

// The data of METEOR 1.5, in the folders of its distribution: the jar's entries and the paraphrase
// table beside it.

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

// What METEOR's modules know of a word.

struct MeteorWord {
  // Equal keys are equal words, equal stem keys equal stems: Java's String.hashCode(), which METEOR
  // compares in their place, so that two words with one hash match here as they do there.
  uint32_t key = 0, stem_key = 0;
  int32_t paraphrase_word = -1;  // its number in the paraphrase table
  bool is_function_word = false;
  std::vector<int32_t> synsets;  // sorted
};

// The words of a text, and what of them is looked at most in arrays of its own.
struct MeteorSentence {
  std::vector<const MeteorWord*> words;
  std::vector<uint32_t> keys, stem_keys;
  std::vector<int32_t> paraphrase_words;
  struct Phrase {
    int32_t start;
    ParaphraseIndex::Found found;
  };
  std::vector<Phrase> phrases;  // that the paraphrase table has; by start, then by length
  int32_t function_words = 0;   // how many

  int32_t size() const { return static_cast<int32_t>(words.size()); }
};

// Remembers the words it was asked for.
class MeteorLexicon {
 public:
  explicit MeteorLexicon(const MeteorData& data);  // which must outlive it
  ~MeteorLexicon();
  MeteorLexicon(const MeteorLexicon&) = delete;
  MeteorLexicon& operator=(const MeteorLexicon&) = delete;

  // A text as it came, into a sentence that may have been another one. Its words stand until they
  // are forgotten.
  void read(std::string_view text, MeteorSentence& sentence);

  // Keeps memory bounded. Says whether it has forgotten all words.
  bool forget_if_large();

 private:
  const MeteorWord& look_up(std::string_view word);
  std::string_view stem(std::string_view word);

  const MeteorData& data_;
  sb_stemmer* stemmer_;
  std::deque<std::string> texts_;  // that known_ refers to
  std::unordered_map<std::string_view, MeteorWord> known_;
  std::vector<ParaphraseIndex::Found> found_;  // buffer of read()
};

uint32_t java_hash(std::string_view text);  // String.hashCode() of valid UTF-8

}  // namespace rubric::metrics
