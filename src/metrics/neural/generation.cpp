#include "metrics/neural/generation.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/request.h"
#include "core/context.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/model_tokens.h"
#include "data/rows/resumable_rows.h"
#include "data/source_targets/source_target.h"
#include "data/source_targets/token_pairs.h"
#include "data/tokens/batches.h"
#include "distributed/collective.h"
#include "metrics/neural/opened_sequence_model.h"
#include "metrics/neural/pair_likelihoods.h"
#include "models/generation/generate.h"
#include "rubric/version.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

namespace rubric::metrics {
namespace {

// A request whose model and templates were read.
struct Generation {
  data::GenerateRequest request;
  std::filesystem::path model;
  data::PairConfig config;  // of the model's card, with what the request changes
  data::PairTexts texts;    // how rows become sources
  std::optional<text::ChatTemplate> chat = {};  // of which a source is a user's message
  models::GenerationOptions decoding = {};      // of generated texts
};

void require_fitting_options(const data::GenerateRequest& request) {
  const bool chooses = !request.candidates.empty();
  if (chooses && (request.samples || request.beams > 1 || request.max_new_tokens ||
                  request.length_penalty || request.early_stopping || request.temperature ||
                  request.top_p || request.top_k || request.seed)) {
    throw InputError("candidates are chosen by their probability: nothing is decoded",
                     "command line", "leave out --candidates, or the options of decoding");
  }
  if (request.samples && request.beams > 1) {
    throw InputError("--do-sample and --beams are two ways to decode", "command line",
                     "leave one out");
  }
}

// The longest text that a model writes if nobody says otherwise, in tokens: what it was trained to
// write, else 128, limited by its positions, which in a causal model include the source.
int64_t usual_text_length(const std::filesystem::path& model) {
  constexpr int64_t kUntrained = 128;
  const int64_t length = std::filesystem::exists(model / "rubric.yaml")
                             ? data::pair_config_of(model).max_target
                             : kUntrained;
  const data::ModelTokens tokens = data::read_model_tokens(model);
  if (tokens.max_positions == 0) return length;
  if (!tokens.is_causal) return std::min(length, tokens.max_positions);
  return length < tokens.max_positions ? length : std::max<int64_t>(1, tokens.max_positions / 2);
}

models::GenerationOptions decoding_of(const data::GenerateRequest& request,
                                      const std::filesystem::path& model) {
  return {
      .max_new_tokens = request.max_new_tokens ? *request.max_new_tokens : usual_text_length(model),
      .samples = request.samples,
      .sampling = {.temperature = request.temperature.value_or(1),
                   .top_k = request.top_k.value_or(0),
                   .top_p = request.top_p.value_or(1)},
      .seed = request.seed.value_or(0),
      .beams = request.beams,
      .length_penalty = request.length_penalty.value_or(1),
      .early_stopping = request.early_stopping.value_or(data::EarlyStopping::no)};
}

// Throws InputError unless a candidate can be the target, or what follows its given part.
void require_whole_targets(const data::PairTexts& texts, const std::string& target) {
  if (texts.target.size() == 1 || !texts.given.empty()) return;
  throw InputError("a candidate is only a part of what the model writes, " + json_quote(target),
                   "--candidates", "add what comes before it: --given '…'");
}

// The text of a chat has all special tokens and the marks of its source, and would not be one if it
// were cut.
void use_chat_template(Generation& generation) {
  if (!data::read_model_tokens(generation.model).is_causal) {
    throw InputError("only a model that continues its source reads chats", "--chat-template",
                     "leave it out, or use a model such as Llama or Qwen");
  }
  generation.chat.emplace(generation.model, generation.request.chat_template);
  const std::unique_ptr<text::Tokenizer> tokenizer = text::open_tokenizer(generation.model);
  for (const std::string& token : generation.chat->special_tokens()) {
    std::vector<int64_t> ids;
    tokenizer->encode(token, ids);
    if (ids.size() == 1) continue;
    log_warning("the model has no token " + token + ", which the chat template " +
                generation.chat->family() + " writes: check that the model is of this family");
    break;
  }
  data::PairConfig& config = generation.config;
  config.source = "{source}";
  config.target = "{target}";
  config.bos = false;
  config.is_chat = true;
  config.too_long = "refuse";
}

Generation read_request(const data::GenerateRequest& request) {
  data::require_resumable(request.output);
  require_fitting_options(request);
  const auto model = data::find_model(request.model, data::sequence_types());
  data::PairConfig config = data::pair_config_of(model);
  if (!request.decoder_start.empty()) config.decoder_start = request.decoder_start;
  if (request.without_source_eos) config.source_eos = false;
  if (!request.source.empty()) config.source = request.source;
  data::PairTexts texts(config, request.row_format.fields, request.given);
  texts.targets = data::Targets::optional;
  if (!request.candidates.empty()) {
    require_whole_targets(texts, config.target);
    // The given part was generated by a model and may have any length; it is read whole.
    if (!texts.given.empty()) config.max_target = data::kLongestText;
  }
  Generation generation = {request, model, config, std::move(texts)};
  if (request.candidates.empty()) generation.decoding = decoding_of(request, model);
  if (request.chat_template != "none") use_chat_template(generation);
  return generation;
}

// Makes each source a user's message.
void write_chats(const text::ChatTemplate& chat, data::SourceTargetRows& file) {
  for (size_t i = 0; i < file.records.size(); ++i) {
    std::string& source = file.records[i].source;
    const text::ChatMessage message = {text::ChatRole::user, std::move(source)};
    source = chat.render({&message, 1}, /*add_prompt=*/true, file.places[i]);
  }
}

// A hash of the model's configuration and card, which its weights do not include.
std::string hash_of_settings(const std::filesystem::path& model) {
  std::string all;
  for (const std::filesystem::path& file : data::model_files(model)) {
    const std::string extension = file.extension().string();
    if (extension != ".json" && extension != ".yaml" && extension != ".jinja") continue;
    all += file.filename().string() + sha256_file(file);
  }
  return sha256(all);
}

// Everything that determines the rows. Throws InputError unless it is the same on all ranks.
Json agreed_identity(const distributed::Ranks& ranks, Generation generation,
                     const std::string& fingerprint) {
  config::RequestFields fields;
  generation.request.visit_fields(fields);
  Json identity;
  identity["rubric"] = version_with_build();
  identity["model"] = fingerprint;
  identity["configuration"] = hash_of_settings(generation.model);
  identity["input"] = sha256_file(generation.request.input);
  for (const auto& [name, text] : fields.result_values()) identity[name] = text;
  distributed::require_agreement(ranks, identity);
  return identity;
}

// Throws InputError when a row already has the field.
void require_new(const data::SourceTargetRows& file, const std::string& field) {
  for (size_t i = 0; i < file.rows.size(); ++i) {
    if (file.rows[i].find(field) == nullptr) continue;
    throw InputError("the row has a field " + json_quote(field) + " already", file.places[i],
                     "name another with --output-field, or take it out of the rows");
  }
}

// The number of rows that are sorted by length together, and kept or recomputed together after a
// stop.
int64_t group_of(int64_t batch) {
  constexpr int64_t kBatches = 8;
  return kBatches * batch;
}

// Adds the new fields to the rows, of which the first is the one at `begin`. Collective.
using RowWriter = std::function<void(size_t begin, std::span<Json> rows)>;

// Adds the new fields to every row of `file`, at most `at_once` at a time, and writes the rows on
// rank 0.
void write_rows(const distributed::Ranks& ranks, const data::GenerateRequest& request,
                data::SourceTargetRows& file, const Json& identity, int64_t at_once,
                const RowWriter& write) {
  std::optional<data::ResumableRows> out;  // only on rank 0
  int64_t done = distributed::broadcast_from_main(ranks, [&] {
    out.emplace(request.output, identity, group_of(request.batch));
    out->require_made_of(file.rows);
    return out->done();
  });
  const int64_t rows = std::ssize(file.rows);
  if (done > 0) log_info("resuming after row " + std::to_string(done));
  Progress progress("generating", rows, done);
  while (done < rows) {
    ranks.set_activity("row " + std::to_string(done + 1));
    end_if_stop_requested();
    const auto size = static_cast<size_t>(std::min(at_once, rows - done));
    const auto begin = static_cast<size_t>(done);
    const auto made = std::span(file.rows).subspan(begin, size);
    write(begin, made);
    if (out) out->append({made.begin(), made.end()});
    done += std::ssize(made);
    progress.update(done);
  }
  progress.finish();
  if (!out) return;
  out->commit();
  log_info(std::to_string(rows) + " rows in " + request.output.string());
}

// Chooses the most probable of each row's candidates.
void choose_texts(const distributed::Ranks& ranks, const Generation& generation,
                  data::SourceTargetRows& file) {
  const data::GenerateRequest& request = generation.request;
  const std::string likelihoods = request.output_field + "_likelihoods";
  require_new(file, request.output_field);
  require_new(file, likelihoods);
  const auto candidates = data::row_texts(file, request.candidates, generation.texts);
  PairScorer scorer(generation.model, generation.config, ranks, request.int8);
  const Json identity = agreed_identity(ranks, generation, scorer.fingerprint());
  const data::KeptPairs read = scorer.check(candidate_pairs(file.records, candidates));
  std::vector<int64_t> first = {0};  // pair of each row
  for (const auto& of_row : candidates) first.push_back(first.back() + std::ssize(of_row));
  const auto write = [&](size_t begin, std::span<Json> rows) {
    const auto records = std::span(file.records).subspan(begin, rows.size());
    const auto of_records = std::span(candidates).subspan(begin, rows.size());
    const std::vector<Choice> choices = choose(scorer, records, of_records, read, first[begin]);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i][request.output_field] = of_records[i][choices[i].best];
      rows[i][likelihoods] =
          Json::Array(choices[i].likelihoods.begin(), choices[i].likelihoods.end());
    }
  };
  write_rows(ranks, request, file, identity, group_of(request.batch), write);
}

