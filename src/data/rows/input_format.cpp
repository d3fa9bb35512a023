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

// The format of a .json file: rows, or a data set that is told by how it begins; else MOCHA's.
const InputFormat* json_format(const std::filesystem::path& file) {
  const std::string start = beginning(file);
  if (start.starts_with("[")) return &InputFormat::kJson;
  const bool has_version = start.starts_with("{\"version\":\"");
  const bool has_data = start.starts_with("{\"data\":[") ||
                        (has_version && start.find("\",\"data\":[") != std::string::npos);
  const bool is_squad = has_data && start.find("\"paragraphs\":[") != std::string::npos;
  return is_squad ? find<InputFormat>(kInputFormats, "squad") : &InputFormat::kMocha;
}

// The format of a .jsonl file: rows, or EfficientQA's, whose rows have lists of predictions and no
// candidate. Rows of one's own may have kept such a list beside their candidate.
const InputFormat* jsonl_format(const std::filesystem::path& file) {
  const std::string start = beginning(file);
  const bool is_graded = start.find("\"def_correct_predictions\":[") != std::string::npos &&
                         start.find("\"candidate\":") == std::string::npos;
  return is_graded ? find<InputFormat>(kInputFormats, "efficientqa") : &InputFormat::kJsonl;
}

// The format that the file's name tells; null if it tells none.
const InputFormat* format_of_name(std::filesystem::path file) {
  if (file == kStandardInput) return &InputFormat::kJsonl;
  const std::filesystem::path whole = file;
  if (file.extension() == ".gz") file.replace_extension();
  const std::string extension = file.extension().string();
  if (extension.empty()) return nullptr;
  for (const InputFormat* const format : kInputFormats) {
    if (format->extension != extension) continue;
    if (*format == InputFormat::kJsonl) return jsonl_format(whole);
    return *format == InputFormat::kMocha ? json_format(whole) : format;
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
