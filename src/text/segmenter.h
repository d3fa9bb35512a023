// Words of languages that put no blanks between them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

// PyThaiNLP's newmm; jieba, which is for Chinese; ICU's rules and dictionaries for a language.
enum class Segmenter { newmm, jieba, icu };

struct Segmentation {
  std::vector<std::vector<std::string>> words;  // of each text; without blanks
  std::string segmenter;                        // what cut them: "newmm-5.4.0", "icu-72.1"
};

// The texts in words: newmm's and jieba's by a Python process that reads them line by line
// (scripts/segment.py), or by ICU, with a warning, where these are not set up. Throws Error when
// the process fails.
Segmentation segment(std::span<const std::string> texts, Segmenter segmenter,
                     const std::string& language);

// The virtual environment with the segmenters: where $RUBRIC_SEGMENTERS says, else where
// scripts/setup --segmenters puts it.
std::filesystem::path segmenter_folder();

}  // namespace rubric
