#include "data/rows/input_format.h"

#include "core/error.h"
#include "data/answers/list.h"

namespace rubric::data {
namespace {

// The format of files with this extension; null if the extension tells none.
const InputFormat* format_of_extension(const std::string& extension) {
  if (extension.empty()) return nullptr;
  for (const InputFormat* const format : kInputFormats) {
    if (format->extension == extension) return format;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> input_format_names() {
  return names_of<InputFormat>(kInputFormats);
}

InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option) {
  const InputFormat* const found = name.empty() ? format_of_extension(file.extension().string())
                                                : find<InputFormat>(kInputFormats, name);
  if (found != nullptr) return *found;
  if (name.empty()) {
    throw InputError("the file's name does not tell its format", file.string(),
                     "name it with " + option + ": " + join(input_format_names()));
  }
  throw InputError("unknown input format \"" + name + "\"", option,
                   "choose " + join(input_format_names()));
}

InputFormat rows_or_mocha(const std::filesystem::path& file) {
  const InputFormat* const found = format_of_extension(file.extension().string());
  return found != nullptr && has_rows(*found) ? *found : InputFormat::mocha;
}

}  // namespace rubric::data
