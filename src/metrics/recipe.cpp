#include "metrics/recipe.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "config/reader.h"
#include "config/yaml.h"
#include "core/error.h"
#include "core/files/embedded.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "text/sentences.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {

void Chunks::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("field", field, "the field that is divided into chunks of whole sentences");
  visitor.field("words", words, "of a chunk, at most", {0, 1 << 20});
  visitor.field("tokens", tokens, "of a chunk, at most, in place of words", {0, 1 << 20});
  visitor.field("even", even, "chunks of as many sentences each, words / size + 1 of them");
}

void Recipe::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("name", name, "of the score");
  visitor.field("summary", summary, "one line, with the source");
  visitor.field("citation", citation, "the paper");
  visitor.field("licence", licence, "of the published weights");
  visitor.field("inputs", inputs,
                "the texts that the model reads: {passage}, {question}, {reference}, {candidate}");
  visitor.field("head", head, "the head of the model",
                std::vector<std::string>(std::begin(kHeads), std::end(kHeads)));
  visitor.field("layer", layer, "a classifier's last layer on BERT's pooler, if it is another one");
  visitor.field(
      "tokens", tokens,
      "of a decoder: the tokens whose logits are the outputs, each the first of a word, or "
      "#N by its number");
  visitor.field("end", end, "whether a decoder's input has its end token");
  visitor.field("output", output, "the class, by its name in id2label, or the index of an output");
  visitor.field("outputs", outputs, "how many outputs the model has; 0: any number", {0, 1 << 20});
  visitor.field("map", map,
                "from outputs to the score; half is (x + 1) / 2, clamp keeps to the range",
                {"identity", "sigmoid", "softmax", "half", "clamp"});
  visitor.field("low", low, "of clamp: the lowest score");
  visitor.field("high", high, "of clamp: the highest score");
  visitor.field("direction", direction, "which scores are better", {"higher", "lower"});
  visitor.field("threshold", threshold,
                "the score from which on, towards better ones, an answer has the second label");
  visitor.field("labels", labels, "the two verdicts");
  visitor.field("max_length", max_length, "longest row in tokens", {8, 1 << 20});
  visitor.field(
      "cut", cut,
      "what of a longer row is truncated: the first or the longest text, or the row's end",
      {"first", "longest", "end"});
  visitor.field("separators", separators, "between two texts; 0: as the tokenizer of the model",
                {0, 2});
  visitor.group("chunks", chunks, "how a long field is divided");
  visitor.field("sentences", sentences, "the field of which each sentence is scored by itself");
  visitor.field("over_chunks", over_chunks, "the score of a sentence", {"best", "mean"});
  visitor.field("over_sentences", over_sentences, "the score of the text",
                {"mean", "worst", "sum"});
}

bool Recipe::reads(std::string_view field) const {
  return std::ranges::any_of(templates, [&](const data::TextTemplate& parts) {
    return std::ranges::count(parts, field, &data::TemplatePart::field) > 0;
  });
}

namespace {

constexpr std::string_view kFields[] = {"passage", "question", "reference", "candidate"};

// The checks of one recipe, with their places.
class RecipeCheck {
 public:
  RecipeCheck(Recipe& recipe, const config::Yaml& yaml, std::string file)
      : recipe_(recipe), yaml_(yaml), file_(std::move(file)) {}

