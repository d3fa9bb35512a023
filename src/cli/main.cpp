// rubric: the light commands; it hands the others over to rubric-neural.
#include "cli/shared/program.h"

int main(int argc, char** argv) {
  using rubric::Command;
  constexpr bool kForRanks = true;
  static constexpr Command kCommands[] = {
      {"train", "trains a metric as a configuration file says",
       [](const std::vector<std::string>& arguments) -> int {
         rubric::hand_over_to_neural("train", arguments);
       },
       kForRanks},
      {"score", "scores a file of answers with one or more metrics", rubric::run_score, kForRanks},
      {"generate", "writes texts with a sequence model, or chooses among given ones",
       [](const std::vector<std::string>& arguments) -> int {
         rubric::hand_over_to_neural("generate", arguments);
       },
       kForRanks},
      {"evaluate", "compares metrics with human judgements", rubric::run_evaluate},
      {"judge", "asks a language model about answers (CHIE), or replays its replies",
       rubric::run_judge},
      {"compare", "tests whether systems differ in one metric", rubric::run_compare},
      {"split", "splits rows into parts to train, tune and test on", rubric::run_split},
      {"prepare", "tokenises a configuration's data ahead of training", rubric::run_prepare,
       kForRanks},
      {"import", "makes a model directory of a published archive",
       [](const std::vector<std::string>& arguments) -> int {
         rubric::hand_over_to_neural("import", arguments);
       }},
      {"derive", "makes derivations from parsed sentences, R4C's baselines", rubric::run_derive},
      {"describe", "a data set's statistics", rubric::run_describe},
      {"reproduce", "runs what is missing behind a paper's table, prints paper against measured",
       rubric::run_reproduce},
  };
  return rubric::run_program(argc, argv, kCommands);
}
