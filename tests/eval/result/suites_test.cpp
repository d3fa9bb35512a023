// What holds for the result of every suite, in every format: a new suite is a line of suites().
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "core/json/json.h"
#include "data/answers/mocha_statistics.h"
#include "data/derivations/readers.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/csv.h"
#include "eval/agreement/gaps.h"
#include "eval/chie/chie.h"
#include "eval/describe/describe.h"
#include "eval/estimate/coverage.h"
#include "eval/mocha/mocha_example.h"
#include "eval/preference/preference.h"
#include "eval/r4c/r4c.h"
#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/plan.h"
#include "eval/reproduce/report.h"
#include "eval/result/render.h"
#include "eval/result/training.h"
#include "eval/rev/rev_example.h"
#include "eval/score/score.h"
#include "judge/ledger/example_entry.h"
#include "judge/ledger/ledger.h"
#include "messages.h"
#include "paths.h"
#include "rubric/agreement.h"
#include "rubric/choose.h"
#include "rubric/compare.h"
#include "rubric/estimate.h"
#include "rubric/plan.h"
#include "temporary_folder.h"

namespace rubric::eval::suites_test {

const TemporaryFolder& suite_files() {
  static const TemporaryFolder folder;
  return folder;
}

std::string source_file(const std::string& name) {
  return std::string(source_folder()) + "/" + name;
}

// Names that each format must escape.
constexpr const char* kHostileNames[] = {"a|b",
                                         "[x](javascript:alert(1))",
                                         "$x_1$ ~~y~~ *z*",
                                         "<b>&amp;</b>",
                                         "100% #1 {n} \\ ^",
                                         "two\nlines",
                                         "\"q\", r",
                                         "0.5 [0.1, 0.9]"};

Result hostile() {
  Result result{.title = "<i>$t_1$", .notes = {"[n](x) | $m$ ~~s~~ 5% & #1 {"}};
  result.records = {{.name = "rows",
                     .title = "Rows",
                     .columns = {"system", "[score]"},
                     .size = std::size(kHostileNames),
                     .row = [](size_t row) {
                       return std::vector<RecordValue>{kHostileNames[row], 0.5};
                     }}};
  for (const char* name : kHostileNames) {
    result.measurements.push_back({.keys = {.metric = "f$_1$", .system = name},
                                   .statistic = "mean",
                                   .value = 1.0 / 3,
                                   .interval = Interval{0.1, 0.7},
                                   .p = 1e-9,
                                   .p_is_bound = true,
                                   .n = 7,
                                   .why_missing = name});
  }
  result.tables = {{.title = "Means",
                    .rows = {{"system", &Keys::system}},
                    .columns = {{.statistics = {"mean"}, .across = &Keys::metric}}}};
  result.interval_plots = {{.layout = result.tables.front(), .axis = "<mean>"}};
  return result;
}

Result compared() {
  std::string rows;
  for (int i = 0; i < 12; ++i) {
    for (const char* system : {"a", "b", "c"}) {
      const Json::Object scores = {{"f1", Json(0.05 * ((i * (system[0] - 'a' + 3)) % 7))},
                                   {"em", Json(int64_t{i % 2})}};
      rows += Json(Json::Object{{"id", Json(std::to_string(i))},
                                {"system", Json(system)},
                                {"part", Json(i < 6 ? "all records" : "late")},
                                {"candidate", Json("<answer> " + std::to_string(i))},
                                {"scores", Json(scores)}})
                  .dump() +
              "\n";
    }
  }
  CompareRequest request;
  request.files = {suite_files().write("scored.jsonl", rows)};
  request.metrics = {"f1", "em"};
  request.system = "system";
  request.group = "part";
  request.bootstrap.resamples = 20;
  request.rows = 2;
  return rubric::compare_systems(request);
}

Result preferred() {
  const std::string file = source_file("tests/golden/inputs/preferences.jsonl");
  return evaluate_preferences(judge::read_ledger(file).entries, "", {.resamples = 20}, file);
}

// Two judges and two annotators of two systems' answers to three questions.
Result judged() {
  std::vector<judge::Ledger> ledgers(2);
  std::string labels = "system,id,annotator,C,H,I,E\n", scores;
  for (const std::string system : {"short", "long"}) {
    for (const std::string id : {"1", "2", "3"}) {
      ledgers[0].entries.push_back(example_entry(system, id, id == "3" ? "none" : kReply));
      ledgers[1].entries.push_back(
          example_entry(system, id, "1. Agree 2. Agree 3. Disagree 4. Agree", {"llama", "", "{}"}));
      for (const std::string annotator : {"a", "b"}) {
        labels += system + "," + id + "," + annotator + ",1,0,0," + (id == "1" ? "1" : "0") + "\n";
      }
      scores += R"({"id": ")" + id + R"(", "system": ")" + system +
                R"(", "language": "en", "candidate": "It is 308.", "scores": {"bertscore": 0.)" +
                id + "}}\n";
    }
  }
  const ChieRequest request{.ledger = "L",
                            .other_ledgers = {"M"},
                            .judge = {},
                            .language = {},
                            .scores = suite_files().write("scores.jsonl", scores),
                            .labels = suite_files().write("labels.csv", labels),
                            .annotators = {"a"},
                            .bootstrap = {.resamples = 20}};
  return chie_result(evaluate_ledgers(ledgers, request));
}

