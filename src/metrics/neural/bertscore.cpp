#include "metrics/neural/bertscore.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/context.h"
#include "core/error.h"
#include "core/field_text.h"
#include "core/files/embedded.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/model_files/model_directory.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/encoder_fit.h"
#include "models/encoders/encoder.h"
#include "models/encoders/list.h"
#include "models/weights/weights.h"
#include "rubric/version.h"

namespace rubric::metrics {

namespace {

// What else the model may be meant for: "", or what `rubric train` made it for.
std::string trained_for(const std::filesystem::path& directory) {
  if (!std::filesystem::exists(directory / "rubric.yaml")) return "";
  const std::string task = data::read_model_card(directory).task;
  return "score " + task + ", which it was trained for, or ";
}

int64_t choose_layer(const std::string& model, const std::filesystem::path& directory,
                     std::optional<int64_t> named, int64_t layers) {
  const std::optional<int64_t> layer = named ? named : usual_layer(model);
  const std::string range = "from 0 (the embeddings) to " + std::to_string(layers);
  if (!layer) {
    throw InputError("the usual layer of this model is not known", model,
                     trained_for(directory) + "name one with --layer, " + range);
  }
  if (*layer >= 0 && *layer <= layers) return *layer;
  throw InputError("the model has no layer " + std::to_string(*layer), model,
                   "choose a --layer " + range);
}

// The tokens around a text where they are others than cls and sep, for the hash in the signature.
std::string unusual_tokens(const text::Tokenizer& tokenizer) {
  const text::TokensAround& around = tokenizer.around();
  if (around == text::TokensAround{{tokenizer.cls_id()}, {tokenizer.sep_id()}}) return "";
  std::string ids;
  for (const int64_t id : around.before) ids += std::to_string(id) + " ";
  ids += "|";
  for (const int64_t id : around.after) ids += " " + std::to_string(id);
  return ids;
}

class BertScore : public AnswerMetric {
 public:
  BertScore(const std::string& model, const BertScoreOptions& options)
      : BertScore(model, data::find_model(model, models::encoder_types()), options) {}

  data::Scores score(std::span<const data::Answer> records) override;
  std::string signature() const override;

 private:
  BertScore(const std::string& name, const std::filesystem::path& directory,
            const BertScoreOptions& options)
      : BertScore(name, directory, models::load_encoder(directory, {}), options) {}

  BertScore(const std::string& name, const std::filesystem::path& directory,
            models::LoadedEncoder loaded, const BertScoreOptions& options)
      : options_(options),
        model_(std::move(loaded.encoder)),
        tokenizer_(text::open_tokenizer(directory)),
        layer_(choose_layer(name, directory, options.layer, model_->limits().layers)),
        max_length_(longest_text(directory, model_->limits())),
        fingerprint_(short_sha256(models::fingerprint(model_->tensors()) +
                                  tokenizer_->fingerprint() + unusual_tokens(*tokenizer_) +
                                  loaded.config_values)) {
    require_fit(*model_, *tokenizer_, directory);
    model_->pack_weights(options.int8 ? models::Packing::int8 : models::Packing::float32);
    if (!options.baseline.empty()) baseline_ = read_baseline(options.baseline, layer_);
  }

  std::vector<Match> match(std::span<const TextPair> pairs, const data::TokenBatch& rows,
                           const TokenWeights& weights) const;
  std::vector<double> best(std::span<const Match> matches) const;
  void count(std::span<const TextPair> pairs, std::span<const Match> matches,
             const DistinctTexts& texts);

