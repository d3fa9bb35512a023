#include "data/multiple_choice/mctest.h"

#include "core/error.h"
#include "core/files/files.h"
#include "core/text/ascii.h"
#include "data/rows/csv.h"

namespace rubric::data {
namespace {

constexpr size_t kQuestions = 4, kOptions = 4;
constexpr size_t kFirstQuestion = 3, kColumns = kFirstQuestion + kQuestions * (1 + kOptions);

std::vector<CsvRecord> read_records(const std::filesystem::path& file, size_t columns) {
  std::vector<CsvRecord> records = parse_csv(read_text(file), '\t', Quoting::plain, file.string());
  for (const CsvRecord& record : records) {
    if (record.fields.size() == columns) continue;
    throw InputError("expected " + std::to_string(columns) + " tab-separated columns, found " +
                         std::to_string(record.fields.size()),
                     file.string() + ":" + std::to_string(record.line),
                     "give MCTest's file, with tabs between its columns");
  }
  return records;
}

std::string without_markup(std::string text) {
  for (const char* const markup : {"\\newline", "\\tab"}) replace_all(text, markup, " ");
  return text;
}

std::string without_prefix(const std::string& question) {
  for (const std::string prefix : {"one:", "multiple:"}) {
    if (!question.starts_with(prefix)) continue;
    const size_t begin = question.find_first_not_of(' ', prefix.size());
    return begin == std::string::npos ? "" : question.substr(begin);
  }
  return question;
}

}  // namespace

std::vector<std::filesystem::path> mctest_files(const std::filesystem::path& tsv) {
  return {tsv, std::filesystem::path(tsv).replace_extension(".ans")};
}

ChoiceSet read_mctest(const std::filesystem::path& tsv) {
  const std::filesystem::path ans = mctest_files(tsv).back();
  const std::vector<CsvRecord> stories = read_records(tsv, kColumns);
  const std::vector<CsvRecord> answers = read_records(ans, kQuestions);
  if (stories.size() != answers.size()) {
    throw InputError(counted(std::ssize(answers), "line of answers", "lines of answers") + " to " +
                         counted(std::ssize(stories), "story"),
                     ans.string(), "take both files from the same release");
  }
  ChoiceSet set;
  for (size_t story = 0; story < stories.size(); ++story) {
    const std::vector<std::string>& fields = stories[story].fields;
    const std::string where = ans.string() + ":" + std::to_string(answers[story].line);
    const std::string passage = without_markup(fields[2]);
    for (size_t i = 0; i < kQuestions; ++i) {
      const size_t column = kFirstQuestion + i * (1 + kOptions);
      ChoiceQuestion question;
      question.id = fields[0] + "#" + std::to_string(i + 1);
      question.source = source_name("mctest", tsv);
      question.passage = passage;
      question.question = without_markup(without_prefix(fields[column]));
      std::vector<std::string> options;
      for (size_t k = 1; k <= kOptions; ++k) options.push_back(without_markup(fields[column + k]));
      set_answers(question, options, option_of_letter(answers[story].fields[i], kOptions, where));
      set.questions.push_back(std::move(question));
    }
  }
  require_questions(set, tsv);
  return set;
}

}  // namespace rubric::data
