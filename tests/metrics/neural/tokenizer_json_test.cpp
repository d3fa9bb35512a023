// Models whose tokenizer.json says what their kind does not
// (tests/fixtures/make_tokenizer_json.py), scored as transformers and bert-score score with them.
#include <limits>

#include "core/files/files.h"
#include "data/source_targets/token_pairs.h"
#include "messages.h"
#include "metrics/neural/bertscore.h"
#include "metrics/neural/opened_sequence_model.h"
#include "metrics/neural/pair_likelihoods.h"
#include "models/fixture.h"
#include "temporary_folder.h"

namespace rubric::metrics::tokenizer_json_test {

TEST(XlmRobertaBertScore, EqualsThePackage) {
  const Json rows = Json::parse_file(fixture("tokenizer_json/bertscore.json"));
  std::vector<data::Answer> answers;
  for (const Json& row : rows.array()) {
    answers.emplace_back();
    answers.back().references = {row.require_string("reference", "")};
    answers.back().candidate = row.require_string("candidate", "");
  }
  BertScoreOptions options;
  options.layer = 2;
  const data::Scores scores =
      make_bertscore(fixture("tokenizer_json/xlm_roberta"), options)->score(answers);
  ASSERT_GE(answers.size(), 20u);
  for (size_t i = 0; i < answers.size(); ++i) {
    const Json::Array& expected = rows.array()[i].require("p_r_f", "").array();
    EXPECT_NEAR(scores.rows[i][0], expected[2].number(), 1e-5) << answers[i].candidate;
    EXPECT_NEAR(scores.rows[i][1], expected[0].number(), 1e-5) << answers[i].candidate;
    EXPECT_NEAR(scores.rows[i][2], expected[1].number(), 1e-5) << answers[i].candidate;
  }
}

// A folder with the files of others but those named.
void copy_files(const fs::path& from, const fs::path& to, const std::vector<std::string>& but) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (std::ranges::count(but, entry.path().filename().string()) > 0) continue;
    fs::copy(entry.path(), to / entry.path().filename(), fs::copy_options::overwrite_existing);
  }
}

// T5 without spiece.model, a T5 with RoBERTa's tokenizer, a GPT-2 whose texts have a beginning, and
// an end.
TEST(Likelihood, FollowsTheTokenizerAndNotTheKindOfModel) {
  const TemporaryFolder folder;
  const fs::path t5 = folder.path() / "t5", codet5 = folder.path() / "codet5",
                 gpt2 = folder.path() / "gpt2", gpt2_ended = folder.path() / "gpt2_ended";
  for (const fs::path& each : {t5, codet5, gpt2, gpt2_ended}) fs::create_directories(each);
  copy_files(fixture("likelihood/t5"), t5, {"spiece.model"});
  copy_files(fixture("tokenizer_json/t5"), t5, {});
  copy_files(fixture("generation_tokenizers/bart"), codet5, {"config.json"});
  copy_files(fixture("tokenizer_json/codet5"), codet5, {});
  copy_files(fixture("likelihood/gpt2"), gpt2, {"vocab.json", "merges.txt"});
  copy_files(fixture("tokenizer_json/gpt2"), gpt2, {});
  copy_files(gpt2, gpt2_ended, {});
  Json tokenizer = Json::parse_file(gpt2 / "tokenizer.json");
  Json::Array& single = tokenizer["post_processor"]["processors"].array()[1]["single"].array();
  single.push_back(single.front());
  write_file(gpt2_ended / "tokenizer.json", tokenizer.dump());
  const Json rows = Json::parse_file(fixture("tokenizer_json/likelihood.json"));
  std::string name;
  OpenedSequenceModel opened;
  for (const Json& row : rows.array()) {
    SCOPED_TRACE(row.dump());
    if (name != row.require_string("model", "")) {
      name = row.require_string("model", "");
      opened = open_sequence_model(folder.path() / name, {});
    }
    data::PairEncoder encoder(*opened.tokenizer,
                              data::pair_template({}, opened.tokens, "config.json"));
    data::TokenPairs pair;
    encoder.encode({"1", row.require_string("source", ""), row.require_string("target", ""), ""},
                   pair);
    const std::vector<float> values =
        pair_likelihoods(*opened.model, pair, std::numeric_limits<int64_t>::max());
    const Json::Array& expected = row.require("tokens", "").array();
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i].number(), 2e-5);
  }
  EXPECT_GE(rows.array().size(), 30u);
}

}  // namespace rubric::metrics::tokenizer_json_test
