// `train` of the task seq2seq: any rows of source and target, on the tiny models of
// tests/fixtures/make_likelihood.py, which have dropout.
#include <chrono>
#include <cmath>
#include <thread>

#include "measured.h"
#include "metrics/neural/likelihood_fixture.h"
#include "models/weights/weights.h"
#include "train/ranks_command.h"

namespace rubric::cli::seq2seq_command_test {

struct TrainSequences : TrainCommand {
  TrainSequences() {
    copy_model("t5");
    write_rows("pairs.jsonl", 24);
    write_rows("held.jsonl", 8);
  }

  void copy_model(const std::string& name) const {
    fs::remove_all(file("start"));
    fs::copy(likelihood_model(name), file("start"));
  }

  void write_rows(const std::string& name, int rows) const {
    const std::vector<std::string> places = {"the market", "an old bridge", "the oven"};
    const std::vector<std::string> things = {"bread", "two lemons", "honey", "a basket of apples"};
    std::string text;
    for (int i = 0; i < rows; ++i) {
      const std::string &place = places[static_cast<size_t>(i) % 3],
                        &thing = things[static_cast<size_t>(i) % 4];
      text += source_target("Maria found " + thing + " near " + place + ".", thing + " | " + place)
                  .dump() +
              "\n";
    }
    write_file(file(name), text);
  }

  // 3 updates an epoch, each accumulated from pieces.
  Arguments train(const std::string& run, const Arguments& more = {}) const {
    Arguments all = {"train", "--config", "seq2seq.yaml", "--output", file(run)};
    for (const std::string& value :
         {"model.name=" + file("start"), "data.train=" + file("pairs.jsonl"),
          "data.dev=" + file("held.jsonl"), std::string("threads=1"), std::string("batches.size=8"),
          std::string("batches.max_tokens=100"), std::string("optimizer.learning_rate=1e-2"),
          std::string("run.epochs=6"), std::string("run.checkpoint_every=4")}) {
      all.insert(all.end(), {"--set", value});
    }
    return all + more;
  }
  Outcome succeed(const std::string& run_name, const Arguments& more = {}) const {
    Outcome outcome = done(run(train(run_name, more)));
    return outcome;
  }

  // The largest difference between the parameters of two runs' models.
  double difference_of_models(const std::string& a, const std::string& b) const {
    const models::NamedTensors first =
        models::read_safetensors(file(a + "/model/model.safetensors"));
    const models::NamedTensors second =
        models::read_safetensors(file(b + "/model/model.safetensors"));
    EXPECT_EQ(first.size(), second.size());
    double most = 0;
    for (const auto& [name, tensor] : first) {
      most =
          std::max(most, (tensor - *models::find_tensor(second, name)).abs().max().item<double>());
    }
    return most;
  }

  // predictions/dev.jsonl against `score likelihood` with the run's model.
  void expect_predictions(const std::string& run_name) const {
    done(run({"score", "likelihood", "--model", file(run_name + "/model"), "--input",
              file("held.jsonl"), "--output", file("scored.jsonl"), "--threads", "1"}));
    LineReader scored(file("scored.jsonl")), predicted(file(run_name + "/predictions/dev.jsonl"));
    int rows = 0;
    for (std::string a, b; scored.next(a); ++rows) {
      ASSERT_TRUE(predicted.next(b));
      const auto likelihood = [](const std::string& line) {
        return Json::parse(line, "").require("scores", "").require_number("likelihood", "");
      };
      EXPECT_NEAR(likelihood(a), likelihood(b), 1e-6);
    }
    EXPECT_EQ(rows, 8);
  }

