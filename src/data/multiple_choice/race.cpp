#include "data/multiple_choice/race.h"

#include <algorithm>

#include "core/error.h"
#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDistractors = 2;

void read_article(const fs::path& file, const ChoiceQuestion& blank, ChoiceSet& set) {
  const std::string where = file.string();
  const Json article = Json::parse_file(file);
  const std::string& passage = article.require_string("article", where);
  const std::vector<std::string> questions = required_texts(article, "questions", where);
  const Json::Array& options = article.require_array("options", where);
  const std::vector<std::string> answers = required_texts(article, "answers", where);
  if (options.size() != questions.size() || answers.size() != questions.size()) {
    throw InputError(counted(std::ssize(questions), "question") + ", " +
                         counted(std::ssize(options), "list of options", "lists of options") +
                         " and " + counted(std::ssize(answers), "answer"),
                     where, "give every question its options and its answer");
  }
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string number = std::to_string(i + 1), place = where + ": question " + number;
    ChoiceQuestion question = blank;
    question.id += "#" + number;
    question.passage = passage;
    question.question = questions[i];
    const std::vector<std::string> texts =
        required_texts(Json::Object{{"options", options[i]}}, "options", place);
    set_answers(question, texts, option_of_letter(answers[i], texts.size(), place));
    if (question.question.find('?') == std::string::npos) {
      ++set.dropped["RACE questions without \"?\""];
    } else if (question.incorrect.size() < kDistractors) {
      ++set.dropped["RACE questions with fewer than 2 wrong options"];
    } else {
      question.incorrect.resize(kDistractors);
      set.questions.push_back(std::move(question));
    }
  }
}

}  // namespace

std::vector<fs::path> race_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::follow_directory_symlink,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    const bool is_hidden = path.filename().string().starts_with('.');
    if (entry->is_directory()) {
      if (is_hidden) entry.disable_recursion_pending();
    } else if (path.extension() == ".txt" || path.extension() == ".json") {
      if (!is_hidden) files.push_back(path);
    } else if (!is_hidden) {
      throw InputError("neither .txt nor .json: this is not an article of RACE", path.string(),
                       "keep other files elsewhere");
    }
  }
  if (error)
    throw InputError("cannot read the directory: " + error.message(), folder.string(),
                     "check the path, and who may read it");
  if (files.empty())
    throw InputError("there is no article in the directory", folder.string(),
                     "name the folder that has RACE's files, such as RACE/train/middle");
  std::sort(files.begin(), files.end());
  return files;
}

ChoiceSet read_race(const fs::path& folder) {
  ChoiceSet set;
  for (const fs::path& file : race_files(folder)) {
    ChoiceQuestion blank;
    blank.source = source_name("race", folder);
    blank.id = file.lexically_relative(folder).generic_string();
    read_article(file, blank, set);
  }
  require_questions(set, folder);
  return set;
}

}  // namespace rubric::data