Result mocha_suite() {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  for (data::Answer& one : example.answers) one.ratings = {*one.score, 3};
  MochaPredictions other = example.lerc;
  other.metric = "f1";
  other.answers[{"drop", "0"}] = 4;
  const std::vector<MochaPredictions> metrics = {example.lerc, other};
  const std::vector<data::AnswerPair> pairs = four_pairs();
  std::vector<MochaResult> results;
  for (const MochaPredictions& metric : metrics) {
    results.push_back(evaluate_mocha(example.answers, pairs, metric, {.resamples = 20}));
  }
  return mocha_result(results, test_mocha(example.answers, pairs, metrics, {}), false);
}

// Of labels of two values, and of rows some of whose questions a model has seen.
Result agreed() {
  std::string rows;
  for (int i = 0; i < 24; ++i) {
    for (const char* system : {"a", "b", "c"}) {
      const int shift = system[0] - 'a';
      Json row = Json::Object{{"id", Json(std::to_string(i))},
                              {"system", Json(system)},
                              {"question", Json("<q> " + std::to_string(i))},
                              {"part", Json(i < 12 ? "all rows" : "late")},
                              {"label", Json(int64_t{(i + shift) % 3 == 0})}};
      row["scores"]["f1"] = 0.1 * ((i + shift) % 3) + 0.01 * (i * (shift + 2) % 7);
      row["scores"]["em"] = int64_t{i * (shift + 1) % 2};
      if (i < 8) row["seen"]["f1"] = i < 5 ? "trained" : "tuned";
      rows += row.dump() + "\n";
    }
  }
  AgreementRequest request;
  request.input = suite_files().write("labelled.jsonl", rows);
  request.human = "label";
  request.group = "part";
  request.system = "system";
  request.options.bootstrap.resamples = 20;
  request.resampled = true;
  return rubric::evaluate_agreement(request);
}

Result listed_gaps() {
  static int calls = 0;  // a list that is there is not replaced
  std::string lines;
  for (const char* const group : {"a|b", "a|b", "[1, 2]"}) {
    const Json row = Json::Object{{"id", Json(std::to_string(lines.size()))},
                                  {"group", Json(group)},
                                  {"f1", Json(0.25)},
                                  {"<score>", Json(0.75)},
                                  {"reference", Json(Json::Array{"x", "[0.1, 0.9]"})},
                                  {"candidate", Json("$y$\n2")}};
    lines += row.dump() + "\n";
  }
  GapsRequest request;
  request.input = suite_files().write("rows_of_gaps.jsonl", lines);
  request.metrics = {"f1"};
  request.human = "<score>";
  request.group = "group";
  request.output = suite_files().file("gaps" + std::to_string(++calls) + ".jsonl");
  return evaluate_gaps(request);
}

Result tallied() {
  GapsRequest request;
  request.tally = suite_files().write(
      "filled.csv", "category,group\nother words,x|y\nwrong <b>,$z$\nOther words,$z$\n,$z$\n");
  return evaluate_gaps(request);
}

