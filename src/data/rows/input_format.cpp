#include "data/rows/input_format.h"

#include <fstream>
#include <system_error>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/gzip.h"
#include "data/answers/list.h"

namespace rubric::data {
namespace {

// The file's first characters without white space; "" of what is no file. What cannot be read is an
// error later.
std::string beginning(const std::filesystem::path& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return "";
  constexpr size_t kEnough = 4096;
  std::string start;
  if (is_plain_text(file)) {
    start.resize(kEnough);
    std::ifstream stream(file, std::ios::binary);
    stream.read(start.data(), kEnough);
    start.resize(static_cast<size_t>(stream.gcount()));
    if (start.starts_with("\xEF\xBB\xBF")) start.erase(0, 3);
  } else if (file.extension() == ".gz") {
    try {
      start.resize(kEnough);
      start.resize(GzipReader(file, "").read(start.data(), kEnough));
    } catch (const InputError&) {
      return "";  // an error later
    }
  } else {
    start = read_text(file);
  }
  std::erase_if(start, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return start;
}

// The format of a file whose text is JSON; `usual` if it begins as no published data set.
const InputFormat* json_format(const std::filesystem::path& file, const InputFormat* usual) {
  const std::string start = beginning(file);
  for (const InputFormat* const format : kInputFormats) {
    if (format->is_begun_by != nullptr && format->is_begun_by(start)) return format;
  }
  const bool is_array = *usual == InputFormat::kMocha && start.starts_with("[");
  return is_array ? &InputFormat::kJson : usual;
}

// The format that the file's name tells; null if it tells none.
const InputFormat* format_of_name(const std::filesystem::path& file) {
  if (file == kStandardInput) return &InputFormat::kJsonl;
  const std::string extension = without_gz(file).extension().string();
  if (extension.empty()) return nullptr;
  for (const InputFormat* const format : kInputFormats) {
    if (format->extension != extension) continue;
    const bool is_json = *format == InputFormat::kJsonl || *format == InputFormat::kMocha;
    return is_json ? json_format(file, format) : format;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> input_format_names() {
  return names_of<InputFormat>(kInputFormats);
}

InputFormat input_format(const std::string& name, const std::filesystem::path& file,
                         const std::string& option, char delimiter) {
  const InputFormat* const found =
      name.empty() ? format_of_name(file) : find<InputFormat>(kInputFormats, name);
  if (found != nullptr) {
    InputFormat format = *found;
    if (delimiter == '\0') return format;
    if (!is_table(format)) {
      throw InputError(
          "--delimiter is only valid with tables, and the format is " + std::string(format.name),
          file.string(), "leave it out, or add " + option + " csv");
    }
    format.separator = delimiter;
    return format;
  }
  if (name.empty()) {
    require_readable_file(file);  // one that is not there is not asked for its format
    throw InputError("the file's name does not tell its format", file.string(),
                     "name it with " + option + ": " + join(input_format_names()));
  }
  throw InputError("unknown input format \"" + name + "\"", option,
                   "choose " + join(input_format_names()));
}

InputFormat rows_or_mocha(const std::filesystem::path& file) {
  const InputFormat* const found = format_of_name(file);
  return found != nullptr && has_rows(*found) ? *found : InputFormat::kMocha;
}

}  // namespace rubric::data
