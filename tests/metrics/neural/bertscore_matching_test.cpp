#include "metrics/neural/bertscore.h"
#include "models/fixture.h"

namespace rubric::metrics::bertscore_matching_test {

std::vector<int64_t> ids_of(const DistinctTexts& texts, int64_t row) {
  const data::TokenBatch one = data::select_rows(texts.rows(), std::vector<int64_t>{row});
  return one.ids;
}

TEST(DistinctTexts, EachTextIsOneRow) {
  const auto tokenizer = text::open_tokenizer(fixture("byte_bpe/json"));
  DistinctTexts texts(*tokenizer, 40);
  EXPECT_EQ(texts.add("Maria"), 0);
  EXPECT_EQ(texts.add("the market"), 1);
  EXPECT_EQ(texts.add(" Maria\u3000\n"), 0);  // without white space around it
  EXPECT_EQ(texts.add(""), 2);
  EXPECT_EQ(texts.add(" \t"), 2);
  EXPECT_EQ(texts.rows().rows(), 3);
  EXPECT_FALSE(texts.is_empty(0));
  EXPECT_TRUE(texts.is_empty(2));
}

TEST(DistinctTexts, AWordBeginsBehindABlank) {
  const auto tokenizer = text::open_tokenizer(fixture("byte_bpe/json"));
  DistinctTexts texts(*tokenizer, 40);
  std::vector<int64_t> expected = {tokenizer->cls_id()};
  tokenizer->encode(" Maria", expected);
  expected.push_back(tokenizer->sep_id());
  EXPECT_EQ(ids_of(texts, texts.add("Maria")), expected);
}

TEST(DistinctTexts, LongOnesAreCutAtTheirEndAndCounted) {
  const auto tokenizer = text::open_tokenizer(fixture("byte_bpe/json"));
  DistinctTexts texts(*tokenizer, 5);
  const auto whole = [&](const std::string& text) {
    std::vector<int64_t> ids;
    tokenizer->encode(" " + text, ids);
    return ids;
  };
  const std::string text = "Maria walked to the market in the morning";
  const std::vector<int64_t> ids = whole(text), cut = ids_of(texts, texts.add(text));
  ASSERT_GT(ids.size(), 3u);
  EXPECT_EQ(cut, (std::vector<int64_t>{0, ids[0], ids[1], ids[2], 2}));
  texts.add("a");
  texts.add(text);
  EXPECT_EQ(texts.truncated(), 1);
}

}  // namespace rubric::metrics::bertscore_matching_test
