// The train command: the run directory, starting again, and what it refuses.
#include "train/train_command.h"

#include <cmath>
#include <cstdio>
#include <set>

#include "data/model_files/model_directory.h"
#include "data/model_files/seen_questions.h"
#include "data/tasks/label_scale.h"
#include "measured.h"
#include "models/weights/pickles.h"
#include "models/weights/zips.h"
#include "paths.h"
#include "stats/correlation.h"
#include "train/tasks/lerc_task.h"

namespace rubric::cli {
namespace {

using TrainRun = TrainCommand;

// Names and times of everything in a folder.
std::map<std::string, fs::file_time_type> times_in(const std::string& folder) {
  std::map<std::string, fs::file_time_type> times;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    times[entry.path().string()] = entry.last_write_time();
  }
  return times;
}

TEST_F(TrainRun, LeavesACompleteRunDirectory) {
  const Outcome outcome = done(run(train("runs/run")));
  EXPECT_TRUE(holds(outcome.out, "model: " + file("runs/run/model"))) << outcome.out;
  EXPECT_TRUE(holds(outcome.err, "dev: 20 rows")) << outcome.err;  // without drop
  const auto files = outcome_of("runs/run");
  for (const char* name :
       {"model/model.safetensors", "model/config.json", "model/vocab.txt", "model/rubric.yaml",
        "model/trained_questions.bin", "model/tuned_questions.bin", "model/DONE",
        "model/validation.json", "builds.txt", "lock", "predictions/dev.jsonl", "results.json",
        "report.html", "metrics.csv", "events.out.tfevents", "checkpoints/step-000048/DONE",
        "checkpoints/step-000045/optimizer.safetensors"}) {
    EXPECT_TRUE(files.contains(name)) << name;
  }
  EXPECT_EQ(files.size(), 26u);  // nothing is left over
  EXPECT_TRUE(holds(files.at("model/rubric.yaml"), "hold_out: [drop]"));

  int64_t updates = 0, validations = 0, best_step = 0;
  double best = -2;
  LineReader lines(file("runs/run/log.jsonl"));
  for (std::string line; lines.next(line);) {
    const Json event = Json::parse(line, lines.where());
    if (event.require_string("event", "") == "update") {
      EXPECT_EQ(event.require_integer("step", ""), ++updates);
      for (const char* figure : {"loss", "lr", "gradient_norm", "tokens_per_second"}) {
        EXPECT_TRUE(std::isfinite(event.require_number(figure, ""))) << figure;
      }
      continue;
    }
    EXPECT_EQ(event.require_integer("epoch", ""), ++validations);
    const double pearson = event.require_number("value", "");
    EXPECT_EQ(event.require("best", "").boolean(), pearson > best);
    if (pearson > best) best_step = updates;
    best = std::max(best, pearson);
  }
  EXPECT_EQ(updates, 48);
  EXPECT_EQ(validations, 6);
  const Json results = Json::parse(files.at("results.json"), "");
  EXPECT_EQ(value_of(results, "pearson"), best);
  EXPECT_EQ(value_of(results, "best_update"), best_step);
  EXPECT_EQ(value_of(results, "updates"), updates);
}

// small_mocha() with another question, and another one in the constituent that is held out.
Json asking(int rows, const std::string& question) {
  Json file = small_mocha(rows);
  for (auto& [constituent, instances] : file.object()) {
    for (auto& [id, row] : instances.object()) {
      row["question"] = constituent == "drop" ? "Held out?" : question;
    }
  }
  return file;
}

// An encoder, the mean of two, a network that reads features, 8 bits: what each has seen goes on.
TEST_F(TrainRun, AModelListsTheQuestionsThatItAndThoseBeforeItHaveSeen) {
  write_file(file("first.json"), asking(32, "Who sold it?").dump(1));
  write_file(file("second.json"), asking(32, "Who bought it?").dump(1));
  write_file(file("chosen.json"), asking(10, "Who chose it?").dump(1));
  const Arguments bounded = {
      "--set", "head.bounded=true", "--set", "head.loss=cross_entropy",
      "--set", "run.epochs=1",      "--set", "data.dev=" + file("chosen.json")};
  const auto trained = [&](const std::string& name, const Arguments& more) {
    const Outcome outcome = done(run(train(name, bounded + more)));
    return outcome.err;
  };
  const auto made = [&](const Arguments& arguments, const std::string& name) {
    done(run(arguments + Arguments{"--output", file(name)}));
  };
  const auto expect_seen = [&](const std::string& model, data::Seen second) {
    const auto seen = data::read_seen_questions(file(model));
    ASSERT_TRUE(seen) << model;
    EXPECT_EQ(seen->of("who sold it"), data::Seen::trained) << model;
    EXPECT_EQ(seen->of("Who bought it?"), second) << model;
    EXPECT_EQ(seen->of("Who chose it?"), data::Seen::tuned) << model;
    EXPECT_EQ(seen->of("Held out?"), data::Seen::no) << model;
    EXPECT_EQ(seen->trained.size() + seen->tuned.size(), second == data::Seen::no ? 2u : 3u);
  };
  const std::string of_first = "data.train=" + file("first.json");
  trained("runs/first", {"--set", of_first});
  expect_seen("runs/first/model", data::Seen::no);
  trained("runs/again", {"--set", of_first, "--set", "seed=2"});
  made({"rubric", "average", file("runs/first/model"), file("runs/again/model")}, "mean");
  expect_seen("mean", data::Seen::no);
  const Arguments head = {"--set", "head.features=[recall]",
                          "--set", "model.name=" + file("mean"),
                          "--set", "data.train=" + file("second.json")};
  const std::string said = trained("runs/head", head);
  EXPECT_FALSE(holds(said, "does not list"));
  const std::string chosen = "1 of 1 dev question (100%) was in the tuning of " + file("mean");
  expect_contains(said, chosen);
  expect_contains(read_file(file("runs/head/results.json")), chosen);
  expect_seen("runs/head/model", data::Seen::trained);
  made({"rubric", "quantize", file("runs/head/model")}, "small");
  expect_seen("small", data::Seen::trained);

  // Without lists, and what then follows.
  trained("runs/none", {"--set", of_first, "--no-question-hashes"});
  EXPECT_EQ(data::read_seen_questions(file("runs/none/model")), std::nullopt);
  EXPECT_FALSE(fs::exists(file("runs/none/model/trained_questions.bin")));
  expect_contains(trained("runs/left_out", head + Arguments{"--no-question-hashes"}), chosen);
  EXPECT_EQ(data::read_seen_questions(file("runs/left_out/model")), std::nullopt);
  const Arguments on_none = head + Arguments{"--set", "model.name=" + file("runs/none/model")};
  expect_contains(trained("runs/on_none", on_none), "does not list the questions");
  made({"rubric", "average", file("runs/none/model"), "--trained-on", file("first.json"),
        "--tuned-on", file("chosen.json")},
       "named");
  const auto named = data::read_seen_questions(file("named"));
  ASSERT_TRUE(named);
  EXPECT_EQ(named->of("Who sold it?"), data::Seen::trained);
  EXPECT_EQ(named->of("Who chose it?"), data::Seen::tuned);
}

// Without dropout, without learning, and with all rows in one batch, the training loss of the one
// update is the dev loss over the same rows.
TEST_F(TrainRun, DevLossIsTheTrainingLossOverTheDevRows) {
  copy_encoder("still");
  const Arguments still = {"--set", "model.name=" + file("still"),
                           "--set", "data.dev=" + file("train.json"),
                           "--set", "batches.size=64",
                           "--set", "optimizer.learning_rate=0",
                           "--set", "run.epochs=1"};
  const Arguments similarity = {"--set", "task=similarity", "--set",
                                "data.inputs=[reference, candidate]"};
  for (const auto& [name, task] : {std::pair("lerc", Arguments{}), {"similarity", similarity}}) {
    const std::string folder = std::string(name) + "/run";
    const Outcome outcome = done(run(train(folder, still + task)));
    LineReader lines(file(folder + "/log.jsonl"));
    std::string line;
    ASSERT_TRUE(lines.next(line));
    const double loss = Json::parse(line, "").require_number("loss", "");
    ASSERT_TRUE(lines.next(line));
    const double dev_loss = Json::parse(line, "").require_number("dev_loss", "");
    EXPECT_NEAR(dev_loss, loss, 1e-5 * loss) << name;
    EXPECT_GT(loss, 0.1) << name;
    char text[32];
    std::snprintf(text, sizeof(text), "dev loss %.4f, dev pearson", dev_loss);
    expect_contains(outcome.err, text);
    expect_contains(outcome.out, "dev loss");
    expect_contains(read_file(file(folder + "/report.html")), "dev loss");
    expect_contains(read_file(file(folder + "/metrics.csv")), "," + Json(dev_loss).dump() + ",");
    EXPECT_EQ(value_of(Json::parse_file(file(folder + "/results.json")), "dev_loss"), dev_loss);
  }
}

// Also with dropout, whose masks are drawn again.
TEST_F(TrainRun, CheckpointedGradientsGiveTheSameRun) {
  done(run(train("plain")));
  done(run(train("checkpointed", {"--set", "model.checkpoint_gradients=true"})));
  const auto plain = logged("plain", "update", "loss"),
             checkpointed = logged("checkpointed", "update", "loss");
  ASSERT_GT(plain.size(), 1u);
  ASSERT_EQ(checkpointed.size(), plain.size());
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(checkpointed[i], plain[i], 1e-5) << i;
}

// `score lerc` computes the features as training did, and the signature names them.
TEST_F(TrainRun, AHeadThatReadsFeaturesScoresAsItWasTrained) {
  Arguments head = {"--set", "head.bounded=true", "--set", "head.loss=cross_entropy",
                    "--set", "run.epochs=2"};
  Arguments plain = head;
  plain.insert(plain.end(), {"--set", "head.rate=5"});
  done(run(train("runs/lerc", plain)));
  head.insert(head.end(), {"--set", "head.features=[recall, contains, candidate_length]", "--set",
                           "model.name=" + file("runs/lerc/model")});
  for (const std::string name : {"runs/made", "runs/stored"}) {  // the second reads the store
    done(run(train(name, head)));
    const std::string output = file(name + "/scored.json");
    const Outcome scored = done(run({"score", "lerc", "--model", file(name + "/model"), "--input",
                                     file("dev.json"), "--output", output, "--threads", "1"}));
    expect_contains(scored.err, "|head:bounded,recall,contains,candidate_length|max:64");
    const Json scores = Json::parse_file(output);
    std::set<double> distinct;
    LineReader lines(file(name + "/predictions/dev.jsonl"));
    for (std::string line; lines.next(line);) {
      const Json row = Json::parse(line, lines.where());
      const Json& same = scores.require(row.require_string("constituent", ""), "")
                             .require(row.require_string("id", ""), "");
      const double predicted = row.require("scores", "").require_number("lerc", "");
      EXPECT_NEAR(same.require("scores", "").require_number("lerc", ""), predicted, 1e-5) << line;
      EXPECT_TRUE(predicted > 1 && predicted < 5) << line;
      distinct.insert(predicted);
    }
    EXPECT_GT(distinct.size(), 5u);
  }
  EXPECT_EQ(read_file(file("runs/made/predictions/dev.jsonl")),
            read_file(file("runs/stored/predictions/dev.jsonl")));
}

// A LERC that reads features, in 8 bits as shipped ones are, trained further on labels of another
// scale.
TEST_F(TrainRun, AKeptHeadIsTrainedFromWhereItWas) {
  const auto succeed = [&](const Arguments& arguments) {
    const Outcome outcome = done(run(arguments));
    return outcome;
  };
  const Arguments bounded = {"--set", "head.bounded=true", "--set", "head.loss=cross_entropy",
                             "--set", "run.epochs=2"};
  succeed(train("runs/lerc", bounded));
  succeed(
      train("runs/head", bounded + Arguments{"--set", "head.features=[recall, contains]", "--set",
                                             "model.name=" + file("runs/lerc/model")}));
  succeed({"rubric", "quantize", file("runs/head/model"), "--output", file("start")});

  std::string lines;
  for (int i = 0; i < 20; ++i) {
    Json row;
    row["id"] = "i" + std::to_string(i);
    row["question"] = "Who needed it ?";
    row["passage"] = "Maria walked to the market .";
    row["reference"] = "two lemons";
    row["candidate"] = i % 3 == 0 ? "two lemons" : i % 3 == 1 ? "under the bridge" : "fresh lemons";
    row["score"] = i % 3 == 1 ? 0 : 1;
    lines += row.dump() + "\n";
  }
  write_file(file("own.jsonl"), lines);
  const Arguments own = {"--set", "model.name=" + file("start"),
                         "--set", "head.keep=true",
                         "--set", "data.train=" + file("own.jsonl"),
                         "--set", "data.dev=" + file("own.jsonl"),
                         "--set", "data.hold_out=[]"};
  const Outcome outcome = succeed(train("runs/own", bounded + own));
  expect_says(outcome.err,
              {"labels from 0 to 1", "1 of 1 dev question", "epoch 0, update 0: dev loss "});
  expect_contains(outcome.out, file("start") + " as it was");
  expect_contains(outcome.out, "lerc-answers ");  // the run starts from another LERC
  expect_says(outcome.out, {"this run: the best of 3 validations on these rows", "recall"});
  const data::ModelCard card = data::read_model_card(file("runs/own/model")),
                        start = data::read_model_card(file("start"));
  EXPECT_EQ(card.scale, "0:1");
  EXPECT_EQ(card.head.features, start.head.features);
  EXPECT_EQ(card.below.train, start.below.train);
  EXPECT_EQ(card.encoder, file("start"));
  ASSERT_TRUE(card.threshold.has_value());
  EXPECT_TRUE(*card.threshold > 0 && *card.threshold < 1);

  // What is saved scores as what was validated; untrained it is the start, on the labels' scale.
  const auto scores_of = [&](const std::string& model) {
    const Outcome scored =
        succeed({"score", "lerc", "--model", file(model), "--input", file("own.jsonl"), "--output",
                 file("scored.jsonl"), "--threads", "1"});
    EXPECT_EQ(holds(scored.err, "|head:bounded,recall,contains|scale:0:1|max:64"),
              model != "start");
    std::vector<double> scores;
    LineReader rows(file("scored.jsonl"));
    for (std::string line; rows.next(line);) {
      scores.push_back(Json::parse(line, "").require("scores", "").require_number("lerc", ""));
    }
    return scores;
  };
  const auto predictions_of = [&](const std::string& name) {
    std::vector<double> scores;
    LineReader rows(file(name + "/predictions/dev.jsonl"));
    for (std::string line; rows.next(line);) {
      scores.push_back(Json::parse(line, "").require("scores", "").require_number("lerc", ""));
    }
    return scores;
  };
  const std::vector<double> scored = scores_of("runs/own/model"), before = scores_of("start");
  const std::vector<double> predicted = predictions_of("runs/own");
  ASSERT_EQ(scored.size(), 20u);
  ASSERT_EQ(predicted.size(), 20u);
  for (size_t i = 0; i < scored.size(); ++i) EXPECT_NEAR(scored[i], predicted[i], 1e-5);
  succeed(train("runs/still", bounded + own + Arguments{"--set", "optimizer.learning_rate=0"}));
  const std::vector<double> still = scores_of("runs/still/model");
  for (size_t i = 0; i < still.size(); ++i) EXPECT_NEAR(still[i], (before[i] - 1) / 4, 1e-5);
  const Json results = Json::parse(read_file(file("runs/still/results.json")), "");
  EXPECT_EQ(value_of(results, "best_update"), 0);
  EXPECT_EQ(value_of(results, "start_kept"), 1);
  expect_contains(results.require("notes", "").dump(), "No update made the model better");
  expect_contains(read_file(file("runs/still/report.html")), "No update made the model better");
  expect_contains(read_file(file("runs/still/report.html")), "as it was");
  const data::ModelCard untouched = data::read_model_card(file("runs/still/model"));
  EXPECT_EQ(untouched.train, start.train);
  EXPECT_EQ(untouched.encoder, start.encoder);
  const auto seen = data::read_seen_questions(file("runs/still/model"));
  EXPECT_EQ(seen->trained, data::read_seen_questions(file("start"))->trained);
  EXPECT_NE(seen->of("Who needed it ?"), data::Seen::no);
}

// Twelve of the sample's rows train, and are the dev rows too: a certain gain, of few rows.
TEST_F(TrainRun, TheEndSaysWhatTheDevScoresAreWorth) {
  std::vector<std::string> lines;
  LineReader sample(std::string(source_folder()) + "/samples/own/judgements.csv");
  for (std::string line; sample.next(line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 41u);
  std::string text = lines[0] + "\n";
  for (size_t i = 29; i < 41; ++i) text += lines[i] + "\n";
  write_file(file("twelve.csv"), text);
  const Outcome outcome = done(
      run({"train", "--config", "own.yaml", "--output", file("small"), "--field", "score=rating",
           "--set", "data.train=" + file("twelve.csv"), "--set", "data.dev=" + file("twelve.csv"),
           "--set", "run.epochs=20", "--set", "optimizer.learning_rate=1e-3"}));
  for (const std::string& shown :
       {outcome.out, read_file(file("small/results.json")), read_file(file("small/report.html"))}) {
    expect_contains(shown, ", 12 dev rows): it may be chance.");
  }
}

// What is printed beside f1 and the start, and the threshold, are of the scores that `score` gives.
TEST_F(TrainRun, SeveralReferencesAreAllReadInTheEnd) {
  std::string lines;
  const std::vector<std::string> candidates = {"two lemons", "under the bridge", "fresh bread",
                                               "her grandmother"};
  for (size_t i = 0; i < 24; ++i) {
    Json row;
    row["id"] = "i" + std::to_string(i);
    row["question"] = "Who needed it " + std::to_string(i) + " ?";
    row["passage"] = "Maria walked to the market .";
    row["reference"] = Json::Array{"a farmer named Tom", candidates[i % 3]};
    row["candidate"] = candidates[i % 4];
    row["score"] = i % 4 == i % 3 ? 5 : static_cast<int64_t>(1 + i % 2);
    lines += row.dump() + "\n";
  }
  write_file(file("own.jsonl"), lines);
  done(run(train("runs/own", {"--set", "data.train=" + file("own.jsonl"), "--set",
                              "data.dev=" + file("own.jsonl"), "--set", "data.hold_out=[]", "--set",
                              "run.epochs=2"})));
  done(run({"score", "lerc", "--model", file("runs/own/model"), "--input", file("own.jsonl"),
            "--output", file("scored.jsonl")}));
  std::vector<double> scores, labels;
  LineReader rows(file("scored.jsonl"));
  for (std::string line; rows.next(line);) {
    const Json row = Json::parse(line, "");
    scores.push_back(row.require("scores", "").require_number("lerc", ""));
    labels.push_back(row.require_number("score", ""));
  }
  const Json results = Json::parse(read_file(file("runs/own/results.json")), "");
  const double compared = value_of(results, "pearson", {.metric = "this run"});
  EXPECT_NEAR(compared, *stats::pearson(scores, labels), 1e-6);
  EXPECT_NEAR(compared, value_of(results, "pearson"), 1e-6);
  const std::optional<double> threshold = data::read_model_card(file("runs/own/model")).threshold;
  const std::optional<double> wanted = train::correct_threshold(scores, labels);
  ASSERT_EQ(threshold.has_value(), wanted.has_value());
  if (wanted) {
    EXPECT_NEAR(*threshold, *wanted, 1e-3);
  }
  EXPECT_TRUE(run(train("runs/own", {"--set", "data.train=" + file("own.jsonl"), "--set",
                                     "data.dev=" + file("own.jsonl"), "--set", "data.hold_out=[]",
                                     "--set", "run.epochs=3", "--extend"}))
                  .code == 0);  // the model, with its new card, is whole
}

TEST_F(TrainRun, KeysOfAnswersAreRefusedByOtherTasks) {
  for (const char* const set : {"data.missing=drop", "data.reference_separator=/"}) {
    expect_message(run(train("runs/run", {"--set", "task=seq2seq", "--set", set})), 2,
                   {std::string(set).substr(0, std::string(set).find('='))});
  }
}

// Another start has no head to keep: its encoder is trained with a new one, beside lerc-answers.
TEST_F(TrainRun, AnEncoderGetsANewHeadWhereNoneCanBeKept) {
  fs::copy(fs::path(fixtures_folder()) / "bertscore/roberta", file("headless"));
  const Outcome outcome = done(
      run(train("runs/run", {"--set", "model.name=" + file("headless"), "--set", "head.keep=true",
                             "--set", "head.bounded=true", "--set", "run.epochs=1"})));
  expect_contains(outcome.err, file("headless") + " is no trained LERC, whose head could be kept");
  expect_contains(outcome.out, "On the dev rows");
  const Json results = Json::parse(read_file(file("runs/run/results.json")), "");
  for (const char* const name : {"this run", "lerc-answers", "recall", "f1"}) {
    EXPECT_TRUE(std::isfinite(value_of(results, "pearson", {.metric = name}))) << name;
  }
  EXPECT_EQ(value_of(results, "pearson", {.metric = "this run"}), value_of(results, "pearson"));
}

// Whose head has no bounds.
TEST_F(TrainRun, ScoresOutsideTheScaleOfTheLabelsAreCounted) {
  const Outcome outcome =
      done(run(train("runs/run", {"--set", "run.epochs=1", "--set", "optimizer.learning_rate=0"})));
  const data::LabelScale scale;  // new heads score about 0
  int64_t outside = 0;
  LineReader rows(file("runs/run/predictions/dev.jsonl"));
  for (std::string line; rows.next(line);) {
    outside +=
        scale.contains(Json::parse(line, "").require("scores", "").require_number("lerc", "")) ? 0
                                                                                               : 1;
  }
  ASSERT_GT(outside, 0);
  expect_contains(outcome.out, std::to_string(outside) +
                                   " of 20 dev scores are outside the scale of the labels, 1:5");
  const Outcome scored = run({"score", "lerc", "--model", file("runs/run/model"), "--input",
                              file("dev.json"), "--output", file("scored.json")});
  expect_contains(scored.err,
                  " of 30 scores are outside the scale of the labels that the model "
                  "was trained on, 1:5");
}

// Rows whose fields have names that only --field can tell.
TEST_F(TrainRun, FieldsOfOtherNamesAreNamed) {
  std::string usual = "question,reference,candidate,score\n", own = "frage,soll,antwort,note\n";
  for (int i = 0; i < 24; ++i) {
    const std::string row = std::string("who walked ?,a farmer named Tom,") +
                            (i % 2 == 0 ? "a farmer" : "two lemons") + "," +
                            std::to_string(i % 2 == 0 ? 5 - i % 3 : 1 + i % 3) + "\n";
    usual += row;
    own += row;
  }
  write_file(file("usual.csv"), usual);
  write_file(file("own.csv"), own);
  const auto of = [&](const std::string& name) {
    return Arguments{"--set", "data.train=" + file(name), "--set", "data.dev=" + file(name),
                     "--set", "data.hold_out=[]",         "--set", "run.epochs=1"};
  };
  const Arguments fields = {"--field", "question=frage",    "--field", "reference=soll",
                            "--field", "candidate=antwort", "--field", "score=note"};
  expect_message(run(train("own/run", of("own.csv"))), 2, {"own.csv", "reference"});
  ASSERT_EQ(run(train("usual/run", of("usual.csv"))).code, 0);
  done(run(train("own/run", of("own.csv") + fields)));
  EXPECT_EQ(read_file(file("own/run/predictions/dev.jsonl")),
            read_file(file("usual/run/predictions/dev.jsonl")));
  expect_contains(
      read_file(file("own/run/config.yaml")),
      R"(fields: ["candidate=antwort", "question=frage", "reference=soll", "score=note"])");
  expect_message(run(train("own/run", of("own.csv"))), 2,
                 {R"(data.fields is ["candidate=antwort")"});
  expect_message(run(train("other/run", of("own.csv") + Arguments{"--field", "candidat=antwort"})),
                 2, {"there is no field \"candidat\"", "candidate"});
  expect_message(run(train("other/run", {"--field", "candidate=answer"})), 2,
                 {"the format mocha has fixed field names"});
  expect_message(run({"train", "--config", "sample_pretrain.yaml", "--field", "candidate=a"}), 2,
                 {"the task multiple_choice does not read this key", "data.fields"});

  // The advice of the message is an option of `train`.
  write_file(file("gap.csv"), usual + "who walked ?,a farmer named Tom,a farmer,\n");
  expect_message(run(train("gap/run", of("gap.csv"))), 2, {"gap.csv:26", "--missing drop"});
  EXPECT_EQ(run(train("gap/run", of("gap.csv") + Arguments{"--missing", "drop"})).code, 0);
  write_file(file("na.csv"), usual + "who walked ?,a farmer named Tom,a farmer,NA\n");
  expect_message(run(train("na/run", of("na.csv"))), 2, {"na.csv:26", "--missing drop"});
  EXPECT_EQ(run(train("na/run", of("na.csv") + Arguments{"--missing", "drop"})).code, 0);
}

TEST_F(TrainRun, PredictionsAreThoseOfTheModel) {
  ASSERT_EQ(run(train("runs/run")).code, 0);
  done(run({"score", "lerc", "--model", file("runs/run/model"), "--input", file("dev.json"),
            "--output", file("scored.json")}));
  const Json scored = Json::parse_file(file("scored.json"));
  int64_t rows = 0;
  LineReader lines(file("runs/run/predictions/dev.jsonl"));
  for (std::string line; lines.next(line); ++rows) {
    const Json row = Json::parse(line, lines.where());
    const std::string constituent = row.require_string("constituent", "");
    EXPECT_NE(constituent, "drop");
    const Json& again = scored.require(constituent, "").require(row.require_string("id", ""), "");
    EXPECT_NEAR(row.require("scores", "").require_number("lerc", ""),
                again.require("scores", "").require_number("lerc", ""), 1e-5);
    EXPECT_EQ(row.require_number("score", ""), again.require_number("score", ""));
  }
  EXPECT_EQ(rows, 20);
}

TEST_F(TrainRun, SimilarityIsATaskOfItsOwn) {
  const Arguments task = {"--set", "task=similarity"};
  expect_message(run(train("runs/run", task)), 2, {"data.inputs", "give [reference, candidate]"});
  done(run(train("runs/run", task + Arguments{"--set", "data.inputs=[reference, candidate]"})));
  const auto score = [&](const char* metric) {
    return run({"score", metric, "--model", file("runs/run/model"), "--input", file("dev.json"),
                "--output", file("scored.json")});
  };
  expect_message(score("lerc"), 2, {"the model was trained for similarity, not for lerc"});
  const Outcome scored = done(score("similarity"));
  expect_contains(scored.err, "similarity|model:");
}

TEST_F(TrainRun, ItsConfigurationGivesTheSameRun) {
  const auto expected = uninterrupted();
  const std::string config = file("uninterrupted/run/config.yaml");
  const Outcome dry = done(run({"train", "--config", config, "--dry-run"}));
  EXPECT_TRUE(dry.out.starts_with(read_file(config) + "# train: 64 rows")) << dry.out;
  ASSERT_EQ(run({"train", "--config", config, "--output", file("again/run/")}).code, 0);
  expect_equal(outcome_of("again/run"), expected);
}

TEST_F(TrainRun, AFinishedRunIsLeftAlone) {
  ASSERT_EQ(run(train("runs/run")).code, 0);
  fs::remove_all(file("runs/token_store"));
  const auto before = times_in(file("runs"));
  for (const Arguments& command :
       {train("runs/run"), train("runs/run/"), train("runs/run", {"--resume", "auto"}),
        Arguments{"train", "--config", file("runs/run/config.yaml")},
        Arguments{"train", "--config", "sample_lerc.yaml", "--set", "data.hold_out=[drop]",
                  "--resume", file("runs/run")} +
            settings()}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, "this run is finished")) << outcome.err;
  }
  const std::string dev = read_file(file("dev.json"));
  write_file(file("dev.json"), small_mocha(11, kDevPrefix).dump(1));
  expect_message(run(train("runs/run")), 2, {"data.dev has changed", file("runs/run")});
  write_file(file("dev.json"), dev);
  set_in_file(file("encoder/tokenizer_config.json"), "{", "{ ");
  expect_message(run(train("runs/run")), 2, {"model.name has changed", file("runs/run")});
  EXPECT_EQ(times_in(file("runs")), before);
}