// Generates texts with a model, text in and text out.
class TextGenerator {
 public:
  // Throws InputError when the model has too few positions for the new tokens.
  explicit TextGenerator(const Generation& generation)
      : opened_(open_sequence_model(generation.model, generation.config)),
        template_(data::pair_template(generation.config, opened_.tokens,
                                      (generation.model / "config.json").string())),
        options_(generation.decoding),
        batch_(generation.request.batch) {
    const int64_t longest = opened_.tokens.max_positions;
    if (longest > 0 && options_.max_new_tokens >= longest + (opened_.tokens.is_causal ? 0 : 1)) {
      throw InputError("the model has positions for " + std::to_string(longest) +
                           " tokens, too few for " + std::to_string(options_.max_new_tokens) +
                           " new ones" + (opened_.tokens.is_causal ? " after a source" : ""),
                       generation.model.string(), "lower --max-new-tokens");
    }
    if (opened_.tokens.eos_ids.empty()) {
      log_warning((generation.model / "generation_config.json").string() +
                  ": eos_token_id is missing, so nothing ends a text before --max-new-tokens");
    }
    fingerprint_ = metrics::fingerprint(opened_);  // needs the weights as they are
    opened_.model->pack_weights(generation.request.int8 ? models::Packing::int8
                                                        : models::Packing::stored);
  }

