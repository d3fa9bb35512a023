#include "judge/default_prompt.h"

#include <string>

#include "core/files/shipped_files.h"
#include "core/error.h"
#include "core/files/files.h"

namespace rubric {
namespace {

std::filesystem::path shipped_prompt(const std::string& name) {
  constexpr const char* kAdvice = "name a file with --prompt, or install rubric again";
  std::filesystem::path file = shipped_path("configs/prompts/" + name);
  if (is_there(file, kAdvice)) return file;
  throw InputError("the default prompt is not there", file.string(), kAdvice);
}

}  // namespace

std::filesystem::path default_judge_prompt() {
  return shipped_prompt("chie_en.txt");
}

std::filesystem::path default_preference_prompt() {
  return shipped_prompt("preference_en.txt");
}

}  // namespace rubric
