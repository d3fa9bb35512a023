// Scores three answers with token F1, and prints the signature that belongs beside the scores.
#include <iostream>

#include <rubric/rubric.h>

int main() {
  const auto f1 = rubric::make_metric("f1");
  const std::vector<rubric::Answer> answers = {{.candidate = "the dog", .references = {"dog"}},
                                               {.candidate = "a black cat", .references = {"cat"}},
                                               {.candidate = "fish", .references = {"bird"}}};
  for (const auto& row : f1->score(answers).rows) std::cout << row[0] << "\n";
  std::cout << f1->signature() << "\n";
}