  // Sends a signal once a run has made so many updates.
  Outcome interrupt(const Arguments& command, const std::string& run, int64_t updates,
                    int signal) const {
    Process process(command);
    const std::string log = file(run + "/log.jsonl");
    while (!process.ended()) {
      if (fs::exists(log)) {
        const std::string text = read_file(log);
        if (std::count(text.begin(), text.end(), '\n') > updates) break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.send(signal);
    return process.wait();
  }

  std::map<std::string, std::string> outcome_without_checkpoints(const std::string& run) const {
    auto files = outcome_of(run);
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("checkpoints/"); });
    return files;
  }
};

// Rows with a field "question" beside source and target.
TEST_F(TrainSequences, QuestionsAreListedAndTheirRowsNoted) {
  const auto write = [&](const std::string& name, const std::vector<std::string>& questions) {
    std::string text;
    for (const std::string& question : questions) {
      Json row = source_target("Maria found " + question, "honey");
      row["question"] = question;
      text += row.dump() + "\n";
    }
    write_file(file(name), text);
  };
  write("pairs.jsonl", {"what ?", "where ?"});
  write("held.jsonl", {"when ?", "Where"});
  succeed("runs/run", {"--set", "run.epochs=1"});
  write("rows.jsonl", {"What", "where", "when", "who"});
  const Outcome outcome =
      done(run({"score", "likelihood", "--sum", "--model", file("runs/run/model"), "--input",
                file("rows.jsonl"), "--output", file("scored.jsonl")}));
  expect_contains(outcome.err, "|seen:50%,tuned:25%|rubric:");
  expect_contains(outcome.err, "likelihood: its model was trained on the questions of 50%");
  std::vector<std::string> seen;
  LineReader lines(file("scored.jsonl"));
  for (std::string line; lines.next(line);) {
    const Json row = Json::parse(line, "");
    const Json* const how = row.find("seen");
    seen.push_back(how == nullptr ? "" : how->require_string("likelihood", ""));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"trained", "trained", "tuned", ""}));
}

TEST_F(TrainSequences, LearnsAndLeavesAModelThatOpensAgain) {
  for (const std::string name : {"t5", "bart", "gpt2"}) {
    SCOPED_TRACE(name);
    copy_model(name);
    const std::string run_name = "runs/" + name;
    const Outcome outcome = succeed(run_name, {"--set", "run.epochs=15"});
    EXPECT_TRUE(holds(outcome.out, "model: " + file(run_name + "/model"))) << outcome.out;
    expect_contains(outcome.err, "train: 24 rows");
    const std::vector<double> losses = logged(run_name, "update", "loss");
    ASSERT_EQ(losses.size(), 45u);
    EXPECT_LT(losses.back(), 0.85 * losses.front());
    const Json results = Json::parse_file(file(run_name + "/results.json"));
    const double likelihood = value_of(results, "log_likelihood");
    EXPECT_GT(likelihood, logged(run_name, "validation", "value").front());
    EXPECT_NEAR(value_of(results, "perplexity"), std::exp(-likelihood), 1e-9);
    for (const auto& entry : fs::directory_iterator(likelihood_model(name))) {
      EXPECT_TRUE(fs::exists(file(run_name + "/model") / entry.path().filename())) << entry.path();
    }
    EXPECT_EQ(read_file(file(run_name + "/model/config.json")),
              read_file(likelihood_model(name) + "/config.json"));
    expect_predictions(run_name);
  }
}

// The mean over the dev data's tokens, as the loss is one over the batch's.
TEST_F(TrainSequences, TheFigureIsTheMeanOfAllTokens) {
  succeed("run", {"--set", "run.epochs=1"});
  ASSERT_EQ(run({"score", "likelihood", "--model", file("run/model"), "--input", file("held.jsonl"),
                 "--output", file("scored.jsonl"), "--per-token"})
                .code,
            0);
  std::vector<double> all;
  LineReader lines(file("scored.jsonl"));
  for (std::string line; lines.next(line);) {
    const auto tokens = numbers(Json::parse(line, "").require("likelihood_tokens", ""));
    all.insert(all.end(), tokens.begin(), tokens.end());
  }
  double sum = 0;
  for (const double token : all) sum += token;
  EXPECT_NEAR(logged("run", "validation", "value").back(), sum / static_cast<double>(all.size()),
              1e-6);
}