TEST_F(TrainRun, AFinishedRunWithoutItsModelIsNamed) {
  ASSERT_EQ(run(train("runs/run", {"--set", "run.epochs=1"})).code, 0);
  for (const std::string gone : {"rubric.yaml", ""}) {
    fs::remove_all(fs::path(file("runs/run/model")) / gone);
    expect_message(run(train("runs/run", {"--set", "run.epochs=1"})), 2,
                   {"its model is gone", file("runs/run/model"), "delete the run directory"});
  }
}

TEST_F(TrainRun, FindsWhatWasPrepared) {
  const Outcome prepared = done(
      run(Arguments{"prepare", "--config", "sample_lerc.yaml", "--set", "data.hold_out=[drop]"} +
          settings()));
  EXPECT_EQ(prepared.out, "token store: " + file("runs/token_store") + "\n");
  const Outcome trained = done(run(train("elsewhere/run")));
  EXPECT_FALSE(holds(trained.err, "tokenised ")) << trained.err;
}

TEST_F(TrainRun, ADryRunTouchesNothing) {
  const auto before = folder_.names();
  const Outcome outcome = done(run(train("runs/run", {"--dry-run"})));
  EXPECT_TRUE(holds(outcome.out, "\noutput: " + file("runs/run") + "\n")) << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "# train: 64 rows, ")) << outcome.out;
  EXPECT_EQ(folder_.names(), before);
}

