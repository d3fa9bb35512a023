// BLEU and chrF against sacreBLEU's own tokens and scores.
#include "metrics/ngram/sacrebleu.h"

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

#include "core/error.h"
#include "messages.h"
#include "metrics/fixture_rows.h"
#include "metrics/ngram/words.h"
#include "rubric/metrics.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics::sacrebleu_test {

const Json& sacrebleu_fixture() {
  static const Json fixture = metric_fixture("sacrebleu.json");
  return fixture;
}

std::vector<Answer> answers_of(const Json& pairs) {
  std::vector<Answer> answers;
  for (const Json& pair : pairs.array()) {
    Answer& answer = answers.emplace_back();
    answer.references = references_of(pair);
    answer.candidate = pair.find("candidate")->string();
  }
  return answers;
}

std::unique_ptr<Metric<Answer>> metric_of(const Json& scores) {
  SettingValues settings;
  for (const auto& [name, value] : scores.find("settings")->object()) {
    settings[name] = value.string();
  }
  return make_metric(scores.find("metric")->string(), settings);
}

TEST(SacreBleu, RowsCorpusAndSignatureEqualThePackage) {
  const std::vector<Answer> answers = answers_of(*sacrebleu_fixture().find("pairs"));
  std::vector<Answer> single;
  std::ranges::copy_if(answers, std::back_inserter(single),
                       [](const Answer& answer) { return answer.references.size() == 1; });
  ASSERT_GT(single.size(), 100U);
  ASSERT_LT(single.size(), answers.size());
  const Json::Array& all = sacrebleu_fixture().find("scores")->array();
  ASSERT_GE(all.size(), 20U);
  for (const Json& expected : all) {
    const auto metric = metric_of(expected);
    const Scores scores = metric->score(answers);
    const Json::Array& rows = expected.find("rows")->array();
    ASSERT_EQ(scores.rows.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_NEAR(scores.rows[i][0], rows[i].number(), 1e-9)
          << expected.find("settings")->dump() << " " << answers[i].candidate;
    }
    EXPECT_NEAR(score_of_all(scores)[0], expected.find("corpus")->number(), 1e-9);
    const std::string name = expected.find("metric")->string() + "|";
    EXPECT_TRUE(
        metric->signature().starts_with(name + expected.find("signature")->string() + "|rubric:"))
        << metric->signature();
    const auto of_single = metric_of(expected);
    EXPECT_NEAR(score_of_all(of_single->score(single))[0],
                expected.find("corpus_of_single")->number(), 1e-9);
    EXPECT_TRUE(of_single->signature().starts_with(
        name + expected.find("signature_of_single")->string() + "|rubric:"))
        << of_single->signature();
  }
}

TEST(SacreBleu, TokensEqualThePackages) {
  const Json::Array& texts = sacrebleu_fixture().find("tokens")->array();
  ASSERT_GE(texts.size(), 300U);
  for (const Json& row : texts) {
    const std::string& text = row.find("text")->string();
    for (const SacreBleuTokenizer& tokenizer : kSacreBleuTokenizers) {
      const std::string line = tokenizer.tokenize(text::strip_end(text));
      Json::Array tokens;
      split_at_white_space(
          line, [&](std::string_view token) { tokens.emplace_back(std::string(token)); });
      EXPECT_EQ(Json(tokens).dump(), row.find(tokenizer.name)->dump())
          << tokenizer.name << " of " << row.find("text")->dump();
    }
  }
}

std::vector<bool> characters_in(const Json& ranges) {
  std::vector<bool> characters(0x110000);
  for (const Json& range : ranges.array()) {
    const auto first = static_cast<size_t>(range.array()[0].number()),
               last = static_cast<size_t>(range.array()[1].number());
    for (size_t c = first; c <= last; ++c) characters[c] = true;
  }
  return characters;
}

// Of all characters that Unicode 14 has; those of later versions depend on the package's.
TEST(SacreBleu, ClassesOfCharactersEqualThePackages) {
  const Json& classes = *sacrebleu_fixture().find("classes");
  const std::vector<bool> assigned = characters_in(*classes.find("assigned"));
  const auto expect_equal = [&](const char* name, bool (*holds)(char32_t)) {
    const std::vector<bool> expected = characters_in(*classes.find(name));
    ASSERT_GT(std::ranges::count(expected, true), 500);
    for (char32_t c = 0; c < 0x110000; ++c) {
      EXPECT_TRUE(!assigned[c] || holds(c) == expected[c]) << name << " " << uint32_t{c};
    }
  };
  expect_equal("punctuation", text::is_punctuation);
  expect_equal("symbol", text::is_symbol);
  expect_equal("number", text::is_number);
  expect_equal("chinese", is_chinese_in_sacrebleu);
}

TEST(SacreBleu, ASettingsMistakeNamesTheChoices) {
  expect_contains(input_error([] {
                    make_metric("bleu", {{"tokenize", "13b"}});
                  }),
                  "--tokenize is 13b");
  expect_contains(input_error([] {
                    make_metric("bleu", {{"tokenize", ""}});
                  }),
                  "give one of 13a, intl, char, zh, none");
  expect_contains(input_error([] {
                    make_metric("bleu", {{"smooth", "add"}});
                  }),
                  "give one of exp, floor, add-k, none");
  expect_contains(input_error([] {
                    make_metric("chrf", {{"tokenize", "13a"}});
                  }),
                  "--tokenize belongs to bleu");
  expect_contains(input_error([] { make_metric("chrf", {{"word-order", "7"}}); }), "from 0 to 6");
}

TEST(SacreBleu, ManyEntitiesAreReplaced) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "&amp;<skipped>-\n";
  EXPECT_EQ(tokenize_13a(text).find("amp"), std::string::npos);
}

TEST(SacreBleu, InvalidUtf8IsScored) {
  const std::vector<std::string> references = {"a \xE2\x80 b", "\xFF b \xC2"};
  for (const SacreBleuTokenizer& tokenizer : kSacreBleuTokenizers) {
    SacreBleu scorer(tokenizer.tokenize, /*lowercase=*/true);
    const std::vector<double> counts = scorer.count(references, "a \xE2\x80 b");
    EXPECT_GT(sacrebleu_score(counts, Smoothing::exp, /*to_longest=*/true), 99) << tokenizer.name;
  }
}

}  // namespace rubric::metrics::sacrebleu_test
