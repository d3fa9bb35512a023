#include <gtest/gtest.h>

#include "metrics/meteor/data.h"
#include "metrics/meteor/meteor_folder.h"

namespace rubric::metrics::lexicon_test {

TEST(MeteorLexicon, HashesAsJavaDoes) {  // values of String.hashCode()
  EXPECT_EQ(java_hash(""), 0u);
  EXPECT_EQ(java_hash("hello"), 99162322u);
  EXPECT_EQ(java_hash("hello world"), 1794106052u);
  EXPECT_EQ(java_hash("é"), 233u);
  EXPECT_EQ(java_hash("😀"), 1772899u);  // two UTF-16 units
  EXPECT_EQ(java_hash("an"), java_hash("c0"));
}

TEST(MeteorLexicon, KnowsWhatTheModulesAsk) {
  const MeteorFolder folder;
  const MeteorData data = read_meteor_data(folder.path());
  MeteorLexicon lexicon(data);
  MeteorSentence sentence, other;
  lexicon.read("The cars' lot, a lot of car.", sentence);
  ASSERT_EQ(sentence.size(), 10);  // the cars ' lot , a lot of car .
  lexicon.read("car xyzzy", other);
  const MeteorWord &the = *sentence.words[0], &cars = *sentence.words[1], &car = *other.words[0];
  EXPECT_TRUE(the.is_function_word);
  EXPECT_FALSE(cars.is_function_word);
  EXPECT_NE(cars.key, car.key);
  EXPECT_EQ(cars.stem_key, car.stem_key);
  EXPECT_EQ(cars.synsets, car.synsets);
  EXPECT_GE(car.paraphrase_word, 0);
  EXPECT_EQ(other.words[1]->paraphrase_word, -1);
  EXPECT_TRUE(other.words[1]->synsets.empty());
  bool found = false;
  for (const auto& phrase : sentence.phrases) {
    found = found || (phrase.start == 5 && phrase.found.length == 3);  // "a lot of"
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(sentence.function_words, 6);  // the ' , a of .
  lexicon.read("CAR", sentence);
  EXPECT_EQ(sentence.words[0], &car);
  EXPECT_EQ(sentence.size(), 1);
  EXPECT_EQ(sentence.function_words, 0);
}

}  // namespace rubric::metrics::lexicon_test