TEST_F(TrainRun, AnotherRunsFolderIsRefused) {
  ASSERT_EQ(run(train("runs/run", {"--set", "run.epochs=1"})).code, 0);
  const auto before = times_in(file("runs"));
  expect_message(
      run(train("runs/run")), 2,
      {"run.epochs is 1 there and 6 here", "delete this folder, which discards its run"});
  expect_message(run(train("runs/run", {"--set", "run.epochs=1", "--set", "data.hold_out=[]"})), 2,
                 {"data.hold_out is [drop] there and [] here"});
  expect_message(run(train("runs/run", {"--set", "run.epochs=1", "--resume", "never"})), 2,
                 {"holds a run already", "--resume auto"});
  const Arguments elsewhere =
      Arguments{"train", "--config", "sample_lerc.yaml", "--set", "data.hold_out=[drop]"} +
      settings();
  expect_message(run(elsewhere + Arguments{"--resume", "atuo"}), 2, {"no run to resume", "atuo"});
  expect_message(run(train("runs/other", {"--resume", file("runs/run")})), 2,
                 {"--output and --resume"});
  expect_message(run(train("encoder")), 2, {"is not a run", file("encoder")});
  expect_message(run(train("train.json")), 2, {"is not a run", "train.json"});
  expect_message(run(train("train.json/run")), 2, {"train.json is not a folder"});
  fs::create_symlink("loop", file("loop"));
  expect_message(run(train("loop/run")), 2, {"symbolic links", file("loop/run"), "--output"});
  folder_.write("mine/inputs.json", "{}");
  expect_message(run(train("mine")), 2, {"is not a run", file("mine")});
  EXPECT_EQ(times_in(file("runs")), before);
}