// Without dropout, without learning, and with all rows in one batch.
TEST_F(TrainSequences, DevLossIsTheTrainingLossOverTheDevRows) {
  set_in_file(file("start/config.json"), "\"dropout_rate\": 0.1", "\"dropout_rate\": 0.0");
  succeed("run", {"--set", "data.dev=" + file("pairs.jsonl"), "--set", "batches.size=24", "--set",
                  "optimizer.learning_rate=0", "--set", "run.epochs=1"});
  const double loss = logged("run", "update", "loss").front();
  EXPECT_NEAR(logged("run", "validation", "dev_loss").front(), loss, 1e-5 * loss);
}

TEST_F(TrainSequences, FieldsOfOtherNamesAreNamed) {
  succeed("usual/run", {"--set", "run.epochs=1"});
  for (const char* name : {"pairs.jsonl", "held.jsonl"}) {
    std::string renamed;
    LineReader lines(file(name));
    for (std::string line; lines.next(line);) {
      Json row = Json::parse(line, "");
      for (auto& [key, value] : row.object()) key = key == "source" ? "frage" : key;
      renamed += row.dump() + "\n";
    }
    write_file(file(name), renamed);
  }
  const Outcome without = run(train("own/run", {"--set", "run.epochs=1"}));
  EXPECT_EQ(without.code, 2);
  expect_contains(without.err, "\"source\"");
  succeed("own/run", {"--set", "run.epochs=1", "--field", "source=frage"});
  EXPECT_EQ(read_file(file("own/run/predictions/dev.jsonl")),
            read_file(file("usual/run/predictions/dev.jsonl")));
}

// With new tokens, whose rows are drawn anew at every start.
TEST_F(TrainSequences, InterruptedAndResumedIsTheSameRun) {
  const Arguments longer = {"--set", "run.epochs=40", "--set",
                            "model.add_tokens=[<1>, <2>, <3>, <4>, <5>, <6>, <7>]"};
  succeed("whole", longer);
  const auto expected = outcome_without_checkpoints("whole");
  const Arguments command = train("run", longer);
  EXPECT_EQ(interrupt(command, "run", 20, SIGTERM).code, 75);
  EXPECT_EQ(interrupt(command, "run", 60, SIGKILL).signal, SIGKILL);
  const Outcome outcome = done(run(command));
  expect_contains(outcome.err, "resuming after update");
  expect_equal(outcome_without_checkpoints("run"), expected);
}

TEST_F(TrainSequences, CheckpointedGradientsGiveTheSameModel) {
  for (const std::string name : {"t5", "bart", "gpt2"}) {
    copy_model(name);
    const Arguments few = {"--set", "run.epochs=2", "--set", "optimizer.learning_rate=1e-3"};
    succeed("plain_" + name, few);
    succeed("checkpointed_" + name, few + Arguments{"--set", "model.checkpoint_gradients=true"});
    EXPECT_LT(difference_of_models("plain_" + name, "checkpointed_" + name), 1e-6) << name;
  }
}

// The loss is normalised by the tokens of the whole batch, and dropout goes by the example.
TEST_F(TrainSequences, PiecesGiveTheSameUpdate) {
  const Arguments one = {"--set", "run.epochs=1", "--set", "batches.size=24"};
  for (const auto& [name, tokens] : {std::pair("whole", "100000"), {"pieces", "60"}}) {
    succeed(name, one + Arguments{"--set", std::string("batches.max_tokens=") + tokens});
  }
  const auto losses = logged("whole", "update", "loss"),
             of_pieces = logged("pieces", "update", "loss");
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_NEAR(of_pieces[0], losses[0], 1e-6);
  EXPECT_NEAR(logged("pieces", "update", "gradient_norm")[0],
              logged("whole", "update", "gradient_norm")[0], 1e-5);
}

