// Splits texts into words, for languages that put no spaces between words too.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/process.h"

namespace rubric::text {

// newmm: PyThaiNLP's, for Thai; jieba: for Chinese; icu: ICU's rules and dictionaries for a
// language.
enum class Segmenter { newmm, jieba, icu };

// Splits any number of texts into words. newmm and jieba run in a Python process
// (scripts/segment.py) that lives as long as this object; if they are not installed, ICU replaces
// them, with a warning where they have words of their own: newmm in Thai, jieba.
class WordSegmenter {
 public:
  explicit WordSegmenter(Segmenter segmenter);  // throws Error when the process does not start

  // The words of a text, without spaces; jieba returns spaces as words of their own. Only ICU uses
  // `language`. Throws Error when the process fails.
  std::vector<std::string> words(const std::string& text, const std::string& language);

  const std::string& name() const {
    return name_;
  }  // the segmenter in use: "newmm-5.4.0", "icu-72.1"

 private:
  std::unique_ptr<LineProcess> process_;  // null: ICU
  std::string name_, missing_;            // missing_: not set up, until it is warned of
};

// The virtual environment with the segmenters: $RUBRIC_SEGMENTERS, else where scripts/setup
// --segmenters puts it; for an installed program share/rubric/segmenters beside its bin/.
std::filesystem::path segmenter_folder();

// Words by ICU's word boundaries: Unicode's rules, and dictionaries for Thai, Chinese and similar
// languages. Includes punctuation, leaves out white space. Throws Error when ICU has no data for
// the language.
std::vector<std::string> icu_words(std::string_view text, const std::string& language);

std::string icu_version();  // "72.1"

}  // namespace rubric::text