TEST_F(TrainRun, BadConfigurationsAreNamedByFileLineAndKey) {
  const std::string path = file("bad.yaml");
  const std::pair<std::string, Arguments> kCases[] = {
      {"run:\n  epochs: 3\n  epohcs: 4\n", {path + ":3", "run.epohcs", "run.epochs"}},
      {"run:\n  epochs: 3\n  epochs: 4\n", {path + ":3", "\"epochs\" occurs twice"}},
      {"run:\n  epochs: many\n", {path + ":2", "run.epochs", "whole number", "\"many\""}},
      {"run:\n  epochs: \"3\"\n", {path + ":2", "run.epochs", "quotes"}},
      {"data:\n  hold_out: drop\n", {path + ":2", "data.hold_out", "list"}},
      {"data: {train: \"${RUBRIC_NOT_SET}\"}\n", {path + ":1", "data.train", "RUBRIC_NOT_SET"}},
      {"run: [\n", {path}},
      {"include: absent.yaml\n", {path + ":1", "absent.yaml"}}};
  for (const auto& [text, parts] : kCases) {
    SCOPED_TRACE(text);
    write_file(path, text);
    expect_message(run({"train", "--config", path}), 2, parts);
  }
  expect_message(run(train("runs/run", {"--set", "run.epohcs=3"})), 2,
                 {"--set run.epohcs=3", "did you mean run.epochs?"});
  expect_message(run(train("runs/run", {"--set", "nonsense"})), 2, {"--set nonsense"});
  expect_message(run({"train", "--config", "absent.yaml"}), 2,
                 {"absent.yaml", "configs/absent.yaml"});
  expect_message(run({"train"}), 2, {"--config"});
  EXPECT_FALSE(fs::exists(file("runs")));
}

