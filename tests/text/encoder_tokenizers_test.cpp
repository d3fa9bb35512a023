// tests/fixtures/make_encoders.py: the tokenizers of RemBERT, ModernBERT and XLM-RoBERTa.
#include <cstdlib>
#include <map>
#include <memory>

#include "text/real_data.h"

namespace rubric::text::encoder_tokenizers_test {

namespace fs = std::filesystem;

class EncoderTokenizers : public testing::Test {
 public:
  const Tokenizer& open(const std::string& name) {
    const char* const folder = name.starts_with("xlm") ? "tokenizer_json" : "encoders";
    std::unique_ptr<Tokenizer>& tokenizer = tokenizers_[name];
    if (!tokenizer) tokenizer = open_tokenizer(fs::path(fixtures_folder()) / folder / name);
    return *tokenizer;
  }

  const fs::path folder_ = fs::path(fixtures_folder()) / "encoders";

 private:
  std::map<std::string, std::unique_ptr<Tokenizer>> tokenizers_;
};

TEST_F(EncoderTokenizers, IdsOfTextsEqualTransformers) {
  const size_t compared =
      compare_cases(folder_ / "cases.json", [&](const std::string& name) { return &open(name); });
  EXPECT_GT(compared, 400u);
}

TEST_F(EncoderTokenizers, TokensAroundATextEqualTransformers) {
  const Json cases = Json::parse_file(folder_ / "cases.json");
  int compared = 0;
  for (const Json& one : cases.array()) {
    const Json* const whole = one.find("whole");
    if (whole == nullptr) continue;
    const std::string& name = one.require_string("tokenizer", "");
    const TokensAround& around = open(name).around();
    Ids ids = around.before;
    open(name).encode(one.require_string("text", ""), ids);
    ids.insert(ids.end(), around.after.begin(), around.after.end());
    EXPECT_EQ(ids, ids_of(*whole)) << name;
    EXPECT_EQ(Ids{open(name).cls_id()}, around.before) << name;
    EXPECT_EQ(Ids{open(name).sep_id()}, around.after) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 6);
}

TEST_F(EncoderTokenizers, EveryFileGivesTheIdsOfTheReference) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json expected = Json::parse_file(folder_ / "real_data.json");
  for (const auto& [name, files] : expected.object()) {
    SCOPED_TRACE(name);
    expect_ids_of_files(open(name), files, data);
  }
}

}  // namespace rubric::text::encoder_tokenizers_test