Result derivations() {
  const std::string folder = source_file("tests/fixtures/r4c/");
  const R4cRequest request{.gold = folder + "gold.json",
                           .predictions = folder + "predictions.json",
                           .hotpotqa = "",
                           .explain = "q000",
                           .options = {},
                           .per_question = {}};
  return r4c_result(evaluate_r4c_files(request), request);
}

Result kinds_of_rationales() {
  const std::vector<RevPairs> pairs = {{"gold", {five_rationales(), five_rationales()}},
                                       {"x_yr", {five_rationales()}}};
  const RevEvaluation evaluation = evaluate_rev(pairs, {.resamples = 20});
  std::vector<data::RationaleJudgement> judgements;
  for (const char* const kind : {"gold", "x_yr"}) {
    for (const char* const id : {"1", "2", "3"}) {
      judgements.push_back({id, kind, id != std::string("2"), id == std::string("1") ? 3 : 0, ""});
    }
  }
  return rev_result(evaluation, evaluate_rev_humans(judgements, pairs, evaluation), true);
}

Result covered() {
  LabelledAnswers answers;
  answers.metrics = {"f1"};
  answers.scores.resize(1);
  answers.system_names = {"a"};
  for (uint32_t i = 0; i < 40; ++i) {
    answers.scores[0].push_back(i % 5);
    answers.labels.push_back(i % 7);
    answers.labelled.push_back(i);
    answers.systems.push_back(0);
    answers.questions.of.push_back(i);
  }
  answers.questions.count = 40;
  return evaluate_coverage(answers, "score",
                           {.sizes = {10}, .draws = 10, .bootstrap = {.resamples = 10}});
}

Result mocha_described() {
  const auto split = [](const std::string& name) {
    return SplitStatistics{name, data::mocha_statistics(read_mocha_instances(
                                     source_file("samples/mocha/" + name + ".json")))};
  };
  return mocha_description(std::vector{split("dev"), split("train")});
}

Result derivations_described() {
  const auto split = [](const std::string& name) {
    return count_derivations(name, data::read_r4c(source_file("samples/r4c/" + name + ".json")));
  };
  return r4c_description(std::vector{split("dev"), split("train")});
}

Result rationales_described() {
  const auto split = [](const std::string& name) {
    return count_rationales(
        name, data::read_rationales(source_file("samples/rev/" + name + ".jsonl")).records);
  };
  return rationale_description(std::vector{split("dev"), split("train")});
}

// Few labels of two systems and groups; one group has too few of one system.
EstimateRequest few_labels() {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    for (const char* system : {"a", "b"}) {
      Json row;
      row["id"] = std::to_string(i);
      row["system"] = system;
      row["part"] = i < 8 ? "early" : "all answers";
      row["candidate"] = "<answer> " + std::to_string(i);
      row["scores"] = Json::Object{{"f1", Json(0.05 * ((i * (system[0] - 'a' + 3)) % 7))},
                                   {"em", Json(int64_t{i % 2})}};
      if (i % 3 != 0) row["label"] = int64_t{(i * (system[0] - 'a' + 2)) % 5};
      rows += row.dump() + "\n";
    }
  }
  EstimateRequest request{.all = suite_files().write("few.jsonl", rows), .human = "label"};
  request.system = "system";
  request.bootstrap.resamples = 20;
  return request;
}

Result estimated() {
  EstimateRequest request = few_labels();
  request.group = "part";
  return rubric::estimate(request);
}

Result planned() {
  return rubric::plan({.pilot = few_labels(), .difference = 0.5, .width = 0.2});
}

Result drawn_sheet() {
  return rubric::choose({.input = few_labels().all,
                         .budget = 20,
                         .metrics = {"f1"},
                         .system = "system",
                         .method = ChooseMethod::score});
}

// With all that a score may say.
Result scored() {
  return eval::score_result(std::vector<FileScore>{{.name = "f1",
                                                    .value = 0.5,
                                                    .interval = Interval{0.25, 0.75},
                                                    .rows = 8,
                                                    .signature = "f1|refs:1",
                                                    .best = NoAnswerThreshold{0.625, 0.875},
                                                    .truncated = {1, 4},
                                                    .trained_on = {2},
                                                    .correct = 3},
                                                   {.name = "bleu",
                                                    .value = 12.5,
                                                    .interval = {},
                                                    .rows = 8,
                                                    .signature = "bleu|<tok>",
                                                    .is_corpus = true}});
}