  const std::string& fingerprint() const { return fingerprint_; }  // of weights and tokenizer

  // Tokenises the sources. Throws InputError naming one that cannot be read, and warns of those
  // that are truncated.
  void read(std::span<const data::SourceTarget> records) {
    data::PairEncoder encoder(*opened_.tokenizer, template_);
    for (const data::SourceTarget& record : records) {
      end_if_stop_requested();
      encoder.encode_source(record, options_.max_new_tokens, pairs_);
    }
    encoder.warn_of_truncations(records.size());
  }

  // The texts of `count` rows from `first` on. Batches do not depend on the share: only those of
  // the share are computed, and the other texts are empty. Throws as generate() does.
  std::vector<std::string> texts(int64_t first, int64_t count, WorkShare share) const {
    const std::vector<data::ExampleIndices> batches = batches_of(first, count);
    std::vector<int64_t> lengths;  // the longest source of each batch
    for (const data::ExampleIndices& rows : batches) {
      lengths.push_back(pairs_.sources.length(rows[0]));
    }
    std::vector<std::string> texts(static_cast<size_t>(count));
    for (const int64_t i : data::share_of(data::longest_first(lengths), share)) {
      const data::ExampleIndices& rows = batches[static_cast<size_t>(i)];
      auto tokens = models::generate(*opened_.model, opened_.tokens,
                                     data::select_pairs(pairs_, rows), rows, options_);
      for (size_t j = 0; j < rows.size(); ++j) {
        texts[static_cast<size_t>(rows[j] - first)] = text_of(std::move(tokens[j]));
      }
    }
    return texts;
  }

