#include "train/settings/lerc_data.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/system/log.h"
#include "core/system/terminal.h"
#include "data/answers/mocha.h"
#include "data/sample_tokenizer.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::train::lerc_data_test {

const std::string kMochaSample = std::string(source_folder()) + "/samples/mocha/";

TrainConfig mocha_config() {
  TrainConfig config;
  config.data.train = kMochaSample + "train.json";
  config.data.dev = kMochaSample + "dev.json";
  config.data.store = "";  // tokenised in memory
  return config;
}

std::set<std::string> constituents_of(const data::TokenizedAnswers& answers) {
  return {answers.constituents.begin(), answers.constituents.end()};
}

struct LoadLercData : testing::Test {
  LercData load() const { return load_lerc_data(config_, sample_tokenizer()); }
  std::string refusal() const {
    return input_error([&] { load(); });
  }
  TemporaryFolder folder_;
  TrainConfig config_ = mocha_config();
};

TEST_F(LoadLercData, HoldsTheRowsOfBothFiles) {
  const LercData data = load_lerc_data(mocha_config(), sample_tokenizer());
  const auto train = data::read_mocha(kMochaSample + "train.json");
  ASSERT_EQ(data.train.rows(), std::ssize(train));
  EXPECT_EQ(data.train.labels.back(), train.back().score);
  EXPECT_EQ(data.dev.rows(), std::ssize(data::read_mocha(kMochaSample + "dev.json")));
  EXPECT_EQ(constituents_of(data.train).size(), 6u);
}

TEST_F(LoadLercData, HeldOutConstituentsAreInNeitherSplit) {
  config_.data.hold_out = {"drop", "quoref"};
  const LercData data = load();
  const std::set<std::string> expected = {"cosmosqa", "mcscript", "narrativeqa", "socialiqa"};
  EXPECT_EQ(constituents_of(data.train), expected);
  EXPECT_EQ(constituents_of(data.dev), expected);
}

// The questions of both files, whether their tokens come from the store or not.
TEST_F(LoadLercData, NamesTheQuestionsOfItsRows) {
  config_.data.store = (folder_.path() / "store").string();
  config_.data.hold_out = {"drop"};
  config_.data.augment_identity = config_.data.augment_swap = true;
  set_quiet(true);
  for (int run = 0; run < 2; ++run) {
    const data::SeenQuestions questions = load().questions;
    size_t held_out = 0, dev_rows = 0;
    for (const data::Answer& answer : data::read_mocha(config_.data.train)) {
      const bool is_known = questions.of(answer.question) == data::Seen::trained;
      const bool is_held_out = answer.constituent == "drop";
      EXPECT_TRUE(is_known || is_held_out) << answer.question;
      held_out += is_held_out && !is_known ? 1 : 0;
    }
    for (const data::Answer& answer : data::read_mocha(config_.data.dev)) {
      dev_rows += questions.of(answer.question) == data::Seen::tuned ? 1 : 0;
    }
    EXPECT_GT(held_out, 0u);
    EXPECT_GT(dev_rows, 0u);
  }
  // Whether the model lists them or not: the start may have seen the dev questions.
  config_.data.question_hashes = false;
  EXPECT_FALSE(load().questions.tuned.empty());
  set_quiet(false);
}

TEST_F(LoadLercData, OnlyTrainingRowsAreAugmented) {
  const LercData plain = load();
  config_.data.augment_identity = config_.data.augment_swap = true;
  const LercData augmented = load();
  const auto perfect = std::count(plain.train.labels.begin(), plain.train.labels.end(), 5.0);
  EXPECT_GT(augmented.train.rows(), plain.train.rows() + perfect);
  EXPECT_EQ(augmented.dev.rows(), plain.dev.rows());
}

TEST_F(LoadLercData, TheStoreHoldsAllConstituents) {
  config_.data.store = (folder_.path() / "store").string();
  set_quiet(true);
  const auto all = load().train.rows();
  config_.data.hold_out = {"drop"};
  EXPECT_LT(load().train.rows(), all);
  set_quiet(false);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(config_.data.store), {}), 2);
}

