// The synonym module's WordNet: which synsets a word stands in, itself or through its base forms.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/files/files.h"

namespace rubric {

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

}  // namespace rubric