TEST_F(TrainRun, KeysOfAnotherOptimiserAreNamed) {
  for (const auto& [name, key] : {std::pair<std::string, std::string>("adamw", "decay_rate=-0.5"),
                                  {"adamw", "scale_parameter=true"},
                                  {"adamw", "clip_threshold=2"},
                                  {"adafactor", "beta1=0.5"},
                                  {"adafactor", "beta2=0.5"},
                                  {"adafactor", "epsilon=1e-6"}}) {
    const Arguments settings = {"--dry-run", "--set", "optimizer.name=" + name, "--set",
                                "optimizer." + key};
    expect_message(run(train("runs/run", settings)), 2,
                   {"the optimiser " + name + " does not read this key",
                    "optimizer." + key.substr(0, key.find('='))});
  }
}

TEST_F(TrainRun, BfloatIsRefusedOnACpu) {
  const Outcome outcome = run(train("runs/run", {"--set", "precision=bfloat16"}));
  EXPECT_EQ(outcome.code, 2);
  expect_contains(outcome.err, error_lines("bfloat16 is for GPUs: a CPU is slower with it",
                                           "precision", "set device to cuda, or take it out"));
}

TEST_F(TrainRun, WithoutAGpuADeviceCudaIsRefused) {
  const Outcome outcome = run(train("runs/run", {"--set", "device=cuda"}));
  if (outcome.code == 0) return;  // this machine has one
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  expect_contains(outcome.err, "device: cuda");
  EXPECT_FALSE(fs::exists(file("runs/run")));
  const Outcome dry = run(train("runs/run", {"--set", "device=cuda", "--dry-run"}));
  EXPECT_EQ(dry.code, 0) << dry.err;  // which computes nothing
}

