// The experiments that the project ships.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "cli/reproduce/reproduce.h"
#include "eval/reproduce/run.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::eval::experiment_files_test {

std::vector<fs::path> shipped() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(source_folder()) + "/experiments")) {
    const std::string name = entry.path().filename();
    const bool is_part =
        name == "steps.yaml" || name == "statements.yaml" ||
        (name == "sample.yaml" && entry.path().parent_path().filename() == "mocha");
    if (entry.path().extension() == ".yaml" && !is_part) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Experiment read(const std::string& name) {
  return read_experiment(std::string(source_folder()) + "/experiments/mocha/" + name + ".yaml",
                         cli::step_commands());
}

TEST(ShippedExperiments, AreWellFormedAndTheirConfigurationsExist) {
  EXPECT_GE(shipped().size(), 27u);
  for (const fs::path& file : shipped()) {
    const Experiment experiment = read_experiment(file, cli::step_commands());
    EXPECT_FALSE(experiment.title.empty()) << file;
    const Plan plan = make_plan(experiment, "");
    for (const StepRun& run : plan.runs) {
      const auto any = [](const Step&, const Bindings&) { return std::string("any"); };
      const FilledStep filled = fill_in(experiment, run, any);
      if (filled.command.front() != "train") continue;
      EXPECT_NO_THROW(cli::step_commands().use_of(filled.command)) << file << ": " << run.name;
    }
  }
}

// A table of p needs METEOR and the STS-B model for the rows of all ten metrics alone.
TEST(ShippedExperiments, NoBaselineTakesAllPWithIt) {
  for (const std::string name : {"out_of_system", "out_of_system_stsb"}) {
    const Experiment table =
        read_experiment(std::string(source_folder()) + "/experiments/evouna/" + name + ".yaml",
                        cli::step_commands());
    const auto needs_meteor = [&](const auto& self, const std::string& step) -> bool {
      return std::ranges::any_of(table.find_step(step)->command, [&](const std::string& word) {
        if (holds(word, "meteor,similarity") && !holds(word, "{metrics}")) return true;
        return std::ranges::any_of(table.steps, [&](const Step& other) {
          return holds(word, "{" + other.name + "}") && self(self, other.name);
        });
      });
    };
    std::set<std::string> of_p;
    for (const Cell& cell : table.cells) {
      if (cell.row.starts_with("p") && !needs_meteor(needs_meteor, cell.step))
        of_p.insert(cell.row);
    }
    EXPECT_EQ(of_p, (std::set<std::string>{"p of eight, SQuAD F1", "p of eight, recall"}));
  }
}

// Fine-tuning tries its learning rates on the one pre-trained model that was selected before.
TEST(ShippedExperiments, FineTuningStartsFromTheSelectedPreTraining) {
  const Experiment table = read("table_4");
  const Plan plan = make_plan(table, "");
  size_t checked = 0;
  for (const StepRun& run : plan.runs) {
    if (run.step->name != "train_ood") continue;
    std::set<std::string> needs;
    for (const size_t need : run.needs) needs.insert(plan.runs[need].name);
    EXPECT_EQ(needs, (std::set<std::string>{"pretrain/pretraining_rate=1.0e-5",
                                            "pretrain/pretraining_rate=2.0e-5",
                                            "pretrain/pretraining_rate=3.0e-5"}))
        << run.name;
    const FilledStep filled =
        fill_in(table, run, [](const Step& step, const Bindings&) { return step.select->axis; });
    EXPECT_TRUE(std::ranges::any_of(filled.command, [](const std::string& word) {
      return word.ends_with("pretrain/pretraining_rate=pretraining_rate/model");
    })) << run.name;
    ++checked;
  }
  EXPECT_EQ(checked, 6u * 3 * 3);
}

// The others' own data is as small as a sample.
TEST(ShippedExperiments, EachOfMochaHasASampleTwin) {
  for (const fs::path& file : shipped()) {
    const std::string name = file.filename();
    if (name.starts_with("sample_") || file.parent_path().filename() != "mocha") continue;
    const fs::path twin = file.parent_path() / ("sample_" + name);
    ASSERT_TRUE(fs::exists(twin)) << twin;
    EXPECT_FALSE(read_experiment(twin, cli::step_commands()).substitute.empty()) << twin;
    EXPECT_NE(read_experiment(twin, cli::step_commands()).output,
              read_experiment(file, cli::step_commands()).output)
        << twin;
  }
}

// Its scored file has precision and recall, too, and results of several metrics are nested deeper.
TEST(ShippedExperiments, BertScoreIsEvaluatedAlone) {
  const Experiment table = read("table_4");
  size_t checked = 0;
  for (const Step& step : table.steps) {
    const bool reads_it = std::ranges::any_of(
        step.command, [](const std::string& word) { return word.starts_with("{score_bertscore"); });
    if (!reads_it) continue;
    const auto option = std::ranges::find(step.command, "--metric");
    ASSERT_LT(option + 1, step.command.end()) << step.name;
    EXPECT_EQ(*(option + 1), "bertscore") << step.name;
    ++checked;
  }
  EXPECT_EQ(checked, 2u);
}

// MiniLM stands in for the model whose layer bertscore knows by its name.
TEST(ShippedExperiments, SamplesNameTheLayerOfBertScore) {
  size_t checked = 0;
  for (const fs::path& file : shipped()) {
    const Experiment experiment = read_experiment(file, cli::step_commands());
    if (experiment.substitute.empty()) continue;
    for (const Step& step : experiment.steps) {
      if (step.command.front() != "score" || step.command[1] != "bertscore") continue;
      EXPECT_TRUE(std::ranges::count(step.command, "--layer")) << file;
      ++checked;
    }
  }
  EXPECT_GE(checked, 8u);
}

TEST(ShippedExperiments, HaveAllCellsOfThePaper) {
  const std::map<std::string, size_t> cells = {
      {"table_2", 6 * 13 + 9}, {"table_4", 6 * 14},  {"table_5", 6},      {"table_6", 5},
      {"table_8", 6 * 5},      {"table_10", 6 * 11}, {"figure_3", 6 * 5}, {"figure_4", 4 * 5}};
  for (const auto& [name, count] : cells) EXPECT_EQ(read(name).cells.size(), count) << name;
}

// Rules and a converter differ in how baselines are made, and in nothing else.
TEST(ShippedExperiments, AConverterReplacesTheRulesOfRev) {
  const std::string rev = std::string(source_folder()) + "/experiments/rev/";
  const TemporaryFolder folder;
  const Experiment by_rules = read_experiment(rev + "table_1.yaml", cli::step_commands());
  const Experiment by_converter =
      read_experiment(folder.write("table.yaml", "include: [" + rev + "table_1.yaml, " + rev +
                                                     "statements.yaml]\n"),
                      cli::step_commands());
  size_t checked = 0;
  for (const Step& step : by_rules.steps) {
    const Step& other = *by_converter.find_step(step.name);
    std::vector<std::string> command = other.command;
    if (step.command[0] == "derive" && step.command[1] == "vacuous-rationales") {
      const auto option = std::ranges::find(command, "--statements");
      ASSERT_NE(option, command.end()) << step.name;
      command.erase(option, option + 2);
      EXPECT_EQ(other.reads, std::vector<std::string>{"{statements}"}) << step.name;
      ++checked;
    }
    EXPECT_EQ(command, step.command) << step.name;
  }
  EXPECT_EQ(checked, 5u);
}

// What simulators choose goes into the rows that their evaluator scored, each by the seed.
TEST(ShippedExperiments, RevsFigureTwoComparesFiveKindsBySeed) {
  const Experiment figure = read_experiment(
      std::string(source_folder()) + "/experiments/rev/figure_2.yaml", cli::step_commands());
  const Plan plan = make_plan(figure, "");
  std::map<std::string, size_t> runs;
  for (const StepRun& run : plan.runs) ++runs[run.step->name];
  EXPECT_EQ(figure.cells.size(), 4u * 5);
  EXPECT_EQ(runs["evaluate_all"], 4u) << "the kinds of a seed together";
  EXPECT_EQ(runs["count"], 1u);
  EXPECT_EQ(runs["train_evaluator"], 4u);
  EXPECT_EQ(runs["train_task"], 3u);
  EXPECT_EQ(runs["train_simulator"], 3u * 4);
  EXPECT_EQ(runs["score"], 5u * 4);
  EXPECT_EQ(runs["simulate_xr"], 5u * 4);
  EXPECT_EQ(runs["pairs_vacuous"], 1u);
  for (const StepRun& run : plan.runs) {
    if (run.name == "label_x_ry/dataset=ecqa") {
      EXPECT_TRUE(std::ranges::count(fill_in(figure, run).command, "{rationale} [answer]"));
    }
    if (run.name == "evaluate_all/dataset=ecqa,seed=2") {
      const std::vector<std::string> command = fill_in(figure, run).command;
      EXPECT_TRUE(std::ranges::count(command, "--common-rows"));
      EXPECT_TRUE(std::ranges::count(
          command, "x_ry=runs/rev/simulate_xr/dataset=ecqa,kind=x_ry,seed=2/rows.jsonl"));
    }
    if (run.name != "score/dataset=ecqa,evaluator=t5_large,kind=x_ry,seed=3") continue;
    const FilledStep filled = fill_in(figure, run);
    EXPECT_TRUE(std::ranges::count(filled.command, "runs/rev/pairs_x_ry/dataset=ecqa/rows.jsonl"));
  }
}

double paper(const Experiment& experiment, const std::string& row, const std::string& column) {
  for (const Cell& cell : experiment.cells) {
    if (cell.row == row && cell.column == column) return cell.paper ? cell.paper->value : -1;
  }
  ADD_FAILURE() << row << " / " << column;
  return -1;
}

// The paper prints averages, which no slip in one of their cells survives. ROUGE-L and METEOR of
// Table 8 are its misprints.
TEST(ShippedExperiments, FiguresAgreeWithThePapersAverages) {
  const std::vector<std::string> names = {"NarrativeQA", "MCScript", "CosmosQA",
                                          "SocialIQA",   "DROP",     "Quoref"};
  const Experiment table_4 = read("table_4"), table_8 = read("table_8");
  const auto mean = [&](const Experiment& experiment, const std::string& row, size_t count,
                        const std::string& end) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += paper(experiment, row, names[i] + end);
    return sum / static_cast<double>(count);
  };
  for (const char* const row : {"BLEU-1", "METEOR", "ROUGE-L", "BERTScore", "BERT STS-B", "LERC"}) {
    for (const char* const split : {" dev", " test"}) {
      EXPECT_NEAR(paper(table_4, row, std::string("Avg. r") + split), mean(table_4, row, 6, split),
                  0.0016)
          << row << split;
    }
  }
  for (const char* const row : {"BLEU-1", "BERTScore", "BERT STS-B", "LERC"}) {
    EXPECT_NEAR(paper(table_8, row, "Avg."), mean(table_8, row, 4, ""), 0.051) << row;
  }
  EXPECT_EQ(paper(table_8, "METEOR", "Avg."), 54);
  EXPECT_EQ(paper(table_8, "ROUGE-L", "Avg."), 61.2);
}

TEST(ShippedExperiments, CountsOfTableTwoAddUpToItsTotals) {
  const Experiment table = read("table_2");
  for (const char* const what : {"passages", "questions", "candidates"}) {
    for (const char* const split : {" train", " dev", " test"}) {
      double sum = 0;
      for (const char* const name :
           {"NarrativeQA", "MCScript", "CosmosQA", "SocialIQA", "DROP", "Quoref"}) {
        sum += paper(table, name, std::string(what) + split);
      }
      EXPECT_EQ(paper(table, "Total", std::string(what) + split), sum) << what << split;
    }
  }
}

}  // namespace rubric::eval::experiment_files_test