 private:
  // Batches of rows, of every group the longest first.
  std::vector<data::ExampleIndices> batches_of(int64_t first, int64_t count) const {
    std::vector<data::ExampleIndices> batches;
    const int64_t group = group_of(batch_);
    for (int64_t begin = first; begin < first + count; begin += group) {
      std::vector<int64_t> lengths;
      for (int64_t row = begin; row < std::min(begin + group, first + count); ++row) {
        lengths.push_back(pairs_.sources.length(row));
      }
      const data::ExampleIndices order = data::longest_first(lengths);
      for (size_t i = 0; i < order.size(); ++i) {
        if (i % static_cast<size_t>(batch_) == 0) batches.emplace_back();
        batches.back().push_back(begin + order[i]);
      }
    }
    return batches;
  }

  // Added tokens are part of a text. The end token is not, nor is the blank before a custom end
  // token (PairTemplate), of which some tokenizers make a token.
  std::string text_of(std::vector<int64_t> tokens) const {
    const bool is_ended = std::ranges::count(opened_.tokens.eos_ids, tokens.back()) > 0;
    if (is_ended) tokens.pop_back();
    std::string text = opened_.tokenizer->decode(tokens);
    if (is_ended && !template_.end_text.empty() && text.ends_with(' ')) text.pop_back();
    return text;
  }

  OpenedSequenceModel opened_;
  data::PairTemplate template_;
  models::GenerationOptions options_;
  int64_t batch_;
  data::TokenPairs pairs_;
  std::string fingerprint_;
};

void generate_texts(const distributed::Ranks& ranks, const Generation& generation,
                    data::SourceTargetRows& file) {
  const std::string& field = generation.request.output_field;
  require_new(file, field);
  if (const auto ignored = data::ignored_generation_settings(generation.model); !ignored.empty()) {
    log_warning("the model's configuration asks for " + join(ignored) +
                "; what counts here is the command line");
  }
  TextGenerator generator(generation);
  const Json identity = agreed_identity(ranks, generation, generator.fingerprint());
  generator.read(file.records);
  const auto write = [&](size_t begin, std::span<Json> rows) {
    const std::vector<std::string> texts = distributed::gather_shares(ranks, [&](WorkShare share) {
      return generator.texts(static_cast<int64_t>(begin), std::ssize(rows), share);
    });
    for (size_t i = 0; i < rows.size(); ++i) rows[i][field] = texts[i];
  };
  // One group for each rank: the batches of a single group are too few for many ranks.
  write_rows(ranks, generation.request, file, identity,
             ranks.size() * group_of(generation.request.batch), write);
}

}  // namespace

void generate_rows(const distributed::Ranks& ranks, const data::GenerateRequest& request) {
  const Generation generation = read_request(request);
  data::SourceTargetRows file = data::read_source_targets_with_rows(
      request.input, data::input_format(request.row_format, request.input), generation.texts,
      request.limit);
  if (generation.chat) write_chats(*generation.chat, file);
  request.candidates.empty() ? generate_texts(ranks, generation, file)
                             : choose_texts(ranks, generation, file);
}

}  // namespace rubric::metrics