TEST_F(TrainRun, MissingDataAndWeightsNameTheCommandsThatFetchThem) {
  const Arguments paper = {"train", "--config", "lerc_ood_drop.yaml", "--output", file("runs/run")};
  const Environment nowhere = {{"RUBRIC_DATA", file("data")},
                               {"RUBRIC_MODELS", file("models")},
                               {"HF_HOME", file("hub")},
                               {"HF_HUB_CACHE", ""}};
  const Arguments data = {"data.train: looked at " + file("data/mocha/train.json"),
                          "data.dev: looked at " + file("data/mocha/dev.json"),
                          "scripts/download mocha", "RUBRIC_DATA"};
  const Arguments weights = {file("models/bert-base-uncased"),
                             file("hub/hub/models--bert-base-uncased"),
                             "scripts/download bert-base-uncased"};
  expect_message(run(paper, nowhere), 2, data + weights);
  expect_message(run(paper + Arguments{"--set", "model.name=" + file("encoder")}, nowhere), 2,
                 data);
  expect_message(run(train("runs/run", {"--set", "model.name=bert-base-uncased"}), nowhere), 2,
                 weights);
  // Unset, the variables mean where scripts/download puts things.
  const Environment unset = {{"RUBRIC_DATA", ""}, {"RUBRIC_MODELS", ""}};
  for (const Arguments& command : {paper, Arguments{"prepare", "--config", "lerc_ad.yaml"}}) {
    expect_message(run(command + Arguments{"--set", "model.name=no-such-model"}, unset), 2,
                   {"/data/mocha/train.json", "scripts/download mocha", "models/no-such-model",
                    "scripts/download no-such-model"});
  }
  // Another file, wherever it lies, is not MOCHA's.
  const Outcome outcome =
      run(train("runs/run", {"--set", "data.train=" + file("my/mocha/train.json")}), nowhere);
  expect_message(outcome, 2, {file("my/mocha/train.json"), "--set data.train=F"});
  EXPECT_FALSE(holds(outcome.err, "scripts/download")) << outcome.err;
  EXPECT_FALSE(fs::exists(file("runs")));
}