// The same rows as a table and as JSON lines, and a format that the name does not tell.
TEST_F(LoadLercData, RowsMayComeInAnyFormat) {
  config_.data.inputs = {"reference", "candidate"};
  config_.data.train = folder_.write("train.csv",
                                     "reference,candidate,score\na tree,a bee,0.5\n"
                                     "\"a, b\",c,2\n");
  config_.data.dev =
      folder_.write("dev.jsonl", R"({"reference": "a tree", "candidate": "a bee", "score": 0.5})"
                                 "\n"
                                 R"({"reference": "a, b", "candidate": "c", "score": 2})");
  const LercData data = load();
  EXPECT_EQ(data.train.tokens.ids, data.dev.tokens.ids);
  EXPECT_EQ(data.train.labels, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(data.dev.labels, data.train.labels);
  EXPECT_EQ(data.train.constituents, (std::vector<std::string>{"", ""}));

  config_.data.train = config_.data.dev = folder_.write("pairs.csv", "a tree,a bee,0.5\nb,c,2\n");
  expect_contains(refusal(), "the fields \"reference\", \"candidate\", \"score\" are missing");
  config_.data.format = "stsb";
  EXPECT_EQ(load().train.labels, data.train.labels);
  config_.task = "similarity";
  const LercData pairs = load();
  EXPECT_EQ(pairs.train.tokens.ids, load().dev.tokens.ids);
  EXPECT_EQ(pairs.train.tokens.segments.front(), 0);
  EXPECT_EQ(pairs.train.tokens.segments.back(), 1);

  config_.data.format = "auto";
  config_.data.train = folder_.write("rows.txt", "");
  expect_contains(refusal(), "name it with data.format: jsonl, json, mocha");
}

TEST_F(LoadLercData, MissingValuesHaveARule) {
  config_.data.inputs = {"reference", "candidate"};
  config_.data.train = config_.data.dev =
      folder_.write("rows.csv", "reference,candidate,score\na,b,1\na,,2\na,b,\n,b,3\n");
  const auto rows = [&](const std::string& rule) {
    config_.data.missing = rule;
    return load().train;
  };
  set_quiet(true);
  for (const char* const rule : {"auto", "empty", "error"}) {
    expect_contains(input_error([&] { rows(rule); }), "the row has no ");
  }
  config_.data.dev = folder_.write("dev.csv", "reference,candidate,score\na,b,1\na,b,2\n");
  config_.data.train =
      folder_.write("two.csv", "reference,candidate,score\na,b,1\na,b,\na,c,2\na,,3\n");
  EXPECT_EQ(rows("drop").labels, (std::vector<double>{1, 2}));
  config_.data.store = (folder_.path() / "store").string();  // one for each rule
  EXPECT_EQ(rows("drop").labels, (std::vector<double>{1, 2}));
  expect_contains(input_error([&] { rows("auto"); }), "the row has no label");
  set_quiet(false);
}

// A label under another name, or under none.
TEST_F(LoadLercData, AMissingFieldOfLabelsIsNamedWithWhatMayHoldThem) {
  config_.data.inputs = {"reference", "candidate"};
  config_.data.dev = folder_.write("dev.csv", "reference,candidate,score\na,b,1\na,c,2\n");
  const auto error = [&](const char* name, const std::string& rows) {
    config_.data.train = folder_.write(name, rows);
    return refusal();
  };
  set_quiet(true);
  for (const char* const rule : {"auto", "error", "empty", "drop"}) {
    config_.data.missing = rule;
    const std::string rating =
        error("rating.csv", "id,reference,candidate,rating,note\n1,a,b,4,x\n2,a,7,1,y\n");
    EXPECT_EQ(rating, error_lines("the row has no label: the field \"score\" is missing",
                                  config_.data.train + ":2",
                                  "name the field of the labels: --field score=rating; the row's "
                                  "fields are \"id\", \"reference\", \"candidate\", \"rating\", "
                                  "\"note\""))
        << rule;
    expect_contains(error("deep.jsonl",
                          R"({"reference": "a", "candidate": "b", "by": {"ann": 3, "bo": true}})"),
                    "--field score=by.ann or --field score=by.bo; the row's fields are");
    expect_contains(error("texts.csv", "id,x1,x2,rating\n1,a,b,4\n"),
                    "the fields \"reference\", \"candidate\", \"score\" are missing");
    expect_contains(error("none.csv", "reference,candidate,grade\na,b,good\n"),
                    "--field score=…; the row's fields are");
  }
  expect_contains(error("empty.csv", "reference,candidate,score\na,b,\na,c,\n"),
                  "no rows are left: each lacks a text or a label");
  config_.data.missing = "auto";
  // Another row has the field.
  expect_contains(error("one.jsonl", R"({"reference": "a", "candidate": "b", "score": 1})"
                                     "\n"
                                     R"({"reference": "a", "candidate": "c"})"),
                  "fill it in, or leave such rows out");
  expect_contains(error("last.jsonl", R"({"reference": "a", "candidate": "c"})"
                                      "\n"
                                      R"({"reference": "a", "candidate": "b", "score": 1})"),
                  "fill it in, or leave such rows out");
  config_.data.fields = {"score=grade"};
  expect_contains(error("words.csv", "reference,candidate,grade\na,b,good\n"), "it is \"good\"");
  set_quiet(false);
}

TEST_F(LoadLercData, LabelsThatTeachNothingAreRefused) {
  config_.data.inputs = {"reference", "candidate"};
  const auto rows = [&](const char* name, double first, double second) {
    return folder_
        .write(name, "reference,candidate,score\na,b," + Json(first).dump() + "\nc,d," +
                         Json(second).dump() + "\n")
        .string();
  };
  const auto error = [&](double train, double dev) {
    config_.data.train = rows("train.csv", train == 3 ? 3 : 0, train);
    config_.data.dev = rows("dev.csv", dev == 5 ? 1 : 0, dev);
    return refusal();
  };
  const std::string constant = error(3, 5);
  EXPECT_EQ(constant, error_lines("all labels are 3, so nothing can be learned",
                                  config_.data.train + " (data.train)",
                                  "name a file with labels that differ"));
  // Two scales; 0 to 7 is none of the usual ones.
  EXPECT_EQ(error(1, 5),
            error_lines("the labels of data.train are from 0 to 1, those of data.dev from 1 to 5",
                        config_.data.train + " and " + config_.data.dev,
                        "give both on one scale; or, where they are, name it with data.scale"));
  expect_contains(error(100, 1), "from 0 to 100, those of data.dev from 0 to 1");
  set_quiet(true);
  for (const double dev : {0.5, 7.0}) EXPECT_EQ(error(1, dev), "accepted");
  config_.data.scale = "0:100";
  EXPECT_EQ(error(100, 1), "accepted");
  set_quiet(false);
}

// What the rows lack that the model reads, and labels that stretch the scale.
TEST_F(LoadLercData, WarnsOfMissingInputsAndOfStrayLabels) {
  const auto rows = [&](const char* name, int without, int stray) {
    std::string text = "passage,question,reference,candidate,score\n";
    for (int i = 0; i < 30; ++i) {
      text += "p,q" + std::string(name) + std::to_string(i) + ",r,c,";
      text += std::to_string(i == stray ? 9 : 1 + i % 5) + "\n";
      if (i < without) {
        text += ",,of " + std::string(name) + std::to_string(i) + ",c,3\n";  // no copies
      }
    }
    return folder_.write(std::string(name) + ".csv", text).string();
  };
  const auto said = [&] { return stderr_of([&] { load(); }); };
  config_.data.train = rows("train", 1, 3);
  config_.data.dev = rows("dev", 2, -1);
  config_.data.inputs = {"passage", "question", "reference", "candidate"};
  const std::string stray = "warning: the label of row 5 is 9 (" + config_.data.train +
                            "), all others are from 1 to 5: if it is a slip, correct it; "
                            "data.scale: 1:5 refuses such labels\n";
  const auto lacking = [](const std::string& file, const std::string& count) {
    return "warning: " + file + ": " + count +
           " no passage, which the model reads\nwarning: " + file + ": " + count +
           " no question, which the model reads\n";
  };
  EXPECT_EQ(said(), stray + lacking(config_.data.train, "1 of 31 rows has") +
                        lacking(config_.data.dev, "2 of 32 rows have"));
  config_.data.inputs = {"reference", "candidate"};
  EXPECT_EQ(said(), stray);
  config_.data.scale = "1:9";
  EXPECT_EQ(said(), "");
}

TEST(LercData, WarnsOfFewRows) {
  EXPECT_EQ(few_rows_note(3, 1),
            "3 training rows: fewer than 30 teach a model little; 1 dev row: fewer than 30 hardly "
            "tell which model is better");
  EXPECT_EQ(few_rows_note(30, 29), "29 dev rows: fewer than 30 hardly tell which model is better");
  EXPECT_EQ(few_rows_note(30, 30), "");
  const TemporaryFolder folder;
  TrainConfig config = mocha_config();
  const std::string header = "passage,question,reference,candidate,score\n";
  config.data.inputs = {"question", "reference", "candidate"};
  config.data.train = folder.write("train.csv", header + "p,Who?,Ann,x,1\np,Where?,home,x,2\n");
  config.data.dev = folder.write("dev.csv", header + "q,When?,now,x,1\nq,Why?,so,x,2\n");
  testing::internal::CaptureStderr();
  const LercData data = load_lerc_data(config, sample_tokenizer());
  EXPECT_EQ(data.few_note, few_rows_note(2, 2));
  expect_contains(testing::internal::GetCapturedStderr(), "warning: " + data.few_note);
}

// data::shared_questions() of the files, by what the model reads.
TEST_F(LoadLercData, DevQuestionsInTheTrainingRowsAreCounted) {
  const auto shared = [&](const std::string& train, const std::string& dev) {
    const std::string header = "passage,question,reference,candidate,score\n";
    config_.data.train = folder_.write("train.csv", header + train);
    config_.data.dev = folder_.write("dev.csv", header + dev);
    return load().shared.count;
  };
  const std::string train = "p,Who came?,Ann,x,1\np,Where?,home,x,2\n";
  const std::string dev = "q,Who came?,Bo,x,1\nq,Where?,home,x,2\n";
  set_quiet(true);
  config_.data.inputs = {"question", "reference", "candidate"};
  EXPECT_EQ(shared(train, dev), 1);
  config_.data.inputs.insert(config_.data.inputs.begin(), "passage");
  EXPECT_EQ(shared(train, dev), 0);
  // Tokens from the store, and without lists of questions.
  config_.data.store = (folder_.path() / "store").string();
  config_.data.question_hashes = false;
  for (int run = 0; run < 2; ++run) EXPECT_EQ(shared(train, train), 2);
  // Pairs of sentences are no questions, and published splits share none.
  config_.task = "similarity";
  config_.data.inputs = {"reference", "candidate"};
  EXPECT_EQ(shared(train, train), 0);
  EXPECT_EQ(load_lerc_data(mocha_config(), sample_tokenizer()).shared.count, 0);
  set_quiet(false);
}

std::string summary(const data::TokenizedAnswers& answers) {
  return std::to_string(answers.rows()) + " rows, " + std::to_string(answers.tokens.ids.size()) +
         " tokens, " +
         std::to_string(std::count(answers.truncated.begin(), answers.truncated.end(), 1)) +
         " rows cut";
}

TEST_F(LoadLercData, IsDescribedWithWhatWasCut) {
  config_.data.max_length = 150;
  const LercData data = load();
  const std::string text = describe(data);
  EXPECT_EQ(text, "train: " + summary(data.train) + "; dev: " + summary(data.dev) +
                      "; labels from 1 to 5");
  EXPECT_EQ(text.find(" 0 rows cut"), std::string::npos) << text;
  config_.data.max_length = 2048;
  expect_contains(describe(load()), " 0 rows cut; dev: ");
}

TEST_F(LoadLercData, ScoresThatAreAllTheSameAreRefused) {
  const auto error = [&](const char* of_drop, const char* of_quoref, bool pooled) {
    const std::string row =
        R"({"i": {"context": "", "question": "", "reference": "r", "candidate": "c", "score": )";
    config_ = mocha_config();
    config_.data.dev = folder_
                           .write("dev.json", "{\"drop\": " + row + of_drop +
                                                  "}}, \"quoref\": " + row + of_quoref + "}}}")
                           .string();
    config_.run.pooled_validation = pooled;
    return refusal();
  };
  expect_contains(error("2", "3", false), "all scores of \"drop\" are the same");
  EXPECT_EQ(error("2", "3", true), "accepted");
  expect_says(error("3", "3", true), {"all scores are the same", "dev.json (data.dev)"});
}

TEST_F(LoadLercData, ScoresBeyondTheNamedScaleAreRefused) {
  config_.data.scale = "1:5";
  EXPECT_EQ(refusal(), "accepted");
  // MOCHA's own reader refuses such a score in any case.
  std::string lines;
  for (const auto& [name, score] :
       {std::pair("drop/i", "5"), {"drop/k", "4"}, {"quoref/i", "5.5"}, {"quoref/k", "4"}}) {
    const std::string place = name;
    lines += R"({"constituent": ")" + place.substr(0, place.find('/')) + R"(", "id": ")" +
             place.substr(place.find('/') + 1) +
             R"(", "reference": "r", "candidate": "c", "score": )" + score + "}\n";
  }
  config_.data.dev = folder_.write("dev.jsonl", lines);
  config_.data.store = (folder_.path() / "store").string();
  const auto error = [&] { return refusal(); };
  const std::string expected = error_lines(
      "the score 5.5 is outside data.scale, 1:5", config_.data.dev + ": record quoref/i",
      "correct data.scale or the score; without data.scale it is that of the labels");
  EXPECT_EQ(error(), expected);
  EXPECT_FALSE(std::filesystem::exists(config_.data.store));  // before anything is tokenised
  set_quiet(true);
  config_.data.scale = "";
  EXPECT_EQ(error(), "accepted");
  config_.data.scale = "1:5";
  EXPECT_EQ(error(), expected);  // also of a store
  config_.data.hold_out = {"quoref"};
  EXPECT_EQ(error(), "accepted");
  set_quiet(false);
}

