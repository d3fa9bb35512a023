#include "data/multiple_choice/readers.h"

#include "core/error.h"
#include "core/json/json.h"

namespace rubric::data {

std::string source_name(const std::string& data_set, const std::filesystem::path& path) {
  std::filesystem::path plain = path.lexically_normal();
  if (!plain.has_filename()) plain = plain.parent_path();  // "race/train/" is "race/train"
  return data_set + "/" + plain.filename().string();
}

size_t option_of_letter(const std::string& letter, size_t options, const std::string& where) {
  if (letter.size() == 1 && letter[0] >= 'A' && letter[0] < 'A' + static_cast<int>(options)) {
    return static_cast<size_t>(letter[0] - 'A');
  }
  throw InputError("the answer " + json_quote(letter) + " is not one of the " +
                       counted(static_cast<int64_t>(options), "option") + ", called A, B, …",
                   where, "correct the letter, or add the option");
}

void set_answers(ChoiceQuestion& question, const std::vector<std::string>& options,
                 size_t correct) {
  for (size_t i = 0; i < options.size(); ++i) {
    (i == correct ? question.correct : question.incorrect).push_back(options[i]);
  }
}

void require_questions(const ChoiceSet& set, const std::filesystem::path& path) {
  if (!set.questions.empty() || !set.dropped.empty()) return;
  throw InputError("there are no questions", path.string(), "name the file that has them");
}

}  // namespace rubric::data