TEST_F(TrainRun, BadDataIsNamed) {
  const std::string good = small_mocha(8).dump();
  const std::string head = R"({"quoref": {"i0": {"context": "", "question": "", "reference": "r", )"
                           R"("candidate": "c", )";
  std::string deep = R"({"quoref": {"i0": )";
  for (int i = 0; i < 200'000; ++i) deep += '[';
  const std::pair<std::string, Arguments> kCases[] = {
      {head + R"("score": "high"}}})", {"\"score\"", "a number", "quoref", "i0"}},
      {head + R"("score": 9}}})", {"\"score\"", "from 1 to 5"}},
      {head + R"("x": 1}}})", {"without a score", "quoref", "i0"}},
      {head + R"("score": 3}, "i0": {}}})", {"\"i0\" occurs twice", "train.json"}},
      {R"({"quoref": {"i0": {"context": "", "question": "", "score": 3}}})", {"\"reference\""}},
      {"{\"quoref\":\n {\"i0\": ", {"not valid JSON", "train.json:2"}},
      {deep, {"nested deeper", "train.json"}},
      {"{\"qu\xFForef\": {}}", {"UTF-8", "train.json"}},
      {"{}", {"train.json"}},
      {R"({"quoref": [1, 2]})", {"train.json", "quoref"}}};
  for (const auto& [text, parts] : kCases) {
    SCOPED_TRACE(text.substr(0, 200));
    write_file(file("train.json"), text);
    expect_message(run(train("runs/run")), 2, parts);
  }
  write_file(file("train.json"), good);
  expect_message(run(train("runs/run", {"--set", "data.hold_out=[dorp]"})), 2,
                 {"\"dorp\"", "train.json", "did you mean \"drop\"?"});
  expect_message(run(train("runs/run", {"--set", "data.hold_out=[drop, quoref, mcscript]"})), 2,
                 {"no row is left"});
  write_file(file("dev.json"), R"({"quoref": {"i0": {"context": "", "question": "", )"
                               R"("reference": "r", "candidate": "c", "score": 3}}})");
  expect_message(run(train("runs/run")), 2, {"\"drop\"", "dev.json"});
  expect_message(run(train("runs/run", {"--set", "data.hold_out=[]"})), 2,
                 {"all scores of \"quoref\" are the same", "dev.json"});
  EXPECT_FALSE(fs::exists(file("runs")));  // nothing was tokenised
}

// The folder of tests/fixtures, and the files that belong to its tokenizer.
class TrainRunOf
    : public TrainRun,
      public testing::WithParamInterface<std::pair<const char*, std::vector<const char*>>> {};

TEST_P(TrainRunOf, OtherEncodersTrainAndScore) {
  const auto& [folder, files] = GetParam();
  fs::copy(fs::path(fixtures_folder()) / folder, file("other"));
  done(run(train("runs/run", {"--set", "model.name=" + file("other")})));
  for (const char* name : files) {
    EXPECT_EQ(read_file(file("runs/run/model/") + name), read_file(file("other/") + name)) << name;
  }
  // As the best validation scored them.
  done(run({"score", "lerc", "--model", file("runs/run/model"), "--input", file("dev.json"),
            "--input-format", "mocha", "--output", file("scored.json")}));
  const Json scores = Json::parse_file(file("scored.json"));
  LineReader lines(file("runs/run/predictions/dev.jsonl"));
  size_t compared = 0;
  for (std::string line; lines.next(line); ++compared) {
    const Json predicted = Json::parse(line, lines.where());
    const Json& row = scores.require(predicted.require_string("constituent", ""), "")
                          .require(predicted.require_string("id", ""), "");
    EXPECT_NEAR(row.require("scores", "").require_number("lerc", ""),
                predicted.require("scores", "").require_number("lerc", ""), 1e-5);
  }
  EXPECT_EQ(compared, 20u);
}

INSTANTIATE_TEST_SUITE_P(
    Encoders, TrainRunOf,
    testing::Values(
        std::pair("bertscore/roberta",
                  std::vector<const char*>{"config.json", "vocab.json", "merges.txt",
                                           "tokenizer_config.json"}),
        std::pair("encoders/electra", std::vector<const char*>{"config.json", "vocab.txt"}),
        std::pair("encoders/distilbert", std::vector<const char*>{"config.json", "vocab.txt"}),
        std::pair("encoders/rembert", std::vector<const char*>{"config.json", "sentencepiece.model",
                                                               "tokenizer_config.json"}),
        std::pair("encoders/modernbert", std::vector<const char*>{"config.json", "tokenizer.json"}),
        std::pair("tokenizer_json/xlm_roberta",
                  std::vector<const char*>{"config.json", "tokenizer.json"}),
        std::pair("deberta/spm",
                  std::vector<const char*>{"config.json", "spm.model", "tokenizer_config.json"}),
        std::pair("lerc_mpnet",
                  std::vector<const char*>{"config.json", "vocab.txt", "tokenizer.json",
                                           "tokenizer_config.json"})));

TEST_F(TrainRun, BadEncodersAreNamed) {
  const std::string weights = file("encoder/model.safetensors");
  const std::string bytes = read_file(weights), vocabulary = read_file(file("encoder/vocab.txt"));
  write_file(weights, bytes.substr(0, bytes.size() / 2));
  expect_message(run(train("runs/run")), 2, {weights});
  fs::remove(weights);
  expect_message(run(train("runs/run")), 2, {"no weights", "model.safetensors"});

  // A pickle that would run a program when Python read it.
  const std::string touched = file("touched");
  const std::string pickle = models::kProto2 + models::global("posix", "system") +
                             models::tuple({models::text("touch " + touched)}) + "R" +
                             models::kStop;
  write_file(file("encoder/pytorch_model.bin"), models::zip64_by_hand({{"data.pkl", pickle}}));
  expect_message(run(train("runs/run")), 2, {"pytorch_model.bin", "posix"});
  EXPECT_FALSE(fs::exists(touched));

  fs::remove(file("encoder/pytorch_model.bin"));
  write_file(weights, bytes);
  set_in_file(file("encoder/vocab.txt"), "[CLS]\n", "[SLC]\n");
  expect_message(run(train("runs/run")), 2, {"[CLS]", "vocab.txt"});
  write_file(file("encoder/vocab.txt"), vocabulary);
  expect_message(run(train("runs/run", {"--set", "data.max_length=65"})), 2,
                 {"64", "lower data.max_length"});
  EXPECT_FALSE(fs::exists(file("runs")));  // nothing was tokenised
}

}  // namespace
}  // namespace rubric::cli