TEST_F(TrainSequences, AddedTokensAreLearnt) {
  std::string text;
  for (int i = 0; i < 24; ++i) text += source_target("bread <because>", "<t8> bread").dump() + "\n";
  write_file(file("pairs.jsonl"), text);
  write_file(file("held.jsonl"), text);
  const Arguments added = {
      "--set", "model.add_tokens=[<because>, <t1>, <t2>, <t3>, <t4>, <t5>, <t6>, <t7>, <t8>]"};
  succeed("run", added + Arguments{"--set", "run.epochs=15"});
  const std::string model = file("run/model");
  EXPECT_EQ(Json::parse_file(model + "/config.json").require_integer("vocab_size", ""), 348);
  EXPECT_EQ(Json::parse_file(model + "/added_tokens.json").require_integer("<t8>", ""), 347);
  const models::NamedTensors weights = models::read_safetensors(model + "/model.safetensors");
  EXPECT_EQ(models::find_tensor(weights, "shared.weight")->size(0), 348);

  write_file(file("one.jsonl"), source_target("bread <because>", "<t8>").dump() + "\n" +
                                    source_target("bread <because>", "<t7>").dump() + "\n");
  ASSERT_EQ(run({"score", "likelihood", "--model", model, "--input", file("one.jsonl"), "--output",
                 file("scored.jsonl"), "--per-token"})
                .code,
            0);
  LineReader lines(file("scored.jsonl"));
  std::vector<double> first;
  for (std::string line; lines.next(line);) {
    const auto tokens = numbers(Json::parse(line, "").require("likelihood_tokens", ""));
    EXPECT_EQ(tokens.size(), 2u);  // one token, and the end
    first.push_back(tokens[0]);
  }
  EXPECT_GT(first[0], first[1] + 1);  // which was in the data and which was not
}

// Nothing of the weights is read, and the seed decides.
TEST_F(TrainSequences, RandomWeightsStartANewModel) {
  fs::remove(file("start/model.safetensors"));
  expect_message(run(train("run")), 2, {"no weights", file("start")});
  const Arguments random = {"--set", "model.weights=random", "--set", "run.epochs=1"};
  succeed("a", random);
  succeed("b", random);
  succeed("c", random + Arguments{"--set", "seed=1"});
  EXPECT_EQ(difference_of_models("a", "b"), 0);
  EXPECT_GT(difference_of_models("a", "c"), 0.1);
}

TEST_F(TrainSequences, LongTextsAreCutAndCountedOrRefused) {
  const Arguments shorter = {"--set", "seq2seq.max_source=8", "--set", "run.epochs=1"};
  expect_contains(succeed("run", shorter).err, "24 sources and 0 targets cut");
  fs::remove_all(file("run"));
  const Outcome quiet = run(train("run", shorter + Arguments{"--quiet"}));
  expect_contains(quiet.err, "warning: " + file("pairs.jsonl") +
                                 ": 24 of 24 sources are too long and are cut at 8 tokens");
  expect_contains(quiet.err, file("held.jsonl"));
  EXPECT_FALSE(holds(quiet.err, "targets are too long")) << quiet.err;
  expect_message(run(train("refused", shorter + Arguments{"--set", "seq2seq.too_long=refuse"})), 2,
                 {"the source has", "more than the 8", file("pairs.jsonl") + ": record \"1\""});
  EXPECT_FALSE(fs::exists(file("refused")));
}

// A line break becomes a space, a brace <unk>: told before anything is computed.
TEST_F(TrainSequences, TargetsThatDoNotComeBackFromTheirTokensAreCounted) {
  std::string rows;
  for (const char* const target :
       {"no bread was left", "no bread\nwas left", "{no} bread", "bread"}) {
    rows += source_target("her", target).dump() + "\n";
  }
  write_file(file("pairs.jsonl"), rows);
  const Arguments once = {"--set", "run.epochs=1", "--quiet"};
  expect_contains(succeed("run", once).err,
                  "warning: " + file("pairs.jsonl") +
                      ": 2 of 4 targets do not come back from their tokens, so that the model "
                      "cannot learn to write "
                      "them; of record \"2\" the target is \"no bread\\nwas left\" and comes back "
                      "as \"no bread was "
                      "left\"; records \"2\", \"3\"");
  copy_model("bart");
  EXPECT_FALSE(holds(succeed("bart", once).err, "come back"));
}