  void check() {
    require(!recipe_.name.empty(), "name", "the recipe has no name", "name its score");
    const auto is_plain = [](char c) {
      return is_ascii_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
    };
    require(std::ranges::all_of(recipe_.name, is_plain), "name",
            "the name " + json_quote(recipe_.name) + " has more than a-z, 0-9, _ and -",
            "write it with these letters");
    require(!recipe_.inputs.empty(), "inputs", "the recipe has no inputs",
            "list the templates of the texts that the model reads");
    for (const std::string& input : recipe_.inputs) add_template(input);
    for (const auto& [key, field] :
         {std::pair{"chunks", &recipe_.chunks.field}, std::pair{"sentences", &recipe_.sentences}}) {
      require(field->empty() || recipe_.reads(*field), key,
              "the field " + *field + " is divided, and no input reads it",
              "name a field of an input");
    }
    const Chunks& chunks = recipe_.chunks;
    require(chunks.field.empty() ? chunks == Chunks() : (chunks.words > 0) != (chunks.tokens > 0),
            "chunks", "chunks have a field and a size", "give field and either words or tokens");
    require(!chunks.even || chunks.words > 0, "chunks", "even chunks are counted in words",
            "give words");
    require((recipe_.head == "decoder") == !recipe_.tokens.empty(), "tokens",
            "a decoder gives the logits of tokens, and no other head does",
            "list tokens of a decoder");
    require(recipe_.head != "decoder" || recipe_.inputs.size() == 1, "inputs",
            "a decoder reads one text", "write one template");
    const Recipe usual;
    const auto is_of = [&](std::string_view head, const char* key, bool is_usual) {
      require(recipe_.head == head || is_usual, key,
              "the head " + recipe_.head + " does not read this key", "take the key out");
    };
    is_of("classifier", "layer", recipe_.layer == usual.layer);
    is_of("classifier", "cut", recipe_.cut == usual.cut);
    is_of("classifier", "separators", recipe_.separators == usual.separators);
    is_of("decoder", "end", recipe_.end == usual.end);
    const bool clamps = recipe_.map == "clamp";
    require(clamps == recipe_.low.has_value() && clamps == recipe_.high.has_value(), "map",
            "low and high are the range of clamp", "give both with clamp, and none without");
    require(recipe_.labels.size() == 2, "labels", "there are two labels", "list two");
    require(!recipe_.low || !recipe_.high || *recipe_.low < *recipe_.high, "low",
            "the lowest score is not below the highest", "correct low or high");
  }

 private:
  void require(bool holds, const char* key, const std::string& what,
               const std::string& what_to_do) const {
    if (holds) return;
    const config::Yaml* const node = yaml_.find(key);
    throw InputError(what, (node != nullptr ? node->where() : file_) + ": " + key, what_to_do);
  }

  void add_template(const std::string& input) {
    const config::Yaml* const node = yaml_.find("inputs");
    const data::TextTemplate parts = data::parse_template(input, node->where() + ": inputs");
    const std::vector<std::string> fields = data::template_fields(parts);
    require(!fields.empty(), "inputs", "the input " + json_quote(input) + " has no field",
            "write {candidate}");
    for (const data::TemplatePart& part : parts) {
      require(part.field.empty() || std::ranges::count(kFields, part.field) > 0, "inputs",
              "an input has no field " + json_quote(part.field),
              "fields are {passage}, {question}, {reference} and {candidate}");
      require(part.item_mark.empty(), "inputs", "the field " + part.field + " is no list",
              "write {" + part.field + "}");
    }
    recipe_.templates.push_back(parts);
  }

  Recipe& recipe_;
  const config::Yaml& yaml_;
  std::string file_;
};

// Without includes and variables: a recipe that came with a model is untrusted.
Recipe parse_recipe(std::string_view text, const std::string& file) {
  const config::Yaml yaml = config::parse_yaml(text, file);
  Recipe recipe;
  config::read_fields(yaml, [&] { return config::fields_of(recipe); });
  RecipeCheck(recipe, yaml, file).check();
  recipe.sha256 = sha256(text);
  return recipe;
}

const std::string& field_of(const data::Answer& answer, const std::string& reference,
                            std::string_view field) {
  if (field == kFields[0]) return answer.passage;
  if (field == kFields[1]) return answer.question;
  return field == kFields[2] ? reference : answer.candidate;
}

std::string joined(std::span<const std::string> sentences) {
  return join({sentences.begin(), sentences.end()}, " ");
}

// As AlignScore's inference_per_example().
std::vector<std::string> even_chunks(std::span<const std::string> sentences, size_t words,
                                     int64_t size) {
  const size_t count = words / static_cast<size_t>(size) + 1;
  const size_t each = std::max<size_t>(sentences.size() / count, 1);
  std::vector<std::string> chunks;
  for (size_t at = 0; at < sentences.size(); at += each) {
    chunks.push_back(joined(sentences.subspan(at, std::min(each, sentences.size() - at))));
  }
  return chunks;
}

// The sentences of each line, with "\n" for the end of a line.
std::vector<std::string> sentences_and_lines(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t at = 0;; ++at) {
    const size_t end = std::min(text.find('\n', at), text.size());
    for (std::string& part : text::sentences_of(text.substr(at, end - at))) {
      parts.push_back(std::move(part));
    }
    if (end == text.size()) return parts;
    parts.emplace_back("\n");
    at = end;
  }
}

}  // namespace

Recipe shipped_recipe(std::string_view name) {
  const std::string file = "models/recipes/" + std::string(name) + ".yaml";
  return parse_recipe(embedded_text(file), file);
}

