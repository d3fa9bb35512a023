// A learned metric as data: an encoder with a head, and a recipe (models/recipes/NAME.yaml) that
// says which texts the model reads and how its outputs become a score. No libtorch.
//
//   for each reference: best over chunks, mean over sentences of map(outputs(texts of the unit))
//
// For nli, whose one unit is the pair of passage and candidate, map is softmax over the classes,
// and the score is the probability of the class "entailment".
//
// The best of the references is the answer's score. A recipe file that is added is a metric that is
// added: src/CMakeLists.txt embeds the folder and makes the lines of metrics/list.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "data/records.h"
#include "data/source_targets/pair_config.h"

namespace rubric::metrics {

// The heads of a model: the names of metrics/neural/recipes/head.h's table, in its order.
inline constexpr std::string_view kHeads[] = {"classifier", "sentence_vectors", "comet", "decoder"};

// How a long field is divided: into chunks of whole sentences, each of which has a score.
struct Chunks {
  std::string field;              // "": nothing is divided
  int64_t words = 0, tokens = 0;  // of a chunk; one of them
  bool even = false;              // chunks of as many sentences each, as AlignScore divides

  void visit_fields(config::FieldVisitor& visitor);
  bool operator==(const Chunks&) const = default;
};

struct Recipe {
  std::string name, summary, citation, licence;
  std::vector<std::string> inputs;  // templates over kRecipeFields, one text or several
  std::string head{kHeads[0]};
  std::string layer;  // a classifier's output layer on BERT's pooler; "": the model's own
  std::vector<std::string> tokens;  // a decoder's outputs: a word's first token, or "#250089"
  bool end = true;                  // whether a decoder's input has its end token
  std::string output = "0";         // a class by its name in id2label, or an index
  int64_t outputs = 0;              // that the head must have; 0: any number
  std::string map = "identity";
  std::optional<double> low, high;  // the range of clamp
  std::string direction = "higher";
  // An answer is of labels[1] whose score is the threshold or better.
  std::optional<double> threshold;
  std::vector<std::string> labels = {"wrong", "right"};
  int64_t max_length = 512;
  std::string cut = "longest";
  int64_t separators = 0;  // between the texts of a row; 0: as the model's tokenizer has it
  Chunks chunks;
  std::string sentences;  // the field of which each sentence is scored by itself; "": none
  std::string over_chunks = "best", over_sentences = "mean";

  std::vector<data::TextTemplate> templates = {};  // of the inputs
  std::string sha256 = {};                         // of its file

  void visit_fields(config::FieldVisitor& visitor);
  bool lower_is_better() const { return direction == "lower"; }
  bool reads(std::string_view field) const;
};

// The recipe that is shipped as `name`, and that of a user's file. Throw InputError naming file and
// key for an unknown key or value, a template without fields or with unknown ones, and what does
// contradicts another key.
Recipe shipped_recipe(std::string_view name);
Recipe read_recipe(const std::filesystem::path& file);

// The texts that a model reads for one score before aggregation, one for each input.
using UnitTexts = std::vector<std::string>;

// The units of an answer and one of its references, sentence after sentence within each chunk.
struct Units {
  size_t chunks = 1, sentences = 1;
  std::vector<UnitTexts> texts;
};
// `count_tokens` counts those of a text, without special tokens.
Units units_of(const Recipe& recipe, const data::Answer& answer, const std::string& reference,
               const std::function<int64_t(std::string_view)>& count_tokens);

// The chunks of a text, as the recipe says.
std::vector<std::string> chunks_of(const Chunks& chunks, std::string_view text,
                                   const std::function<int64_t(std::string_view)>& count_tokens);

// map(outputs)[output].
double mapped(const Recipe& recipe, std::span<const double> outputs, size_t output);

// The best by the recipe's direction. There is one at least, and none is NaN.
double best_of(const Recipe& recipe, const std::vector<double>& scores);

// The score of units, in the order of units_of(). None is NaN.
double aggregated(const Recipe& recipe, const Units& units, std::span<const double> scores);

}  // namespace rubric::metrics