TEST_F(TrainSequences, LimitsBeyondTheModelsPositionsAreTold) {
  copy_model("bart");  // 64 positions
  const Arguments once = {"--set", "run.epochs=1", "--quiet"};
  EXPECT_EQ(succeed("fits", once + Arguments{"--set", "seq2seq.max_source=64", "--set",
                                             "seq2seq.max_target=64"})
                .err,
            "");
  const Outcome outcome = succeed("run", once + Arguments{"--set", "seq2seq.max_target=64"});
  expect_contains(outcome.err, "seq2seq.max_source is 512, the model has positions for 64 tokens");
  EXPECT_FALSE(holds(outcome.err, "max_target")) << outcome.err;
}

TEST_F(TrainSequences, BadRowsAreNamed) {
  const std::string good = source_target("bread", "oven").dump() + "\n";
  write_file(file("pairs.jsonl"), good + source_target("bread", "").dump() + "\n");
  expect_message(run(train("run")), 2, {"\"target\" is empty", "pairs.jsonl:2"});
  write_file(file("pairs.jsonl"), good + source_target("bread", "\u200b").dump() + "\n");
  expect_message(run(train("run")), 2, {"no token is left of the target", "record \"2\""});
  EXPECT_FALSE(fs::exists(file("run")));
}

TEST_F(TrainSequences, BadModelsAndKeysAreNamed) {
  expect_message(
      run(train("run", {"--set", "model.name=" + file("encoder")})), 2,
      {"\"bert\", which is not one of the supported models", file("encoder/config.json")});
  expect_message(run(TrainCommand::train("run", {"--set", "model.weights=random"})), 2,
                 {"model.weights", "the task lerc does not read this key"});
  expect_message(run(train("run", {"--set", "data.augment_swap=true"})), 2, {"data.augment_swap"});
  const std::string config = file("start/config.json"), pieces = file("start/spiece.model");
  const std::string whole = read_file(pieces);
  fs::resize_file(pieces, whole.size() / 2);
  expect_message(run(train("run")), 2, {pieces});
  write_file(pieces, whole);
  set_in_file(config, "\"vocab_size\": 344", "\"vocab_size\": 300");
  expect_message(run(train("run", {"--set", "model.weights=random"})), 2,
                 {"the tokenizer has 339 entries, the model 300", file("start")});
  set_in_file(config, "\"vocab_size\": 300", "\"vocab_size\": 344");
  fs::remove(file("start/generation_config.json"));
  set_in_file(config, "\"eos_token_id\": 1,", "");
  expect_message(run(train("run")), 2, {"eos_token_id is missing", config});
  EXPECT_FALSE(fs::exists(file("run")));
}

TEST_F(TrainSequences, ALossThatIsNotFiniteStopsTheRun) {
  const std::string weights = file("start/model.safetensors");
  models::NamedTensors tensors = models::read_safetensors(weights);
  tensors[0].second.fill_(std::nan(""));
  models::write_safetensors(weights, tensors);
  expect_message(run(train("run")), 1, {"the loss is nan", "the update was not made"});
}

TEST_F(TrainSequences, RanksGiveTheSameRun) {
  const Arguments settings = {"--set", "optimizer.learning_rate=1e-3"};
  expect_done(run_on(1, train("ranks1/run", settings)));
  for (const size_t size : {2U, 4U}) {
    const std::string name = "ranks" + std::to_string(size) + "/run";
    expect_done(run_on(size, train(name, settings)));
    expect_same_run(file(name), file("ranks1/run"), 18);
  }
}

TEST_F(TrainSequences, OnlyRank0WarnsOfTheData) {
  const std::vector<Outcome> outcomes =
      run_on(2, train("run", {"--set", "seq2seq.max_source=8", "--set", "run.epochs=1"}));
  expect_done(outcomes);
  expect_contains(outcomes[0].err, "24 of 24 sources are too long");
}

}  // namespace rubric::cli::seq2seq_command_test
