#include "data/csv.h"

#include "core/error.h"
#include "core/utf8.h"

namespace rubric {
namespace {

// Reads one record after another; `at` always stands at the start of a field.
class Parser {
 public:
  Parser(std::string_view text, char separator, const std::string& where)
      : text_(text), separator_(separator), where_(where) {}

  bool next(CsvRecord& record) {
    if (at_ >= text_.size()) return false;
    record = {{}, line_};
    do {
      record.fields.push_back(separator_ != '\t' && peek() == '"' ? quoted() : plain());
    } while (take(separator_));
    take('\r');
    if (at_ < text_.size() && !take('\n')) fail("text follows a closing quote");
    ++line_;
    return true;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string plain() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') ++at_;
    std::string_view field = text_.substr(begin, at_ - begin);
    if (peek() != separator_ && field.ends_with('\r')) field.remove_suffix(1);
    return std::string(field);
  }
  std::string quoted() {
    const int64_t opened = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (peek() != '"') return field;
      }
      if (text_[at_] == '\n') ++line_;
      field += text_[at_];
    }
    line_ = opened;
    fail("a quote is opened and never closed");
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(problem, where_ + ":" + std::to_string(line_),
                     "double the quotes inside a quoted field");
  }

  std::string_view text_;
  char separator_;
  const std::string& where_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text, char separator, const std::string& where) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!is_valid_utf8(text)) throw InputError("the file is not UTF-8", where, "convert it to UTF-8");
  std::vector<CsvRecord> records;
  Parser parser(text, separator, where);
  for (CsvRecord record; parser.next(record);) {
    const bool blank = record.fields.size() == 1 && record.fields[0].empty();
    if (!blank) records.push_back(std::move(record));
  }
  return records;
}

}  // namespace rubric
