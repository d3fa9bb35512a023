#include "metrics/recipe.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "metrics/list.h"
#include "temporary_folder.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics::recipe_test {

TEST(Recipe, EachShippedOneIsAMetricOfItsName) {
  int recipes = 0;
  for (const MetricKind* const kind : kMetrics) {
    if (!kind->is_recipe || kind == &kLearned) continue;
    const Recipe recipe = shipped_recipe(kind->name);
    EXPECT_EQ(recipe.name, kind->name);
    EXPECT_EQ(recipe.summary, kind->summary);
    EXPECT_FALSE(recipe.licence.empty()) << recipe.name;
    EXPECT_FALSE(recipe.citation.empty()) << recipe.name;
    ++recipes;
  }
  EXPECT_GE(recipes, 20);
}

TEST(Recipe, MistakesNameFileLineAndKey) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& lines) {
    const fs::path file = folder.write("own.yaml", "name: own\n" + lines);
    return input_error([&] { read_recipe(file); });
  };
  const std::string inputs = "inputs: [\"{candidate}\"]\n";
  EXPECT_EQ(error(inputs), "accepted");
  for (const auto& [lines, parts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"", {"no inputs", "own.yaml: inputs"}},
           {inputs + "heads: x\n", {"own.yaml:3", "heads", "did you mean head?"}},
           {inputs + "head: x\n", {"own.yaml:3", "classifier"}},
           {"inputs: [\"{answer}\"]\n", {"own.yaml:2: inputs", "\"answer\"", "{candidate}"}},
           {"inputs: [text]\n", {"own.yaml:2: inputs", "no field"}},
           {"inputs: [\"{candidate\"]\n", {"own.yaml:2: inputs", "not closed"}},
           {inputs + "sentences: passage\n", {"own.yaml:3: sentences", "no input reads it"}},
           {inputs + "chunks: {field: candidate}\n", {"own.yaml:3: chunks", "words or tokens"}},
           {inputs + "chunks: {field: candidate, tokens: 4, even: true}\n", {"words"}},
           {inputs + "labels: [a]\n", {"own.yaml:3: labels"}},
           {inputs + "map: clamp\nlow: 1\nhigh: 0\n", {"own.yaml:4: low"}},
           {inputs + "map: clamp\nlow: 1\n", {"own.yaml:3: map", "range of clamp"}},
           {inputs + "low: 1\nhigh: 2\n", {"map", "range of clamp"}},
           {inputs + "end: false\n", {"own.yaml:3: end", "does not read"}},
           {inputs + "head: sentence_vectors\ncut: first\n", {"own.yaml:4: cut"}},
       }) {
    expect_says(error(lines), parts);
  }
}

int64_t words(std::string_view text) {
  return std::ssize(text::words_as_written(text));
}

// inference_per_example() of AlignScore and of MiniCheck on units of which the sentences are plain.
TEST(Recipe, LongFieldsBecomeChunksOfWholeSentences) {
  using Texts = std::vector<std::string>;
  const Chunks even{.field = "passage", .words = 4, .even = true};
  EXPECT_EQ(chunks_of(even, "One two. Three four. Five six. Seven.", words),
            (Texts{"One two. Three four.", "Five six. Seven."}));
  EXPECT_EQ(chunks_of(even, "One. Two. Three.", words), Texts{"One. Two. Three."});
  EXPECT_EQ(chunks_of(even, "", words), Texts{""});
  const Chunks full{.field = "passage", .tokens = 4};
  EXPECT_EQ(
      chunks_of(full, "One two. Three four five.\nSix.\n\nSeven eight nine ten eleven. Twelve.",
                words),
      (Texts{"One two.", "Three four five.\nSix.", "Seven eight nine ten eleven.", "Twelve."}));
  EXPECT_EQ(chunks_of(full, " \n", words), Texts{""});
}

TEST(Recipe, ScoresOfUnitsBecomeOne) {
  Recipe recipe;
  const Units units{2, 3, {}};
  const std::vector<double> scores = {0.1, 0.9, 0.2, 0.4, 0.3, 0.2};
  EXPECT_DOUBLE_EQ(aggregated(recipe, units, scores), (0.4 + 0.9 + 0.2) / 3);
  recipe.over_chunks = "mean";
  recipe.over_sentences = "worst";
  EXPECT_DOUBLE_EQ(aggregated(recipe, units, scores), 0.2);
  recipe.direction = "lower";
  EXPECT_DOUBLE_EQ(aggregated(recipe, units, scores), 0.6);
  recipe.over_chunks = "best";
  EXPECT_DOUBLE_EQ(aggregated(recipe, units, scores), 0.3);
  const std::vector<double> outputs = {1, 2, 700};
  for (const auto& [map, value] : {std::pair{"identity", 2.0}, {"half", 1.5}, {"softmax", 0.0}}) {
    recipe.map = map;
    EXPECT_NEAR(mapped(recipe, outputs, 1), value, 1e-12) << map;
  }
  recipe.map = "sigmoid";
  EXPECT_DOUBLE_EQ(mapped(recipe, outputs, 2), 1);
}

}  // namespace rubric::metrics::recipe_test