  BertScoreOptions options_;
  std::unique_ptr<models::Encoder> model_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  int64_t layer_, max_length_;
  std::string fingerprint_;
  std::optional<Baseline> baseline_;
  // These count the records scored last.
  int64_t truncated_ = 0, texts_ = 0;  // truncated distinct texts, and all distinct texts
  int64_t empty_ = 0, pairs_ = 0;      // pairs with an empty text, and all pairs
};

data::Scores BertScore::score(std::span<const data::Answer> records) {
  DistinctTexts texts(*tokenizer_, max_length_);
  std::vector<TextPair> pairs;
  std::vector<int64_t> references;
  for (const data::Answer& answer : records) {
    end_if_stop_requested();
    if (answer.references.empty()) {
      throw InputError("the record has no reference" + own_field("reference"),
                       data::record_place("", answer), "give every record at least one reference");
    }
    const int64_t candidate = texts.add(answer.candidate);
    for (const std::string& reference : answer.references) {
      pairs.push_back({candidate, texts.add(reference)});
      references.push_back(pairs.back().reference);
    }
  }
  const TokenWeights weights =
      options_.idf ? inverse_document_frequencies(*tokenizer_, texts.rows(), references)
                   : equal_weights(*tokenizer_);
  const std::vector<Match> matches = match(pairs, texts.rows(), weights);
  count(pairs, matches, texts);

  data::Scores scores{{"bertscore", "bertscore_p", "bertscore_r"}, {}};
  auto first = matches.begin();
  for (const data::Answer& answer : records) {
    const auto end = first + std::ssize(answer.references);
    const auto pair = pairs.begin() + (first - matches.begin());
    const bool is_truncated =
        std::any_of(pair, pair + std::ssize(answer.references), [&](const TextPair& texts_of) {
          return texts.is_truncated(texts_of.candidate) || texts.is_truncated(texts_of.reference);
        });
    if (is_truncated) scores.truncated.push_back(scores.rows.size());
    scores.rows.push_back(best({first, end}));
    require_finite(scores.rows.back(), answer);
    first = end;
  }
  return scores;
}

// Pairs with the same reference are adjacent, so that few vectors are kept.
std::vector<Match> BertScore::match(std::span<const TextPair> pairs, const data::TokenBatch& rows,
                                    const TokenWeights& weights) const {
  const at::NoGradGuard no_grad;
  std::vector<size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return pairs[i].reference; });
  std::vector<Match> matches(pairs.size());
  TextEmbeddings embeddings(*model_, layer_, rows, pairs, options_.ranks);
  Progress progress("scoring", rows.rows());
  int64_t done = 0;
  const auto advance = [&](int64_t count) {
    done += count;
    if (options_.show_progress) progress.update(done);
  };
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::vector<int64_t> missing;
    std::unordered_set<int64_t> wanted;  // the same rows, for look-up
    std::vector<TextPair> window;
    for (int64_t tokens = 0; end < order.size() && tokens < options_.window_tokens; ++end) {
      window.push_back(pairs[order[end]]);
      for (const int64_t row : {window.back().candidate, window.back().reference}) {
        if (embeddings.has(row) || !wanted.insert(row).second) continue;
        missing.push_back(row);
        tokens += rows.length(row);
      }
    }
    embeddings.compute(missing, options_.max_tokens, advance);
    at::parallel_for(0, std::ssize(window), 16, [&](int64_t from, int64_t to) {
      for (auto i = static_cast<size_t>(from); i < static_cast<size_t>(to); ++i) {
        matches[order[begin + i]] = match_greedily(embeddings[window[i].candidate],
                                                   embeddings[window[i].reference], weights);
      }
    });
    embeddings.release(window);
  }
  return matches;
}

// The maximum of each score, rescaled: bertscore, bertscore_p, bertscore_r.
std::vector<double> BertScore::best(std::span<const Match> matches) const {
  const auto largest = [&](double Match::*statistic, size_t column) {
    double most = matches.front().*statistic;
    for (const Match& match : matches) most = std::max(most, match.*statistic);
    if (!baseline_) return most;
    const double base = (*baseline_)[column];
    return (most - base) / (1 - base);
  };
  return {largest(&Match::f1, 2), largest(&Match::precision, 0), largest(&Match::recall, 1)};
}

