// Words of languages that put no blanks between them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/process.h"

namespace rubric::text {

// PyThaiNLP's newmm; jieba, which is for Chinese; ICU's rules and dictionaries for a language.
enum class Segmenter { newmm, jieba, icu };

// Cuts texts into words, any number of them. newmm and jieba are a Python process
// (scripts/segment.py) that runs as long as this; where they are not set up ICU takes their place,
// which a warning says.
class WordSegmenter {
 public:
  explicit WordSegmenter(Segmenter segmenter);  // throws Error when the process does not start

  // The words of a text, without blanks but for jieba's, where they are words of their own; the
  // language is what ICU looks at. Throws Error when the process fails.
  std::vector<std::string> words(const std::string& text, const std::string& language);

  const std::string& name() const { return name_; }  // what cuts: "newmm-5.4.0", "icu-72.1"

 private:
  std::unique_ptr<LineProcess> process_;  // null: ICU
  std::string name_;
};

// The virtual environment with the segmenters: where $RUBRIC_SEGMENTERS says, else where
// scripts/setup --segmenters puts it, and for an installed program share/rubric/segmenters beside
// its bin/.
std::filesystem::path segmenter_folder();

// Words as ICU cuts them: by Unicode's rules, and dictionaries for Thai, Chinese and their like.

// Everything between two word boundaries that is not white space, punctuation included. Throws
// Error when ICU has no data for that.
std::vector<std::string> icu_words(std::string_view text, const std::string& language);

std::string icu_version();  // "72.1"

}  // namespace rubric::text
