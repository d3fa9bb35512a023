// METEOR's data (WordNet synonyms, function words, paraphrases), where it is found on disk, and
// sentences annotated with it.
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
  // Reads english.synsets (a line with a word, then a line with its synset numbers) and
  // english.exceptions (a line with a base form, then a line with its irregular forms). Throws
  // InputError when a file is missing or malformed.
  explicit MeteorSynonyms(const std::filesystem::path& directory);

  // The synsets of a word and of its base forms, sorted and distinct; empty for a word that WordNet
  // lacks.
  std::vector<int32_t> synsets(std::string_view word) const;

 private:
  void append_synsets(std::string_view word, std::vector<int32_t>& out) const;
  std::string_view regular_base(std::string_view word, std::string& buffer) const;

  std::unique_ptr<MappedFile> synsets_file_, exceptions_file_;      // the tables point into them
  std::unordered_map<std::string_view, std::string_view> synsets_;  // numbers as text
  std::unordered_map<std::string_view, std::vector<std::string_view>> bases_;
};

// The data of METEOR 1.5, in the directories of its distribution: the entries of its jar, and the
// paraphrase table beside it.
struct MeteorData {
  NonbreakingPrefixes prefixes;                    // nonbreaking/english.prefixes
  std::unordered_set<std::string> function_words;  // function/english.words
  MeteorSynonyms synonyms;                         // synonym/english.*
  std::optional<ParaphraseIndex> paraphrases;      // data/paraphrase-en.gz, optional
  std::string hash;                                // first 8 digits of the hash of all these files
};

// METEOR's directory: $RUBRIC_METEOR, else where scripts/setup --meteor puts it, or what an
// installed program has of it in share/rubric beside its bin/.
std::filesystem::path meteor_directory();

// The files that read_meteor_data() reads; the optional paraphrase table is last. Throws InputError
// when another file is missing.
std::vector<std::filesystem::path> meteor_files(const std::filesystem::path& folder);

// Throws InputError when the directory or a file other than the paraphrase table is missing.
MeteorData read_meteor_data(const std::filesystem::path& folder);

// What METEOR's modules know about a word.
struct MeteorWord {
  // Java's String.hashCode() of the word and of its stem. METEOR compares these instead of the
  // words, so colliding words match here too.
  uint32_t key = 0, stem_key = 0;
  int32_t paraphrase_word = -1;  // number in the paraphrase table; -1: not in it
  bool is_function_word = false;
  std::vector<int32_t> synsets;  // sorted
};

// The words of a text, with the fields used most in separate arrays.
struct MeteorSentence {
  std::vector<const MeteorWord*> words;
  std::vector<uint32_t> keys, stem_keys;
  std::vector<int32_t> paraphrase_words;
  struct Phrase {
    int32_t start;
    ParaphraseIndex::Found found;
  };
  std::vector<Phrase> phrases;  // found in the paraphrase table; by start, then by length
  int32_t function_words = 0;   // number of function words

  int32_t size() const { return static_cast<int32_t>(words.size()); }
};

// Annotates the words of texts and caches them.
class MeteorLexicon {
 public:
  explicit MeteorLexicon(const MeteorData& data);  // must outlive this
  ~MeteorLexicon();
  MeteorLexicon(const MeteorLexicon&) = delete;
  MeteorLexicon& operator=(const MeteorLexicon&) = delete;

  // Reads a raw text into `sentence`, which is overwritten. The words are valid until
  // forget_if_large() returns true.
  void read(std::string_view text, MeteorSentence& sentence);

  // Clears a large cache; returns whether it did.
  bool forget_if_large();

 private:
  const MeteorWord& look_up(std::string_view word);
  std::string_view stem(std::string_view word);

  const MeteorData& data_;
  sb_stemmer* stemmer_;
  std::deque<std::string> texts_;  // known_ points into them
  std::unordered_map<std::string_view, MeteorWord> known_;
  std::vector<ParaphraseIndex::Found> found_;  // buffer of read()
};

uint32_t java_hash(std::string_view text);  // String.hashCode() of valid UTF-8

}  // namespace rubric::metrics