Recipe read_recipe(const std::filesystem::path& file) {
  return parse_recipe(read_file(file), file.string());
}

// Lines are kept as MiniCheck's inference_per_example() keeps them.
std::vector<std::string> chunks_of(const Chunks& chunks, std::string_view text,
                                   const std::function<int64_t(std::string_view)>& count_tokens) {
  const auto words_in = [](std::string_view part) {
    return std::ssize(text::words_as_written(part));
  };
  if (chunks.even) {
    std::vector<std::string> sentences = text::sentences_of(text);
    if (sentences.empty()) sentences.emplace_back();
    return even_chunks(sentences, static_cast<size_t>(words_in(text)), chunks.words);
  }
  std::vector<std::string> result;
  std::vector<std::string> current;
  const auto finish = [&] {
    std::string chunk = joined(current);
    replace_all(chunk, " \n ", "\n");
    chunk = text::strip(chunk);
    if (!chunk.empty()) result.push_back(std::move(chunk));
    current.clear();
  };
  int64_t size = 0;
  for (std::string& sentence : sentences_and_lines(text)) {
    const int64_t more = chunks.words > 0 ? words_in(sentence) : count_tokens(sentence);
    if (size + more > std::max(chunks.words, chunks.tokens)) {
      finish();
      size = 0;
    }
    size += more;
    current.push_back(std::move(sentence));
  }
  finish();
  if (result.empty()) result.emplace_back();
  return result;
}

Units units_of(const Recipe& recipe, const data::Answer& answer, const std::string& reference,
               const std::function<int64_t(std::string_view)>& count_tokens) {
  const auto text_of = [&](std::string_view field) { return field_of(answer, reference, field); };
  const std::string& divided = recipe.chunks.field;
  std::vector<std::string> chunks = {""}, sentences = {""};
  if (!divided.empty()) chunks = chunks_of(recipe.chunks, text_of(divided), count_tokens);
  if (!recipe.sentences.empty()) {
    sentences = text::sentences_of(text_of(recipe.sentences));
    if (sentences.empty()) sentences.emplace_back();
  }
  Units units{chunks.size(), sentences.size(), {}};
  for (const std::string& chunk : chunks) {
    for (const std::string& sentence : sentences) {
      UnitTexts& texts = units.texts.emplace_back();
      for (const data::TextTemplate& parts : recipe.templates) {
        std::string& text = texts.emplace_back();
        for (const data::TemplatePart& part : parts) {
          text += part.field.empty()               ? part.text
                  : part.field == divided          ? chunk
                  : part.field == recipe.sentences ? sentence
                                                   : text_of(part.field);
        }
      }
    }
  }
  return units;
}

double mapped(const Recipe& recipe, std::span<const double> outputs, size_t output) {
  const double x = outputs[output];
  if (recipe.map == "sigmoid") return 1 / (1 + std::exp(-x));
  if (recipe.map == "clamp") return std::clamp(x, *recipe.low, *recipe.high);
  if (recipe.map == "half") return (x + 1) / 2;
  if (recipe.map != "softmax") return x;
  double sum = 0;
  for (const double output_value : outputs) sum += std::exp(output_value - x);
  return 1 / sum;
}

double best_of(const Recipe& recipe, const std::vector<double>& scores) {
  return recipe.lower_is_better() ? std::ranges::min(scores) : std::ranges::max(scores);
}

double aggregated(const Recipe& recipe, const Units& units, std::span<const double> scores) {
  std::vector<double> of_sentences;
  for (size_t sentence = 0; sentence < units.sentences; ++sentence) {
    std::vector<double> of_chunks;
    for (size_t chunk = 0; chunk < units.chunks; ++chunk) {
      of_chunks.push_back(scores[chunk * units.sentences + sentence]);
    }
    const auto mean = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) /
             static_cast<double>(values.size());
    };
    of_sentences.push_back(recipe.over_chunks == "mean" ? mean(of_chunks)
                                                        : best_of(recipe, of_chunks));
  }
  if (recipe.over_sentences == "worst") {
    return recipe.lower_is_better() ? std::ranges::max(of_sentences)
                                    : std::ranges::min(of_sentences);
  }
  const double sum = std::accumulate(of_sentences.begin(), of_sentences.end(), 0.0);
  return recipe.over_sentences == "sum" ? sum : sum / static_cast<double>(of_sentences.size());
}

}  // namespace rubric::metrics