// A run that kept its start, with parts of every form.
Result trained() {
  const std::vector<ValidationPoint> validations = {
      {.step = 0, .epoch = 0, .train_loss = {}, .value = 0.5, .is_best = true, .dev_loss = 0.25},
      {.step = 8, .epoch = 1, .train_loss = 0.125, .value = {}}};
  const Json parts = Json::parse(
      R"({"pearson": 0.5, "loss": 0.25, "constituents": {"": 0.5, "a|b": 0.75, "<b>": null},
          "sources": {"$x$": {"pearson": 0.5, "loss": 1}}})",
      "parts");
  return training_result(validations, {"pearson", parts, 8, {{"this run", 0.5}, {"[f1]", {}}}});
}

// Cells of runs that are done, and of two seeds; the training is not there.
Result reproduced() {
  const std::string p = "  - {row: p, column: A, step: count, kind: p, value: /p}\n";
  const Experiment experiment = example(suite_files(), kExampleSteps, kExampleCells + p);
  const Plan plan = make_plan(experiment, "");
  ExperimentOutcome outcome;
  for (const StepRun& run : plan.runs) {
    const bool is_done = run.step->name == "evaluate" || run.step->name == "count";
    outcome.runs.push_back({is_done ? RunState::done : RunState::not_run, "no GPU", {}, 0});
    if (!is_done) continue;
    suite_files().write(
        "runs/" + run.name + "/results.json",
        R"({"n": 12, "p": 0.03, "constituents": {"a": {"pearson": 0.5}, "b": {"pearson": 0.75}}})");
  }
  return experiment_result(experiment, plan, outcome, cell_results(experiment, plan, outcome));
}

// A dry run: the steps to run, and a step that is left out.
Result planned_runs() {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  ExperimentOutcome outcome;
  for (const StepRun& run : plan.runs) {
    const bool is_left_out = run.step->name == "train";
    outcome.runs.push_back({is_left_out ? RunState::not_run : RunState::to_run, "no GPU", {}, 0});
  }
  return dry_run_result(experiment, plan, outcome, true);
}

struct Suite {
  std::string name;
  Result (*result)();
};

const std::vector<std::pair<std::string, Result>>& suites() {
  static const std::vector<Suite> kSuites = {{"hostile", hostile},
                                             {"score", scored},
                                             {"compare", compared},
                                             {"evaluate agreement", agreed},
                                             {"evaluate gaps", listed_gaps},
                                             {"evaluate gaps --tally", tallied},
                                             {"evaluate mocha", mocha_suite},
                                             {"evaluate preference", preferred},
                                             {"evaluate chie", judged},
                                             {"evaluate r4c", derivations},
                                             {"evaluate rev", kinds_of_rationales},
                                             {"evaluate coverage", covered},
                                             {"estimate", estimated},
                                             {"plan", planned},
                                             {"choose", drawn_sheet},
                                             {"describe mocha", mocha_described},
                                             {"describe r4c", derivations_described},
                                             {"describe rationales", rationales_described},
                                             {"reproduce", reproduced},
                                             {"reproduce --dry-run", planned_runs},
                                             {"train", trained}};
  static const auto results = [] {
    std::vector<std::pair<std::string, Result>> made;
    for (const Suite& suite : kSuites) made.emplace_back(suite.name, suite.result());
    return made;
  }();
  return results;
}

// Formats.

// Of a line, how many `character` have no backslash before them.
int64_t unescaped(std::string_view line, char character) {
  int64_t count = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == character) {
      ++count;
    }
  }
  return count;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The statistics and the keys in each row of a suite's table in docs/results_format.md.
