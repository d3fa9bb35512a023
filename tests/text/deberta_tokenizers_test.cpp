// The tokenizers of tests/fixtures/make_deberta.py: DeBERTa v1's byte-level BPE and v2's and v3's
// SentencePiece, as published and as transformers saves them.
#include <map>
#include <memory>

#include "text/real_data.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::deberta_tokenizers_test {

std::filesystem::path deberta_fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / "deberta" / name;
}

TEST(DebertaTokenizers, IdsAreThoseOfTheReference) {
  std::map<std::string, std::unique_ptr<Tokenizer>> tokenizers;
  const size_t compared =
      compare_cases(deberta_fixture("cases.json"), [&](const std::string& name) {
        std::unique_ptr<Tokenizer>& tokenizer = tokenizers[name];
        if (!tokenizer) tokenizer = open_tokenizer(deberta_fixture(name));
        return tokenizer.get();
      });
  EXPECT_EQ(tokenizers.size(), 5u);
  EXPECT_GE(compared, 400u);
  for (const auto& [name, tokenizer] : tokenizers) {
    SCOPED_TRACE(name);
    EXPECT_EQ(tokenizer->cls_id(), 1);
    EXPECT_EQ(tokenizer->sep_id(), 2);
    EXPECT_EQ(tokenizer->around(), (TokensAround{{1}, {2}}));
    EXPECT_EQ(encode(*tokenizer, "[MASK]"), Ids{tokenizer->size() - 1});
  }
  EXPECT_EQ(tokenizers.at("bpe")->fingerprint(), tokenizers.at("bpe_saved")->fingerprint());
  EXPECT_NE(tokenizers.at("spm")->fingerprint(), tokenizers.at("spm_cut")->fingerprint());
}

TEST(DebertaTokenizers, EveryFileGivesTheIdsOfTheReference) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json expected = Json::parse_file(deberta_fixture("real_data.json"));
  for (const auto& [name, files] : expected.object()) {
    SCOPED_TRACE(name);
    expect_ids_of_files(*open_tokenizer(deberta_fixture(name)), files, data);
  }
}

}  // namespace rubric::text::deberta_tokenizers_test
