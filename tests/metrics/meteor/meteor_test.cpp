#include "metrics/meteor/meteor.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/rows/csv.h"
#include "messages.h"
#include "metrics/fixture_rows.h"
#include "metrics/meteor/meteor_folder.h"
#include "paths.h"

namespace rubric::metrics::meteor_test {

double score(Meteor& meteor, const std::string& reference, const std::string& candidate) {
  const std::vector<std::string> references = {reference};
  return meteor.score(references, candidate);
}

std::shared_ptr<const MeteorData> data_of(const MeteorFolder& folder) {
  return std::make_shared<const MeteorData>(read_meteor_data(folder.path()));
}

void expect_equal_to_java(Meteor& meteor, const std::string& column) {
  const Json rows = Json::parse_file(std::string(fixtures_folder()) + "/meteor/pairs.json");
  ASSERT_GT(rows.array().size(), 390u);
  for (const Json& row : rows.array()) {
    const std::string& candidate = row.find("candidate")->string();
    EXPECT_NEAR(meteor.score(references_of(row), candidate), row.find(column)->number(), 1e-12)
        << candidate << " | " << references_of(row)[0];
  }
}

TEST(Meteor, EqualsTheJavaProgram) {
  const MeteorFolder folder;
  Meteor meteor(data_of(folder));
  expect_equal_to_java(meteor, "meteor");
  expect_contains(meteor_settings(*data_of(folder)),
                  "1.5|case:lc|tok:norm|modules:exact,stem,synonym,paraphrase|data:");
}

TEST(Meteor, RunsWithoutParaphrasesAndSaysSo) {
  const MeteorFolder folder;
  const std::string whole = meteor_settings(*data_of(folder));
  std::filesystem::remove(folder.table());
  Meteor meteor(data_of(folder));
  expect_equal_to_java(meteor, "without_paraphrases");
  const std::string part = meteor_settings(*data_of(folder)),
                    same = "1.5|case:lc|tok:norm|modules:exact,stem,synonym|data:";
  EXPECT_TRUE(part.starts_with(same)) << part;
  EXPECT_NE(part.substr(part.rfind(':')), whole.substr(whole.rfind(':')));
}

TEST(Meteor, TextsOfNoWordScoreNothing) {
  const MeteorFolder folder;
  Meteor meteor(data_of(folder));
  EXPECT_EQ(score(meteor, "a", ""), 0);
  EXPECT_EQ(score(meteor, "", "a"), 0);
  EXPECT_EQ(score(meteor, "", ""), 0);
  EXPECT_EQ(score(meteor, "\u00a0", "\u00a0"), 0);
  EXPECT_GT(score(meteor, "\xff", "\xff"), 0);  // both are a replacement character
}

TEST(Meteor, LongTextsAreScoredOrRefused) {
  const MeteorFolder folder;
  Meteor meteor(data_of(folder));
  std::string different, equal;
  for (int i = 0; i < 5000; ++i) {
    different += "w" + std::to_string(i) + " ";
    equal += "the ";
  }
  EXPECT_EQ(score(meteor, different, different), 1);
  EXPECT_GT(score(meteor, different + "car", "auto " + different), 0.5);
  const std::string some = equal.substr(0, 4 * 200);
  EXPECT_GT(score(meteor, some + "car", "auto " + some), 0.5);
  expect_contains(input_error([&] { score(meteor, equal, equal); }), "too many words in common");
  EXPECT_GT(score(meteor, "the car", "the car"), 0.9);  // and goes on afterwards
}

TEST(Meteor, RemembersOnlySoManyWords) {
  const MeteorFolder folder;
  Meteor meteor(data_of(folder));
  for (int i = 0; i < 70; ++i) {
    std::string text = "the car ";
    for (int j = 0; j < 5000; ++j) text += "w" + std::to_string(5000 * i + j) + " ";
    ASSERT_GT(score(meteor, "the auto", text), 0);
  }
}

// Answers and references in the order of tests/fixtures/make_meteor.py.
struct Row {
  std::vector<std::string> references;
  std::string candidate;
};

void read_stsb(const std::filesystem::path& data, std::vector<Row>& rows) {
  for (const char* name : {"stsb-en-dev.csv", "stsb-en-test.csv"}) {
    const std::filesystem::path file = data / "stsb" / name;
    for (const data::CsvRecord& record :
         data::parse_csv(read_file(file), ',', data::Quoting::quoted, file.string())) {
      rows.push_back({{record.fields.at(0)}, record.fields.at(1)});
    }
  }
}

void read_chie(const std::filesystem::path& data, std::vector<Row>& rows) {
  for (const char* system :
       {"Meta-Llama-3-8B-Instruct", "Meta-Llama-3.1-8B-Instruct", "SeaLLM-7B-v2", "WangchanLion7B",
        "llama3-8b-cpt-sea-lionv2-instruct", "openthaigpt-1.0.0-beta-7b-chat-ckpt-hf"}) {
    const std::filesystem::path file = data / "chie" / "en" / (std::string(system) + ".csv");
    const std::vector<data::CsvRecord> records =
        data::parse_csv(read_file(file), ',', data::Quoting::quoted, file.string());
    for (size_t i = 1; i < records.size(); ++i) {  // id, context, question, references, predictions
      rows.push_back({{records[i].fields.at(3)}, records[i].fields.at(4)});
    }
  }
}

std::vector<std::string> split_at_slashes(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void read_evouna(const std::filesystem::path& data, std::vector<Row>& rows) {
  const Json questions = Json::parse_file(data / "evouna" / "NQ.json");
  for (const Json& question : questions.array()) {
    if (question.find("improper")->boolean()) continue;
    const auto references = split_at_slashes(question.find("golden_answer")->string());
    for (const char* system : {"fid", "gpt35", "chatgpt", "gpt4", "newbing"}) {
      const Json* answer = question.find(std::string("answer_") + system);
      if (answer == nullptr || answer->is_null() || answer->string().empty()) continue;
      rows.push_back({references, answer->string()});
    }
  }
}

TEST(Meteor, EqualsTheJavaProgramOnTenThousandRealRows) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  if (!std::filesystem::exists(meteor_directory() / "data" / "paraphrase-en.gz")) {
    GTEST_SKIP() << "METEOR's data is not there: scripts/setup --meteor";
  }
  std::vector<Row> rows;
  read_stsb(data, rows);
  read_chie(data, rows);
  read_evouna(data, rows);
  Meteor meteor(std::make_shared<const MeteorData>(read_meteor_data(meteor_directory())));
  LineReader expected(std::string(fixtures_folder()) + "/meteor/real_data.txt");
  size_t count = 0;
  for (std::string line; expected.next(line); ++count) {
    const Row& row = rows.at(count);
    EXPECT_NEAR(meteor.score(row.references, row.candidate), std::stod(line), 1e-9)
        << expected.where() << ": " << row.candidate;
  }
  EXPECT_EQ(count, 10000u);
}

}  // namespace rubric::metrics::meteor_test
