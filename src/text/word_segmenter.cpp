#include "text/word_segmenter.h"

#include <memory>

#include <unicode/ubrk.h>
#include <unicode/utext.h>
#include <unicode/uvernum.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

namespace {
namespace fs = std::filesystem;

constexpr const char* kInstall = "run scripts/setup --segmenters";
constexpr std::chrono::minutes kPatience(5);  // a text of a megabyte takes some seconds

const char* name_of(Segmenter segmenter) {
  return segmenter == Segmenter::newmm ? "newmm" : "jieba";
}

void require_success(UErrorCode status, const std::string& language) {
  if (U_SUCCESS(status)) return;
  throw Error("ICU cannot find words: " + std::string(u_errorName(status)), language);
}

bool is_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!is_white_space(decode_utf8(text, at))) return false;
  }
  return true;
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
    missing_ = name;
    return;
  }
  process_ = std::make_unique<LineProcess>(
      std::vector<std::string>{folder / "bin" / "python", script, name}, kPatience,
      "remove " + folder.string() + " and " + kInstall);
  name_ = Json::parse(process_->read_line(), script).require_string("segmenter", script);
}

std::vector<std::string> WordSegmenter::words(const std::string& text,
                                              const std::string& language) {
  // ICU cuts words between blanks about as newmm does: its own are those of Thai.
  const bool is_newmm = missing_ == name_of(Segmenter::newmm);
  if (!missing_.empty() && (!is_newmm || language.starts_with("th"))) {
    log_warning(missing_ + " is not set up: ICU finds the words; for the published values " +
                kInstall);
    missing_.clear();
  }
  if (!process_) return icu_words(text, language);
  const Json answer = Json::parse(process_->ask(json_quote(text)), name_);
  std::vector<std::string> words;
  for (const Json& word : answer.require_array("words", name_)) words.push_back(word.string());
  return words;
}

std::vector<std::string> icu_words(std::string_view text, const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> boundaries(
      ubrk_open(UBRK_WORD, language.c_str(), nullptr, 0, &status), &ubrk_close);
  require_success(status, language);
  const std::unique_ptr<UText, decltype(&utext_close)> units(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status),
      &utext_close);
  ubrk_setUText(boundaries.get(), units.get(), &status);
  require_success(status, language);
  std::vector<std::string> words;
  size_t begin = 0;
  for (int32_t end = ubrk_next(boundaries.get()); end != UBRK_DONE;
       end = ubrk_next(boundaries.get())) {
    const std::string_view word = text.substr(begin, static_cast<size_t>(end) - begin);
    begin = static_cast<size_t>(end);
    if (!is_blank(word)) words.emplace_back(word);
  }
  return words;
}

std::string icu_version() {
  return U_ICU_VERSION;
}

}  // namespace rubric::text
