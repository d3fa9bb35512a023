#include "text/segmenter.h"

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"
#include "core/process.h"
#include "core/work_folder.h"
#include "text/icu_words.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall = "run scripts/setup --segmenters";

const char* name_of(Segmenter segmenter) {
  return segmenter == Segmenter::newmm ? "newmm" : "jieba";
}

fs::path checkout() {
  return program_directory().parent_path().parent_path();
}

// The answer to each text; the first line names the segmenter.
Segmentation read_words(const fs::path& file, size_t texts) {
  LineReader lines(file);
  std::string line;
  if (!lines.next(line)) throw Error("the segmenter says nothing", file.string(), kInstall);
  Segmentation result;
  result.segmenter = Json::parse(line, lines.where()).require_string("segmenter", lines.where());
  while (lines.next(line)) {
    const Json words = Json::parse(line, lines.where());
    std::vector<std::string>& text = result.words.emplace_back();
    for (const Json& word : words.require_array("words", lines.where())) {
      text.push_back(word.string());
    }
  }
  if (result.words.size() == texts) return result;
  throw Error("the segmenter answers " + std::to_string(result.words.size()) + " of " +
                  std::to_string(texts) + " texts",
              result.segmenter, kInstall);
}

Segmentation segment_by_icu(std::span<const std::string> texts, const std::string& language) {
  Segmentation result;
  result.segmenter = "icu-" + icu_version();
  for (const std::string& text : texts) result.words.push_back(icu_words(text, language));
  return result;
}

}  // namespace

fs::path segmenter_folder() {
  const std::string folder = environment("RUBRIC_SEGMENTERS");
  return folder.empty() ? checkout() / ".deps" / "segmenters" : fs::path(folder);
}

Segmentation segment(std::span<const std::string> texts, Segmenter segmenter,
                     const std::string& language) {
  if (segmenter == Segmenter::icu) return segment_by_icu(texts, language);
  const fs::path python = segmenter_folder() / "bin" / "python";
  const fs::path script = checkout() / "scripts" / "segment.py";
  const bool is_set_up = is_there(segmenter_folder() / "DONE", kInstall);
  if (!is_set_up || !is_there(script, kInstall)) {
    log_warning(std::string(name_of(segmenter)) + " is not set up: ICU finds the words of " +
                language + "; for the published figures " + kInstall);
    return segment_by_icu(texts, language);
  }
  const WorkFolder folder;
  std::string lines;
  for (const std::string& text : texts) lines += json_quote(text) + "\n";
  write_file(folder.file("texts"), lines);
  const int status =
      run_process({python.string(), script.string(), name_of(segmenter)},
                  {folder.file("texts"), folder.file("words"), folder.file("errors")});
  if (status == 0) return read_words(folder.file("words"), texts.size());
  throw Error("the segmenter failed: " + read_file(folder.file("errors")), python.string(),
              kInstall);
}

}  // namespace rubric