void BertScore::count(std::span<const TextPair> pairs, std::span<const Match> matches,
                      const DistinctTexts& texts) {
  truncated_ = texts.truncated();
  texts_ = texts.rows().rows();
  const auto empty = std::ranges::count_if(pairs, [&](const TextPair& pair) {
    return texts.is_empty(pair.candidate) || texts.is_empty(pair.reference);
  });
  const auto undefined = std::ranges::count(matches, false, &Match::is_defined);
  empty_ = empty;
  pairs_ = std::ssize(pairs);
  const std::string of = " of " + std::to_string(pairs.size()) + " candidate–reference pairs ";
  const std::string raw = baseline_ ? " before rescaling" : "";
  if (empty > 0) {
    log_warning(std::to_string(empty) + of + "have an empty text: BERTScore is 0 there" + raw);
  }
  if (undefined > 0) {
    log_warning(std::to_string(undefined) + of +
                "have a text whose tokens all have weight 0: BERTScore is 0 there" + raw);
  }
}

std::string BertScore::signature() const {
  const std::string baseline = baseline_ ? short_sha256_file(options_.baseline) : "no";
  return "bertscore|model:" + fingerprint_ + (options_.int8 ? "|weights:int8" : "") +
         "|layer:" + std::to_string(layer_) + "|idf:" + (options_.idf ? "yes" : "no") +
         "|baseline:" + baseline + "|max:" + std::to_string(max_length_) +
         "|trunc:" + std::to_string(truncated_) + "/" + std::to_string(texts_) +
         "|empty:" + std::to_string(empty_) + "/" + std::to_string(pairs_) +
         "|rubric:" + version_with_build();
}

// By the last part of the name.
const WordPairs kUsualLayers("metrics/neural/bertscore.tsv", "layers");

constexpr const char* kUseBaseline =
    "use the file of the model in bert-score's rescale_baseline folder";

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

double require_number(std::string_view text, const std::string& where) {
  if (const std::optional<double> value = parse_number(text)) return *value;
  throw InputError("\"" + std::string(text) + "\" is not a number", where, kUseBaseline);
}

}  // namespace

std::unique_ptr<AnswerMetric> make_bertscore(const std::string& model,
                                             const BertScoreOptions& options) {
  return std::make_unique<BertScore>(model, options);
}

std::optional<int64_t> usual_layer(const std::string& model) {
  const size_t last = model.find_last_not_of('/');
  const std::string name = model.substr(0, last == std::string::npos ? 0 : last + 1);
  const std::string part = name.substr(name.find_last_of('/') + 1);
  for (const auto& [known, layer] : kUsualLayers) {
    if (part == known) return parse_count(layer);
  }
  return std::nullopt;
}

Baseline read_baseline(const std::filesystem::path& file, int64_t layer) {
  LineReader reader(file);
  std::string line;
  if (!reader.next(line) || line != "LAYER,P,R,F") {
    throw InputError("the first line is not LAYER,P,R,F", file.string() + ":1", kUseBaseline);
  }
  while (reader.next(line)) {
    const auto cells = cells_of(line);
    if (cells.size() != 4) {
      throw InputError("the line does not have four columns", reader.where(), kUseBaseline);
    }
    if (require_number(cells[0], reader.where()) != static_cast<double>(layer)) continue;
    Baseline baseline;
    for (size_t i = 0; i < baseline.size(); ++i) {
      baseline[i] = require_number(cells[i + 1], reader.where());
      if (baseline[i] < 1) continue;
      throw InputError("a baseline that is not below 1", reader.where(), kUseBaseline);
    }
    return baseline;
  }
  throw InputError("there is no baseline for layer " + std::to_string(layer), file.string(),
                   "name another layer with --layer, or another model's file");
}

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kBertScore>(const ModelUse& use) {
  return make_bertscore(use.model, {.layer = use.settings.integer(kLayer),
                                    .idf = use.settings.has(kIdf),
                                    .baseline = use.settings.text(kBaseline),
                                    .int8 = use.settings.has(kInt8),
                                    .show_progress = use.show_progress,
                                    .ranks = use.ranks});
}

}  // namespace rubric::metrics
