// rubric: runs the light commands itself and hands the others over to rubric-neural.
#include "cli/shared/program.h"

int main(int argc, char** argv) {
  using rubric::cli::Command;
  constexpr bool kForRanks = true;
  static constexpr Command kCommands[] = {
      {"train", "trains a metric as a configuration file says",
       [](const std::vector<std::string>& arguments) -> int {
         rubric::cli::hand_over_to_neural("train", arguments);
       },
       kForRanks},
      {"score", "scores a file of answers with one or more metrics", rubric::cli::run_score,
       kForRanks},
      {"generate", "writes texts with a sequence model, or chooses among given ones",
       [](const std::vector<std::string>& arguments) -> int {
         rubric::cli::hand_over_to_neural("generate", arguments);
       },
       kForRanks},
      {"evaluate", "compares metrics with human judgements", rubric::cli::run_evaluate},
      {"judge", "asks a language model about answers (CHIE), or replays its replies",
       rubric::cli::run_judge},
      {"compare", "tests whether systems differ in one metric", rubric::cli::run_compare},
      {"split", "splits rows into parts to train, tune and test on", rubric::cli::run_split},
      {"prepare", "tokenises a configuration's data ahead of training", rubric::cli::run_prepare,
       kForRanks},
      {"import", "makes a model directory of a published archive",
       [](const std::vector<std::string>& arguments) -> int {
         rubric::cli::hand_over_to_neural("import", arguments);
       }},
      {"derive", "makes derivations from parsed sentences, R4C's baselines",
       rubric::cli::run_derive},
      {"describe", "a data set's statistics", rubric::cli::run_describe},
      {"reproduce", "runs what is missing behind a paper's table, prints paper against measured",
       rubric::cli::run_reproduce},
  };
  return rubric::cli::run_program(argc, argv, kCommands);
}