std::vector<std::pair<std::string, std::string>> documented_statistics(const std::string& suite) {
  static const std::string page = read_file(source_file("docs/results_format.md"));
  const std::string heading = "\n### `" + suite + "`\n";
  const size_t begin = page.find(heading);
  if (begin == page.npos) return {};
  const size_t end = page.find("\n### ", begin + 1);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& line : lines_of(page.substr(begin, end - begin))) {
    if (!line.starts_with("|`")) continue;
    const size_t keys = line.find('|', 1) + 1, value = line.find('|', keys);
    rows.emplace_back(line.substr(0, keys), line.substr(keys, value - keys));
  }
  return rows;
}

// The first fault of a page's markup: a tag that is not closed, or an ampersand of no entity.
std::string fault_of_page(const std::string& page) {
  static const std::set<std::string> kVoid = {"meta", "link", "br", "hr", "img", "input", "col"};
  std::vector<std::string> open;
  for (size_t i = 0; i < page.size(); ++i) {
    if (page[i] == '&') {
      const size_t end = page.find_first_not_of("#abcdefghijklmnopqrstuvwxyz0123456789", i + 1);
      if (end == page.npos || page[end] != ';') return "ampersand: " + page.substr(i, 40);
    }
    if (page[i] != '<') continue;
    const size_t begin = i;
    if (page[i + 1] == '!') {
      i = page.find('>', i);
      continue;
    }
    const bool closes = page[i + 1] == '/';
    const size_t name_at = i + (closes ? 2 : 1);
    const size_t name_end = page.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", name_at);
    const std::string name = page.substr(name_at, name_end - name_at);
    bool is_quoted = false;
    for (i = name_end; i < page.size() && (is_quoted || page[i] != '>'); ++i) {
      if (page[i] == '"') is_quoted = !is_quoted;
      if (page[i] == '<') return "<: " + page.substr(begin, 60);
    }
    if (name.empty() || i == page.size()) return "tag: " + page.substr(begin, 60);
    if (closes) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes none";
      open.pop_back();
    } else if (name == "script" || name == "style") {
      i = page.find('>', page.find("</" + name, i));
    } else if (!kVoid.contains(name) && page[i - 1] != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST(Suites, ColumnsAreOfStatisticsThatAreThere) {
  for (const auto& [name, result] : suites()) {
    std::set<std::string> statistics;
    for (const Measurement& one : result.measurements) statistics.insert(one.statistic);
    for (const Layout& layout : result.tables) {
      for (const Column& column : layout.columns) {
        for (const std::string& statistic : column.statistics) {
          EXPECT_TRUE(statistics.contains(statistic))
              << name << ": " << layout.title << ": " << statistic;
        }
      }
    }
  }
}

// A row of the suite's table names the statistic and each key that it has.
TEST(Suites, StatisticsAreDocumented) {
  for (const auto& [name, result] : suites()) {
    if (name == "hostile") continue;
    const auto rows = documented_statistics(name);
    EXPECT_FALSE(rows.empty()) << name << " has no section";
    for (const Measurement& one : result.measurements) {
      const auto documents = [&](const auto& row) {
        return holds(row.first, "`" + one.statistic + "`") &&
               std::ranges::all_of(kKeys, [&](const auto& key) {
                 return (one.keys.*key.second).empty() || holds(row.second, key.first);
               });
      };
      EXPECT_TRUE(std::ranges::any_of(rows, documents)) << name << ": " << one.statistic;
    }
  }
}

TEST(Suites, NoTwoColumnsHaveOneName) {
  for (const auto& [name, result] : suites()) {
    for (const Table& table : result_tables(result, kPrintedText)) {
      const std::set<std::string> names(table.header.begin(), table.header.end());
      EXPECT_EQ(names.size(), table.header.size()) << name << ": " << table.title;
    }
  }
}

TEST(Suites, KeysAndStatisticNameOneMeasurement) {
  for (const auto& [name, result] : suites()) EXPECT_NO_THROW(check_unique(result)) << name;
}

TEST(Suites, ThereIsAValueOrTheReasonWhyNot) {
  for (const auto& [name, result] : suites()) {
    if (name == "hostile") continue;
    for (const Measurement& one : result.measurements) {
      EXPECT_EQ(one.value.has_value(), one.why_missing.empty()) << name << ": " << one.statistic;
    }
  }
}

TEST(Suites, CsvAndJsonHoldTheSame) {
  for (const auto& [name, result] : suites()) {
    const std::vector<data::CsvRecord> rows =
        data::parse_csv(print(result, OutputFormat::csv), ',', data::Quoting::quoted, "CSV");
    const Json json = Json::parse(print(result, OutputFormat::json), "JSON");
    const Json::Array& measurements = json.find("measurements")->array();
    ASSERT_EQ(rows.size(), measurements.size() + 1) << name;
    for (size_t row = 0; row < measurements.size(); ++row) {
      const Json::Object& one = measurements[row].object();
      size_t members = 0;
      for (size_t column = 0; column < rows[0].fields.size(); ++column) {
        const std::string& cell = rows[row + 1].fields.at(column);
        const Json* const value = measurements[row].find(rows[0].fields[column]);
        if (value != nullptr) ++members;
        if (value == nullptr || value->is_null()) {
          EXPECT_TRUE(cell.empty() || cell == "inf")
              << name << ": " << cell;  // JSON has no infinity
        } else if (value->is_number()) {
          EXPECT_EQ(std::strtod(cell.c_str(), nullptr), value->number()) << name;
        } else {
          EXPECT_EQ(cell, value->is_string() ? value->string() : value->dump()) << name;
        }
      }
      EXPECT_EQ(members + (measurements[row].find("resampled") == nullptr ? 0 : 1), one.size())
          << name;
    }
  }
}

// The rows of a table have as many cells as its header, and nothing of a name is markup.
TEST(Suites, MarkdownIsWellFormed) {
  for (const auto& [name, result] : suites()) {
    int64_t cells = 0;
    for (const std::string& line : lines_of(print(result, OutputFormat::markdown))) {
      const std::string where = name + ": " + line;
      if (line.starts_with("|")) {
        if (cells == 0) cells = unescaped(line, '|');
        EXPECT_EQ(unescaped(line, '|'), cells) << where;
      } else {
        cells = 0;
      }
      for (const char character : std::string("[]$~<&_`")) {
        EXPECT_EQ(unescaped(line, character), 0) << where;
      }
      EXPECT_TRUE(unescaped(line, '*') == 0 || line.starts_with("**")) << where;
    }
  }
}

TEST(Suites, LatexIsWellFormed) {
  for (const auto& [name, result] : suites()) {
    size_t columns = 0;
    for (const std::string& line : lines_of(print(result, OutputFormat::latex))) {
      const std::string where = name + ": " + line;
      if (line.starts_with("% ")) continue;
      EXPECT_EQ(unescaped(line, '{'), unescaped(line, '}')) << where;
      for (const char character : std::string("$%#_~^")) {
        EXPECT_EQ(unescaped(line, character), 0) << where;
      }
      if (line.starts_with("\\begin{tabular}{")) {
        columns = line.size() - std::string("\\begin{tabular}{}").size();
      } else if (line.starts_with("\\end{tabular}")) {
        columns = 0;
      } else if (columns > 0 && !line.ends_with("rule")) {
        EXPECT_EQ(unescaped(line, '&'), static_cast<int64_t>(columns) - 1) << where;
        EXPECT_TRUE(line.ends_with(" \\\\")) << where;
      } else {
        EXPECT_EQ(unescaped(line, '&'), 0) << where;
      }
    }
    EXPECT_EQ(columns, 0u) << name;
  }
}

TEST(Suites, HtmlIsWellFormed) {
  for (const auto& [name, result] : suites()) {
    EXPECT_EQ(fault_of_page(to_html(result_report(result, "rubric x <y> & \"z\""))), "") << name;
    EXPECT_EQ(fault_of_page(print(result, OutputFormat::html)), "") << name;
  }
}

TEST(Suites, TextHasNoControlCharacters) {
  for (const auto& [name, result] : suites()) {
    const std::string text = print(result, OutputFormat::text, 80);
    for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), 80u) << line;
    EXPECT_FALSE(text.empty()) << name;
    EXPECT_TRUE(text.ends_with("\n")) << name;
    EXPECT_TRUE(std::ranges::none_of(text, [](unsigned char c) {
      return (c < ' ' && c != '\n') || c == 0x7f;
    })) << name;
  }
}

}  // namespace rubric::eval::suites_test