// Of both files, without what is held out; a named scale is taken as it is.
TEST_F(LoadLercData, TheScaleIsThatOfTheLabels) {
  config_.data.inputs = {"reference", "candidate"};
  const auto rows = [&](const char* name, double first, double second) {
    return folder_
        .write(name, "constituent,reference,candidate,score\na,r,c," + Json(first).dump() +
                         "\na,r,d," + Json(second).dump() + "\nb,r,c,300\n")
        .string();
  };
  config_.data.hold_out = {"b"};
  const auto scale = [&] { return load().scale; };
  config_.data.train = rows("train.csv", 0, 1);
  config_.data.dev = rows("dev.csv", 0, 0.5);
  EXPECT_EQ(scale(), (data::LabelScale{0, 1}));
  config_.data.dev = rows("dev.csv", 0, 7);
  EXPECT_EQ(scale(), (data::LabelScale{0, 7}));
  config_.data.train = rows("train.csv", 1, 3);
  config_.data.dev = rows("dev.csv", 3, 1);
  EXPECT_EQ(scale(), (data::LabelScale{1, 3}));
  config_.data.scale = "0:10";
  EXPECT_EQ(scale(), (data::LabelScale{0, 10}));
  EXPECT_EQ(load().labels, (data::LabelScale{1, 3}));
  config_.data.hold_out = {};
  expect_contains(input_error(scale), "the score 300 is outside data.scale, 0:10");
}

