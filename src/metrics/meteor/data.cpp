#include "metrics/meteor/data.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include <libstemmer.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "core/hash.h"
#include "core/text/utf8.h"
#include "metrics/meteor/normalizer.h"

namespace rubric::metrics {

namespace {
namespace fs = std::filesystem;

constexpr const char* kInstallMeteor =
    "run scripts/setup --meteor in the clone of rubric that this was built from, or set "
    "RUBRIC_METEOR to a directory with METEOR's data";

// Paths below METEOR's directory.
constexpr const char* kPrefixes = "nonbreaking/english.prefixes";
constexpr const char* kFunctionWords = "function/english.words";
constexpr const char* kSynonyms = "synonym";
constexpr const char* kParaphrases = "data/paraphrase-en.gz";

void require(const fs::path& file) {
  if (!is_there(file, kInstallMeteor))
    throw InputError("METEOR's data is not there", file.string(), kInstallMeteor);
}

// Each line is a prefix, "PREFIX #NUMERIC_ONLY#", a comment (#) or empty.
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

// The rules of WordNet's morphy for nouns, verbs and adjectives, in METEOR's order: the first that
// gives a word of the dictionary counts.
struct Ending {
  std::string_view inflected, base;
};
constexpr Ending kEndings[] = {
    {"s", ""},      {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"},
    {"men", "man"}, {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},    {"ed", ""},
    {"ing", "e"},   {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"},
};

// Calls `add` with each pair of lines and the number of the first.
void read_pairs(
    std::string_view text, const std::filesystem::path& file,
    const std::function<void(std::string_view first, std::string_view second, int64_t line)>& add) {
  const auto take_line = [&text] {
    const auto end = static_cast<size_t>(std::ranges::find(text, '\n') - text.begin());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  };
  for (int64_t line = 1; !text.empty(); line += 2) {
    const std::string_view first = take_line();
    if (text.empty()) {
      throw InputError("the second line of a pair is missing",
                       file.string() + ":" + std::to_string(line), "run scripts/setup --meteor");
    }
    add(first, take_line(), line);
  }
}

bool is_list_of_numbers(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789 ") == std::string_view::npos;
}

}  // namespace

fs::path meteor_directory() {
  const std::string folder = environment("RUBRIC_METEOR");
  return folder.empty() ? fetched_data_folder("meteor") : fs::path(folder);
}

std::vector<fs::path> meteor_files(const fs::path& folder) {
  std::vector<fs::path> files = {folder / kPrefixes, folder / kFunctionWords,
                                 folder / kSynonyms / "english.synsets",
                                 folder / kSynonyms / "english.exceptions"};
  for (const fs::path& file : files) require(file);
  if (is_there(folder / kParaphrases, kInstallMeteor)) files.push_back(folder / kParaphrases);
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

MeteorSynonyms::MeteorSynonyms(const std::filesystem::path& directory) {
  const std::filesystem::path synsets = directory / "english.synsets";
  const std::filesystem::path exceptions = directory / "english.exceptions";
  synsets_file_ = std::make_unique<MappedFile>(synsets);
  exceptions_file_ = std::make_unique<MappedFile>(exceptions);
  constexpr size_t kBytesOfWord = 20;
  synsets_.reserve(synsets_file_->bytes().size() / kBytesOfWord);
  read_pairs(synsets_file_->bytes(), synsets,
             [&](std::string_view word, std::string_view numbers, int64_t line) {
               if (!is_list_of_numbers(numbers)) {
                 throw InputError("synsets of a word must be numbers",
                                  synsets.string() + ":" + std::to_string(line + 1),
                                  "run scripts/setup --meteor");
               }
               synsets_[word] = numbers;
             });
  read_pairs(exceptions_file_->bytes(), exceptions,
             [&](std::string_view base, std::string_view forms, int64_t) {
               for (const std::string_view form : meteor_words(forms)) bases_[form].push_back(base);
             });
}

void MeteorSynonyms::append_synsets(std::string_view word, std::vector<int32_t>& out) const {
  const auto found = synsets_.find(word);
  if (found == synsets_.end()) return;
  for (const std::string_view digits : meteor_words(found->second)) {
    int32_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    out.push_back(number);
  }
}

// The base form by the rules above, or "".
std::string_view MeteorSynonyms::regular_base(std::string_view word, std::string& buffer) const {
  if (word.size() <= 2 || word.ends_with("ss")) return "";
  for (const Ending& ending : kEndings) {
    if (!word.ends_with(ending.inflected)) continue;
    buffer = word.substr(0, word.size() - ending.inflected.size());
    buffer += ending.base;
    if (synsets_.contains(buffer)) return buffer;
  }
  return "";
}

std::vector<int32_t> MeteorSynonyms::synsets(std::string_view word) const {
  std::vector<int32_t> numbers;
  append_synsets(word, numbers);
  if (const auto irregular = bases_.find(word); irregular != bases_.end()) {
    for (const std::string_view base : irregular->second) append_synsets(base, numbers);
  } else {
    std::string buffer;
    append_synsets(regular_base(word, buffer), numbers);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

uint32_t java_hash(std::string_view text) {
  constexpr uint32_t kFactor = 31;
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const char32_t c = decode_utf8(text, i);
    if (c < 0x10000) {
      hash = hash * kFactor + c;
    } else {  // two UTF-16 units
      hash = hash * kFactor + (0xD800 + ((c - 0x10000) >> 10));
      hash = hash * kFactor + (0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return hash;
}

MeteorLexicon::MeteorLexicon(const MeteorData& data)
    : data_(data), stemmer_(sb_stemmer_new("english", "UTF_8")) {
  if (stemmer_ == nullptr) throw Error("libstemmer has no English stemmer");
}

MeteorLexicon::~MeteorLexicon() {
  sb_stemmer_delete(stemmer_);
}

std::string_view MeteorLexicon::stem(std::string_view word) {
  const sb_symbol* const stemmed = sb_stemmer_stem(
      stemmer_, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stemmed == nullptr) throw Error("libstemmer is out of memory");
  return {reinterpret_cast<const char*>(stemmed), static_cast<size_t>(sb_stemmer_length(stemmer_))};
}

const MeteorWord& MeteorLexicon::look_up(std::string_view text) {
  if (const auto found = known_.find(text); found != known_.end()) return found->second;
  MeteorWord& word = known_[texts_.emplace_back(text)];
  word.key = java_hash(text);
  word.stem_key = java_hash(stem(text));
  if (data_.paraphrases) word.paraphrase_word = data_.paraphrases->word(text);
  word.is_function_word = data_.function_words.contains(std::string(text));
  word.synsets = data_.synonyms.synsets(text);
  return word;
}

void MeteorLexicon::read(std::string_view text, MeteorSentence& sentence) {
  sentence.words.clear();
  sentence.keys.clear();
  sentence.stem_keys.clear();
  sentence.paraphrase_words.clear();
  sentence.phrases.clear();
  sentence.function_words = 0;
  const std::string normalized = normalize_for_meteor(text, data_.prefixes);
  for (const std::string_view text_word : meteor_words(normalized)) {
    const MeteorWord& word = look_up(text_word);
    sentence.words.push_back(&word);
    sentence.keys.push_back(word.key);
    sentence.stem_keys.push_back(word.stem_key);
    sentence.paraphrase_words.push_back(word.paraphrase_word);
    sentence.function_words += word.is_function_word ? 1 : 0;
  }
  if (!data_.paraphrases) return;
  const std::span<const int32_t> numbers = sentence.paraphrase_words;
  for (int32_t i = 0; i < sentence.size(); ++i) {
    data_.paraphrases->find(numbers.subspan(static_cast<size_t>(i)), found_);
    for (const ParaphraseIndex::Found& phrase : found_) sentence.phrases.push_back({i, phrase});
  }
}

bool MeteorLexicon::forget_if_large() {
  constexpr size_t kMostWords = size_t{1} << 16;  // some 15 MB, for each thread
  if (known_.size() <= kMostWords) return false;
  known_.clear();
  texts_.clear();
  return true;
}

}  // namespace rubric::metrics
