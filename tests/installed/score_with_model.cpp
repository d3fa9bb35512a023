// Scores the row MODEL PASSAGE QUESTION REFERENCE CANDIDATE, after an error of the library.
#include <iostream>

#include <rubric/neural.h>

int main(int, char** argv) {
  try {
    rubric::make_metric_with_model("lerc", "no such model");
  } catch (const rubric::InputError&) {
    std::cout << "input error\n";
  }
  const auto lerc = rubric::make_metric_with_model("lerc", argv[1]);
  const std::vector<rubric::Answer> row = {
      {.passage = argv[2], .question = argv[3], .candidate = argv[5], .references = {argv[4]}}};
  std::cout << lerc->score(row).rows[0][0] << "\n";
}