TEST_F(LoadLercData, AddedCopiesHaveTheHighestScoreOfTheScale) {
  config_.data.inputs = {"reference", "candidate"};
  config_.data.train = config_.data.dev =
      folder_.write("rows.csv", "question,reference,candidate,score\nq,r,c,0\np,r,d,1\n").string();
  config_.data.augment_identity = config_.data.augment_swap = true;
  config_.data.scale = "0:1";
  const LercData data = load();
  EXPECT_EQ(data.train.labels, (std::vector<double>{0, 1, 1, 1, 1}));  // q's, p's and d's
  config_.data.scale = "";
  expect_contains(refusal(), "set data.scale to that of the labels, such as 0:1");
}

// As `score` warns: the value of the dev rows is that of fewer references.
TEST_F(LoadLercData, WarnsOfDevReferencesThatAreTooLong) {
  std::string text, lines;
  for (int i = 0; i < 60; ++i) text += "walked ";
  for (int i = 0; i < 4; ++i) {
    lines += R"({"id": "r)" + std::to_string(i) + R"(", "question": "who walked )" +
             std::to_string(i) + R"( ?", "candidate": "a farmer", "reference": ["a farmer", ")" +
             (i == 2 ? text : "the market") + R"("], "score": )" + std::to_string(1 + i) + "}\n";
  }
  config_.data.train = config_.data.dev = folder_.write("rows.jsonl", lines).string();
  config_.data.format = "jsonl";
  config_.data.hold_out = {};
  config_.data.inputs = {"question", "reference", "candidate"};
  config_.data.max_length = 40;
  LercData data;
  const std::string said = stderr_of([&] { data = load(); });
  expect_contains(said,
                  "1 reference is too long for the model and left out, as the row has another that "
                  "fits: records \"r2\"");
  EXPECT_EQ(data.dev.same_answer, (std::vector<char>{0, 1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(data.train.rows(), 4);
}

TEST_F(LoadLercData, WarnsOfSeparatorsByTheKeyOfTheConfiguration) {
  std::string rows = "question,reference,candidate,score\n";
  for (int i = 1; i <= 5; ++i) {
    const std::string n = std::to_string(i);
    rows += "q" + n + ",a" + n + "|b" + n + ",c," + n + "\n";
  }
  config_.data.train = config_.data.dev = folder_.write("rows.csv", rows).string();
  config_.data.inputs = {"question", "reference", "candidate"};
  expect_contains(stderr_of([&] { load(); }), "add --set data.reference_separator=\"|\"");
}

// Also where its rows come from a store, which has no texts.
TEST_F(LoadLercData, DevAnswersAreThoseOfTheDevRows) {
  config_.data.store = (folder_.path() / "store").string();
  config_.data.hold_out = {"drop"};
  set_quiet(true);
  for (const char* const from : {"file", "store"}) {
    const LercData data = load();
    ASSERT_EQ(std::ssize(data.dev_answers), data.dev.rows()) << from;
    for (size_t i = 0; i < data.dev_answers.size(); ++i) {
      EXPECT_EQ(data.dev_answers[i].id, data.dev.ids[i]) << from;
      EXPECT_EQ(data.dev_answers[i].score, data.dev.labels[i]) << from;
      EXPECT_FALSE(data.dev_answers[i].references.empty()) << from;
    }
  }
  set_quiet(false);
}

TEST_F(LoadLercData, ErrorsNameTheKey) {
  const auto error = [&](const std::vector<std::string>& hold_out,
                         const std::vector<std::string>& inputs) {
    config_ = mocha_config();
    config_.data.hold_out = hold_out;
    config_.data.inputs = inputs;
    return refusal();
  };
  expect_contains(error({}, {"passages"}), "\n  where: data.inputs\n");
  EXPECT_EQ(error({"dropp"}, {"candidate"}),
            error_lines("the file has no constituent \"dropp\" to hold out",
                        kMochaSample + "train.json (data.hold_out)",
                        "it has cosmosqa, drop, mcscript, narrativeqa, quoref, socialiqa; did you "
                        "mean \"drop\"?"));
  EXPECT_EQ(
      error({"cosmosqa", "drop", "mcscript", "narrativeqa", "quoref", "socialiqa"}, {"candidate"}),
      error_lines("no row is left after data.hold_out", kMochaSample + "train.json (data.train)",
                  "hold out fewer constituents"));
}

}  // namespace rubric::train::lerc_data_test
