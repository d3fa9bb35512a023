#include <gtest/gtest.h>

#include "data/derivations/readers.h"
#include "data/reading.h"

namespace rubric::data::conllu_test {

const std::string kComments = "# article = A title\n# sentence = 3\n";

struct Conllu : Reading<read_conllu> {
  static std::string row(const std::string& id, const std::string& form, const std::string& head,
                         const std::string& misc = "_") {
    return id + "\t" + form + "\t_\t_\tNN\t_\t" + head + "\t_\t_\t" + misc + "\n";
  }
};

TEST_F(Conllu, ReadsTokensAndTheirSentence) {
  const auto sentences =
      read(kComments + row("1", "the Blue School", "2", "NounChunk=B|SpaceAfter=No") +
           row("2-3", "isn't", "_") + row("2", "is", "0", "NounChunk=B") +
           row("3", "n't", "2", "NounChunk=I") + row("3.1", "gone", "2") + "\n# text = x\n" +
           row("1", "Yes", "0"));
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].source, (SupportingFact{"A title", 3}));
  EXPECT_EQ(sentences[1].source, sentences[0].source);
  const std::vector<ParsedToken>& tokens = sentences[0].tokens;
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[0].form, "the Blue School");
  EXPECT_EQ(tokens[0].tag, "NN");
  EXPECT_EQ(tokens[0].head, 1);
  EXPECT_EQ(tokens[1].head, -1);
  EXPECT_FALSE(tokens[0].is_before_space);
  EXPECT_TRUE(tokens[1].is_before_space);
  EXPECT_TRUE(tokens[0].begins_noun_chunk);
  EXPECT_TRUE(tokens[2].is_in_noun_chunk);
  EXPECT_FALSE(tokens[2].begins_noun_chunk);
}

TEST_F(Conllu, ASentenceMayHaveNoTokens) {
  const auto sentences = read(kComments + "\n# sentence = 4\n" + row("1", "x", "0"));
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].source.sentence, 3);
  EXPECT_TRUE(sentences[0].tokens.empty());
  EXPECT_EQ(sentences[1].tokens.size(), 1u);
}

TEST_F(Conllu, NamesWhatIsWrong) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {kComments + "1\tx\n", ":3"},
           {kComments + "1\tx\n", "the row has 2 columns, not 10"},
           {kComments + row("2", "x", "0"), "the token's number is \"2\", not 1"},
           {kComments + row("1", "x", "7"), "the head of token 1 is 7"},
           {kComments + row("1", "x", "1"), "the head of token 1 is 1"},
           {kComments + row("1", "x", "a"), "the head is \"a\""},
           {kComments + row("1", "x", "0") + row("2", "y", "0"), "2 roots, not one"},
           {kComments + row("1", "x", "2") + row("2", "y", "1"), "0 roots, not one"},
           {"# article = T\n" + row("1", "x", "0"), "does not say what it is"},
           {"# article = T\n# sentence = -1\n" + row("1", "x", "0"), "the sentence is \"-1\""},
           {kComments + row("1", "x", "0") + row("2", "y", "3") + row("3", "z", "2"),
            "the heads from token 2 lead in a circle"},
           {kComments + row("a-b", "x", "0"), "the token's number is \"a-b\", not 1"},
           {kComments + row("1", "x", "0") + "\n# article = B\n" + row("1", "x", "0"),
            "does not say what it is"},
           {kComments + row("1", "x", "0") + "\n# sentence = 4\n" + row("1", "x", "0") +
                "\n# sentence = 3\n" + row("1", "x", "0"),
            "sentence 3 of \"A title\" was parsed before"},
           {kComments + row("1", "x", "0", "NounChunk=I"), "the noun chunk is neither begun"},
           {kComments + row("1", "x", "0", "NounChunk=Q"), "the noun chunk is neither begun"},
           {kComments + row("1", "\xff", "0"), "not UTF-8"},
           {"", "there is no parsed sentence"}}) {
    expect_contains(error(text), message);
  }
}

}  // namespace rubric::data::conllu_test
