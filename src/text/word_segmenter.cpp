#include "text/word_segmenter.h"

#include "core/files/shipped_files.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "text/icu_words.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall = "run scripts/setup --segmenters";
constexpr std::chrono::minutes kPatience(5);  // a text of a megabyte takes some seconds

const char* name_of(Segmenter segmenter) {
  return segmenter == Segmenter::newmm ? "newmm" : "jieba";
}

}  // namespace

fs::path segmenter_folder() {
  const std::string folder = environment("RUBRIC_SEGMENTERS");
  return folder.empty() ? fetched_folder("segmenters") : fs::path(folder);
}

WordSegmenter::WordSegmenter(Segmenter segmenter) : name_("icu-" + icu_version()) {
  if (segmenter == Segmenter::icu) return;
  const std::string name = name_of(segmenter);
  const fs::path folder = segmenter_folder(), script = shipped_path("scripts/segment.py");
  if (!is_there(folder / "DONE", kInstall) || !is_there(script, kInstall)) {
    log_warning(name + " is not set up: ICU finds the words; for the published figures " +
                kInstall);
    return;
  }
  process_ = std::make_unique<LineProcess>(
      std::vector<std::string>{folder / "bin" / "python", script, name}, kPatience,
      "remove " + folder.string() + " and " + kInstall);
  name_ = Json::parse(process_->read_line(), script).require_string("segmenter", script);
}

std::vector<std::string> WordSegmenter::words(const std::string& text,
                                              const std::string& language) {
  if (!process_) return icu_words(text, language);
  const Json answer = Json::parse(process_->ask(json_quote(text)), name_);
  std::vector<std::string> words;
  for (const Json& word : answer.require_array("words", name_)) words.push_back(word.string());
  return words;
}

}  // namespace rubric
