#include "data/model_files/gguf.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/embedded.h"
#include "core/hash.h"
#include "core/text/ascii.h"
#include "text/byte_bpe/byte_bpe.h"

namespace rubric::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTable = "data/model_files/gguf.tsv";
constexpr const char* kFetchGgufAgain = "fetch the file again";
constexpr const char* kUseFolder =
    "use the model's folder of Hugging Face's layout, or a GGUF file of another kind";

// The kinds of a value (gguf_metadata_value_type).
enum ValueType : uint32_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kUint32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUint64,
  kInt64,
  kFloat64,
};
constexpr size_t kValueBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr const char* kValueNames[] = {"uint8",  "int8",    "uint16", "int16",  "uint32",
                                       "int32",  "float32", "bool",   "string", "list",
                                       "uint64", "int64",   "float64"};

// Reads the header's parts one after another.
class GgufReader {
 public:
  GgufReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  size_t position() const { return position_; }
  size_t left() const { return bytes_.size() - position_; }

  std::string_view take(uint64_t count, const std::string& of) {
    if (count > left()) {
      throw InputError("the file ends inside of " + of, where_, kFetchGgufAgain);
    }
    const std::string_view part = bytes_.substr(position_, count);
    position_ += count;
    return part;
  }
  uint64_t take_unsigned(size_t bytes, const std::string& of) {
    return little_endian(take(bytes, of));
  }
  std::string take_string(const std::string& of) {
    return std::string(take(take_unsigned(8, of), of));
  }

 private:
  std::string_view bytes_;
  const std::string& where_;
  size_t position_ = 0;
};

// A number of 32 bits gets its shortest digits: 1e-05, not 9.9999997e-06.
template <class Float>
Json shortest(Float number) {
  if (!std::isfinite(number)) return Json();
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), number);
  double value = 0;
  std::from_chars(text, end, value);
  return Json::exact_number(value, std::string(text, end));
}

int64_t signed_value(std::string_view bytes) {
  const uint64_t unused = 64 - 8 * bytes.size();
  return static_cast<int64_t>(little_endian(bytes) << unused) >> unused;
}

// A value of a fixed size.
Json scalar(uint32_t type, std::string_view bytes) {
  switch (type) {
    case kFloat32:
      return shortest(std::bit_cast<float>(static_cast<uint32_t>(little_endian(bytes))));
    case kFloat64:
      return shortest(std::bit_cast<double>(little_endian(bytes)));
    case kBool:
      return Json(little_endian(bytes) != 0);
    case kInt8:
    case kInt16:
    case kInt32:
    case kInt64:
      return Json(signed_value(bytes));
    default:
      return Json(little_endian(bytes));
  }
}

void check_type(uint32_t type, const std::string& key, const std::string& where) {
  if (type <= kFloat64) return;
  throw InputError(
      "the value of " + json_quote(key) + " has the unknown type " + std::to_string(type), where,
      kFetchGgufAgain);
}

// The value of `key` in a section of two columns; nothing where it has no row.
std::optional<std::string> look_up(std::string_view section, std::string_view key) {
  for (const Cells& row : embedded_rows(kTable, section)) {
    if (row.at(0) == key) return row.size() > 1 ? row[1] : std::string();
  }
  return std::nullopt;
}

bool has_trait(const std::string& architecture, std::string_view trait) {
  return look_up("traits", architecture + ":" + std::string(trait)).has_value();
}

const GgufType& require_type(uint64_t id, const std::string& tensor, const std::string& where) {
  std::vector<std::string> known;
  for (const GgufType& type : kGgufTypes) {
    if (type.id == id) return type;
    known.emplace_back(type.name);
  }
  throw InputError("the tensor " + json_quote(tensor) + " has the quantisation number " +
                       std::to_string(id) + " of ggml, which is not supported",
                   where, "use a file whose tensors have " + join(known));
}

GgufTensor read_tensor(GgufReader& reader, const std::string& where, uint64_t& offset) {
  GgufTensor tensor;
  tensor.name = reader.take_string("the name of a tensor");
  constexpr size_t kLongestName = 63;  // ggml's
  if (tensor.name.size() > kLongestName) {
    throw InputError("the name of a tensor has " + std::to_string(tensor.name.size()) +
                         " bytes; at most " + std::to_string(kLongestName) + " are possible",
                     where, kFetchGgufAgain);
  }
  const std::string of = "the description of " + json_quote(tensor.name);
  const uint64_t dimensions = reader.take_unsigned(4, of);
  if (dimensions == 0 || dimensions > 4) {
    throw InputError("the tensor " + json_quote(tensor.name) + " has " +
                         std::to_string(dimensions) + " dimensions; 1 to 4 are possible",
                     where, kFetchGgufAgain);
  }
  for (uint64_t i = 0; i < dimensions; ++i) {
    const uint64_t size = reader.take_unsigned(8, of);
    if (size == 0 || size > uint64_t{1} << 40) {
      throw InputError(
          "the tensor " + json_quote(tensor.name) + " has a dimension of " + std::to_string(size),
          where, kFetchGgufAgain);
    }
    tensor.shape.insert(tensor.shape.begin(), static_cast<int64_t>(size));
  }
  tensor.type = &require_type(reader.take_unsigned(4, of), tensor.name, where);
  offset = reader.take_unsigned(8, of);
  return tensor;
}

// The bytes of a tensor, from the beginning of its data.
uint64_t byte_count(const GgufTensor& tensor, const std::string& where) {
  const int64_t row = tensor.shape.back();
  uint64_t bytes = static_cast<uint64_t>(row / tensor.type->block * tensor.type->bytes);
  bool is_too_large = false;
  for (size_t i = 0; i + 1 < tensor.shape.size(); ++i) {
    is_too_large |= __builtin_mul_overflow(bytes, static_cast<uint64_t>(tensor.shape[i]), &bytes);
  }
  if (is_too_large || row % tensor.type->block != 0) {
    throw InputError(
        "the rows of the tensor " + json_quote(tensor.name) +
            (is_too_large ? " are more than a file can hold"
                          : " are not whole blocks of " + std::string(tensor.type->name)),
        where, kFetchGgufAgain);
  }
  return bytes;
}

}  // namespace

const std::vector<GgufType> kGgufTypes = {
    {0, "F32", 1, 4},       {1, "F16", 1, 2},       {30, "BF16", 1, 2},     {8, "Q8_0", 32, 34},
    {2, "Q4_0", 32, 18},    {3, "Q4_1", 32, 20},    {6, "Q5_0", 32, 22},    {7, "Q5_1", 32, 24},
    {12, "Q4_K", 256, 144}, {13, "Q5_K", 256, 176}, {14, "Q6_K", 256, 210},
};

bool is_gguf(const fs::path& path) {
  return path.extension() == ".gguf";
}

GgufFile::GgufFile(const fs::path& path) : file_(path), where_(path.string()) {
  const std::string_view bytes = file_.bytes();
  GgufReader reader(bytes, where_);
  if (!bytes.starts_with("GGUF")) {
    throw InputError(bytes.empty() ? "the file is empty"
                                   : "this is no GGUF file: it does not begin with \"GGUF\"",
                     where_, "name a file of llama.cpp's format, or a model's folder");
  }
  reader.take(4, "the header");
  const uint64_t version = reader.take_unsigned(4, "the header");
  if (version != 2 && version != 3) {
    throw InputError("GGUF's version is " + std::to_string(version) + "; 2 and 3 can be read",
                     where_, "convert the model again with a llama.cpp of today");
  }
  const uint64_t tensors = reader.take_unsigned(8, "the header");
  const uint64_t values = reader.take_unsigned(8, "the header");
  for (uint64_t i = 0; i < values; ++i) {
    const std::string key = reader.take_string("a key");
    const std::string of = "the value of " + json_quote(key);
    const auto type = static_cast<uint32_t>(reader.take_unsigned(4, of));
    check_type(type, key, where_);
    if (find(key) != nullptr || lists_.contains(key)) {
      throw InputError("the key " + json_quote(key) + " occurs twice", where_, kFetchGgufAgain);
    }
    if (type == kString) {
      values_[key] = reader.take_string(of);
    } else if (type != kArray) {
      values_[key] = scalar(type, reader.take(kValueBytes[type], of));
    } else {
      List list;
      list.type = static_cast<uint32_t>(reader.take_unsigned(4, of));
      check_type(list.type, key, where_);
      list.count = reader.take_unsigned(8, of);
      if (list.type == kArray || list.count > reader.left()) {
        throw InputError(of + (list.type == kArray ? " is a list of lists"
                                                   : " has more items than the file has bytes"),
                         where_, kFetchGgufAgain);
      }
      const size_t begin = reader.position();
      if (list.type != kString) reader.take(list.count * kValueBytes[list.type], of);
      for (uint64_t item = 0; list.type == kString && item < list.count; ++item) {
        reader.take(reader.take_unsigned(8, of), of);
      }
      list.bytes = bytes.substr(begin, reader.position() - begin);
      lists_.emplace(key, list);
    }
  }

  std::vector<uint64_t> offsets;
  std::set<std::string> names;
  for (uint64_t i = 0; i < tensors; ++i) {
    tensors_.push_back(read_tensor(reader, where_, offsets.emplace_back()));
    if (names.insert(tensors_.back().name).second) continue;
    throw InputError("the tensor " + json_quote(tensors_.back().name) + " occurs twice", where_,
                     kFetchGgufAgain);
  }
  const Json* const given = find("general.alignment");
  const int64_t alignment = given == nullptr ? 32 : require_integer("general.alignment");
  if (alignment < 1 || alignment > 1 << 20) {
    throw InputError("general.alignment is " + std::to_string(alignment), where_, kFetchGgufAgain);
  }
  const uint64_t step = static_cast<uint64_t>(alignment);
  const uint64_t begin = (reader.position() + step - 1) / step * step;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const uint64_t size = byte_count(tensors_[i], where_);
    if (begin > bytes.size() || offsets[i] > bytes.size() - begin ||
        size > bytes.size() - begin - offsets[i]) {
      throw InputError("the file ends inside of the tensor " + json_quote(tensors_[i].name), where_,
                       kFetchGgufAgain);
    }
    tensors_[i].data = bytes.substr(begin + offsets[i], size);
  }
}

std::vector<std::string> GgufFile::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, _] : values_.object()) keys.push_back(key);
  for (const auto& [key, _] : lists_) keys.push_back(key);
  return keys;
}

bool GgufFile::has_tensor(std::string_view name) const {
  return std::ranges::find(tensors_, name, &GgufTensor::name) != tensors_.end();
}

const Json* GgufFile::find(std::string_view key) const {
  return values_.find(key);
}

const std::string& GgufFile::require_string(std::string_view key) const {
  return values_.require_string(key, where_);
}

int64_t GgufFile::require_integer(std::string_view key) const {
  return values_.require_integer(key, where_);
}

std::vector<std::string> GgufFile::strings(std::string_view key) const {
  const auto list = lists_.find(key);
  if (list == lists_.end()) return {};
  if (list->second.type != kString) {
    throw InputError("the list " + json_quote(key) + " has values of the type " +
                         kValueNames[list->second.type] + ", not texts",
                     where_, kFetchGgufAgain);
  }
  GgufReader reader(list->second.bytes, where_);
  std::vector<std::string> items;
  while (reader.left() > 0) items.push_back(reader.take_string("a list"));
  return items;
}

std::vector<double> GgufFile::numbers(std::string_view key) const {
  const auto list = lists_.find(key);
  if (list == lists_.end()) return {};
  const uint32_t type = list->second.type;
  if (type == kString || type == kBool) {
    throw InputError("the list " + json_quote(key) + " has values of the type " +
                         kValueNames[type] + ", not numbers",
                     where_, kFetchGgufAgain);
  }
  std::vector<double> items;
  for (std::string_view rest = list->second.bytes; !rest.empty();
       rest.remove_prefix(kValueBytes[type])) {
    const Json item = scalar(type, rest.substr(0, kValueBytes[type]));
    items.push_back(item.is_number() ? item.number() : std::numeric_limits<double>::quiet_NaN());
  }
  return items;
}

// The model's files.

namespace {

// The number of a key, which need not be there.
std::optional<double> find_number(const GgufFile& file, const std::string& key) {
  if (file.find(key) == nullptr) return std::nullopt;
  return Json(file.values()).require_number(key, file.where());
}

// Numbers of a tensor of F32; none where the file has no such tensor.
std::vector<double> small_tensor(const GgufFile& file, std::string_view name) {
  const auto tensor = std::ranges::find(file.tensors(), name, &GgufTensor::name);
  if (tensor == file.tensors().end()) return {};
  if (tensor->type->name != "F32") {
    throw InputError(
        "the tensor " + json_quote(name) + " is " + std::string(tensor->type->name) + ", not F32",
        file.where(), kFetchGgufAgain);
  }
  std::vector<double> numbers;
  for (std::string_view rest = tensor->data; !rest.empty(); rest.remove_prefix(4)) {
    const Json number = scalar(kFloat32, rest.substr(0, 4));
    if (!number.is_number() || number.number() <= 0) {
      throw InputError("the tensor " + json_quote(name) + " has a number that is not positive",
                       file.where(), kFetchGgufAgain);
    }
    numbers.push_back(number.number());
  }
  return numbers;
}

Json json_list(const std::vector<double>& numbers) {
  Json::Array list;
  for (const double number : numbers) list.emplace_back(number);
  return Json(std::move(list));
}

// Llama 3.1's and later: llama.cpp stores what each frequency is divided by, not the setting that
// says so. Published models differ in the factor alone.
Json llama3_scaling(const std::vector<double>& divisors, double base, const std::string& where) {
  constexpr double kLow = 1, kHigh = 4, kPositions = 8192;
  const double factor = *std::ranges::max_element(divisors);
  for (size_t i = 0; i < divisors.size(); ++i) {
    const double wavelength =
        2 * std::numbers::pi *
        std::pow(base, static_cast<double>(i) / static_cast<double>(divisors.size()));
    const double share = std::clamp((kPositions / wavelength - kLow) / (kHigh - kLow), 0.0, 1.0);
    const double expected = 1 / ((1 - share) / factor + share);
    if (std::abs(divisors[i] - expected) <= 1e-4 * expected) continue;
    throw InputError("rope_freqs.weight scales positions otherwise than Llama 3", where,
                     kUseFolder);
  }
  return Json(Json::Object{{"rope_type", "llama3"},
                           {"factor", factor},
                           {"low_freq_factor", kLow},
                           {"high_freq_factor", kHigh},
                           {"original_max_position_embeddings", kPositions}});
}

// config.json's rope_scaling; null where positions are not scaled.
Json rope_scaling(const GgufFile& file, const std::string& prefix, Json& config) {
  const std::vector<double> divisors = small_tensor(file, "rope_freqs.weight");
  if (!divisors.empty()) {
    const double base = find_number(file, prefix + "rope.freq_base").value_or(10000);
    return llama3_scaling(divisors, base, file.where());
  }
  const auto original = find_number(file, prefix + "rope.scaling.original_context_length");
  const std::vector<double> longer = small_tensor(file, "rope_factors_long.weight");
  if (!longer.empty()) {
    if (original) config["original_max_position_embeddings"] = *original;
    return Json(
        Json::Object{{"rope_type", "longrope"},
                     {"long_factor", json_list(longer)},
                     {"short_factor", json_list(small_tensor(file, "rope_factors_short.weight"))}});
  }
  if (find_number(file, prefix + "rope.scaling.attn_factor").value_or(1) != 1) {
    throw InputError("the setting " + json_quote(prefix + "rope.scaling.attn_factor") +
                         " is not 1, which is not implemented",
                     file.where(), kUseFolder);
  }
  if (file.find(prefix + "rope.scaling.type") == nullptr) return Json();
  const std::string& type = file.require_string(prefix + "rope.scaling.type");
  if (type == "none") return Json();
  Json scaling = Json::Object{{"rope_type", type}};
  if (const auto factor = find_number(file, prefix + "rope.scaling.factor")) {
    scaling["factor"] = *factor;
  }
  if (original) scaling["original_max_position_embeddings"] = *original;
  return scaling;
}

// The numbers of a head, and what share of them is rotated.
void read_head_size(const GgufFile& file, const std::string& prefix, Json& config) {
  const int64_t heads = file.require_integer(prefix + "attention.head_count");
  const int64_t width = file.require_integer(prefix + "embedding_length");
  if (heads < 1 || width < heads) {
    throw InputError("a model of " + std::to_string(heads) + " heads and " + std::to_string(width) +
                         " numbers a token is impossible",
                     file.where(), kFetchGgufAgain);
  }
  const double size = find_number(file, prefix + "attention.key_length")
                          .value_or(static_cast<double>(width / heads));
  config["head_dim"] = size;
  const double of_values = find_number(file, prefix + "attention.value_length").value_or(size);
  if (of_values != size) {
    throw InputError("keys and values differ in size (" + prefix +
                         "attention.value_length), which is not "
                         "implemented",
                     file.where(), kUseFolder);
  }
  const double rotated = find_number(file, prefix + "rope.dimension_count").value_or(size);
  if (rotated != size) config["partial_rotary_factor"] = rotated / size;
}

Json config_of(const GgufFile& file, const std::string& architecture, size_t tokens) {
  Json config = Json::parse(*look_up("architectures", architecture), kTable);
  const std::string prefix = architecture + ".";
  for (const Cells& row : embedded_rows(kTable, "settings")) {
    const Json* const value = file.find(prefix + row.at(0));
    if (value != nullptr && row.size() > 1) config[row[1]] = *value;
  }
  if (config.find("num_key_value_heads") == nullptr) {
    config["num_key_value_heads"] = file.require_integer(prefix + "attention.head_count");
  }
  // llama.cpp's 0: no window.
  if (find_number(file, prefix + "attention.sliding_window").value_or(0) == 0) {
    config["sliding_window"] = Json();
  }
  read_head_size(file, prefix, config);
  if (Json scaling = rope_scaling(file, prefix, config); !scaling.is_null()) {
    config["rope_scaling"] = std::move(scaling);
  }
  config["vocab_size"] = static_cast<int64_t>(tokens);
  config["tie_word_embeddings"] = !file.has_tensor("output.weight");
  if (has_trait(architecture, "attention_bias")) {
    config["attention_bias"] = file.has_tensor("blk.0.attn_q.bias");
  }
  if (has_trait(architecture, "query_pre_attn_scalar")) {
    // Gemma 3's largest model alone divides by another root (llama.cpp knows it by its layers).
    constexpr int64_t kLayersOfLargest = 62;
    const bool is_largest = file.require_integer(prefix + "block_count") == kLayersOfLargest;
    config["query_pre_attn_scalar"] =
        is_largest ? Json(file.require_integer(prefix + "embedding_length") /
                          file.require_integer(prefix + "attention.head_count"))
                   : *config.find("head_dim");
  }
  for (const char* const role : {"bos", "eos", "padding"}) {
    const Json* const id = file.find("tokenizer.ggml." + std::string(role) + "_token_id");
    const std::string name = std::string_view(role) == "padding" ? "pad" : role;
    if (id != nullptr) config[name + "_token_id"] = *id;
  }
  return config;
}

// What an architecture's settings must not say beyond gguf.tsv, and no setting for each layer.
void refuse_unknown_settings(const GgufFile& file, const std::string& architecture) {
  const std::string prefix = architecture + ".";
  for (const std::string& key : file.keys()) {
    const Json* const value = file.find(key);
    if (!key.starts_with(prefix)) continue;
    if (value != nullptr && look_up("settings", key.substr(prefix.size()))) continue;
    throw InputError("the setting " + json_quote(key) + " is " +
                         (value != nullptr ? value->dump() : std::string("a list")) +
                         ", which is not implemented",
                     file.where(), kUseFolder);
  }
}

constexpr const char* kSpace = "\u2581";  // stands for a blank in SentencePiece's vocabularies

// A step of tokenizer.json.
Json tokenizer_step(const char* type, Json::Object fields = {}) {
  fields.insert(fields.begin(), {"type", type});
  return Json(std::move(fields));
}

Json replace_step(const char* pattern, const char* content) {
  return tokenizer_step("Replace",
                        {{"pattern", Json::Object{{"String", pattern}}}, {"content", content}});
}

Json byte_level_step(bool has_expression) {
  return tokenizer_step(
      "ByteLevel",
      {{"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", has_expression}});
}

// Byte-level BPE, tokenizer.ggml.model "gpt2".
void read_byte_level(const GgufFile& file, Json& tokenizer, Json& model) {
  const std::string& pre = file.require_string("tokenizer.ggml.pre");
  std::vector<std::string> known;
  for (const Cells& row : embedded_rows(kTable, "pre")) {
    known.push_back(row.at(0));
    if (row[0] != pre) continue;
    if (!row.at(1).empty()) tokenizer["normalizer"] = tokenizer_step(row[1].c_str());
    Json::Array steps;
    if (!row.at(2).empty()) {
      steps.push_back(tokenizer_step("Digits", {{"individual_digits", true}}));
    }
    if (!row.at(4).empty()) {
      steps.push_back(tokenizer_step("Split", {{"pattern", Json::Object{{"Regex", row[4]}}},
                                               {"behavior", "Isolated"},
                                               {"invert", false}}));
    }
    steps.push_back(byte_level_step(row[4].empty()));
    tokenizer["pre_tokenizer"] = tokenizer_step("Sequence", {{"pretokenizers", std::move(steps)}});
    tokenizer["decoder"] = byte_level_step(true);
    model["ignore_merges"] = !row.at(3).empty();
    Json::Array merges;
    for (std::string& merge : file.strings("tokenizer.ggml.merges")) {
      merges.emplace_back(std::move(merge));
    }
    model["merges"] = std::move(merges);
    return;
  }
  throw InputError(
      "tokenizer.ggml.pre is " + json_quote(pre) + ", a way to split texts that is not implemented",
      file.where(), "use a file with one of " + join(known) + ", or " + kUseFolder);
}

// SentencePiece's BPE, tokenizer.ggml.model "llama".
void read_sentencepiece(const GgufFile& file, const std::vector<std::string>& tokens,
                        Json& tokenizer, Json& model) {
  const std::vector<double> scores = file.numbers("tokenizer.ggml.scores");
  if (scores.size() != tokens.size()) {
    throw InputError("tokenizer.ggml.scores has " + std::to_string(scores.size()) +
                         " numbers for " + std::to_string(tokens.size()) + " tokens",
                     file.where(), kFetchGgufAgain);
  }
  if (std::ranges::any_of(scores, [](double score) { return std::isnan(score); })) {
    throw InputError("tokenizer.ggml.scores has a value that is no number", file.where(),
                     kFetchGgufAgain);
  }
  const Json* const given = file.find("tokenizer.ggml.add_space_prefix");
  const bool has_prefix = given == nullptr || given->dump() == "true";
  Json::Array normalizers, decoders;
  if (has_prefix) normalizers.push_back(tokenizer_step("Prepend", {{"prepend", kSpace}}));
  normalizers.push_back(replace_step(" ", kSpace));
  tokenizer["normalizer"] = tokenizer_step("Sequence", {{"normalizers", std::move(normalizers)}});
  decoders = {replace_step(kSpace, " "), tokenizer_step("ByteFallback"), tokenizer_step("Fuse")};
  if (has_prefix) {
    decoders.push_back(tokenizer_step("Strip", {{"content", " "}, {"start", 1}, {"stop", 0}}));
  }
  tokenizer["decoder"] = tokenizer_step("Sequence", {{"decoders", std::move(decoders)}});
  const int64_t unknown = file.require_integer("tokenizer.ggml.unknown_token_id");
  if (unknown >= 0 && unknown < static_cast<int64_t>(tokens.size())) {
    model["unk_token"] = tokens[static_cast<size_t>(unknown)];
  }
  model["fuse_unk"] = true;
  model["byte_fallback"] = true;
  Json::Array merges;
  for (const text::Merge& merge : text::merges_of_scores(tokens, scores)) {
    merges.emplace_back(Json::Array{tokens[static_cast<size_t>(merge.left)],
                                    tokens[static_cast<size_t>(merge.right)]});
  }
  model["merges"] = std::move(merges);
}

// tokenizer.json and tokenizer_config.json.
std::pair<Json, Json> tokenizer_of(const GgufFile& file, const std::vector<std::string>& tokens) {
  constexpr double kControl = 3, kUserDefined = 4;  // tokenizer.ggml.token_type
  const std::string& kind = file.require_string("tokenizer.ggml.model");
  Json tokenizer = Json::Object{{"version", "1.0"},         {"truncation", Json()},
                                {"padding", Json()},        {"added_tokens", Json::Array{}},
                                {"normalizer", Json()},     {"pre_tokenizer", Json()},
                                {"post_processor", Json()}, {"decoder", Json()}};
  Json config = Json::Object{{"tokenizer_class", "PreTrainedTokenizerFast"},
                             {"clean_up_tokenization_spaces", false}};
  Json model = Json::Object{{"type", "BPE"},
                            {"dropout", Json()},
                            {"unk_token", Json()},
                            {"continuing_subword_prefix", Json()},
                            {"end_of_word_suffix", Json()},
                            {"fuse_unk", false},
                            {"byte_fallback", false},
                            {"ignore_merges", false}};
  const std::string way = look_up("tokenizers", kind).value_or("");
  if (way == "byte_level") {
    read_byte_level(file, tokenizer, model);
  } else if (way == "sentencepiece") {
    read_sentencepiece(file, tokens, tokenizer, model);
  } else {
    throw InputError("tokenizer.ggml.model is " + json_quote(kind) +
                         "; the kinds \"gpt2\" and \"llama\" can be read",
                     file.where(), kUseFolder);
  }
  Json::Object vocabulary;
  Json::Array added;
  const std::vector<double> types = file.numbers("tokenizer.ggml.token_type");
  for (size_t id = 0; id < tokens.size(); ++id) {
    const int64_t number = static_cast<int64_t>(id);
    vocabulary.emplace_back(tokens[id], number);
    const double type = id < types.size() ? types[id] : 0;
    if (type != kControl && type != kUserDefined) continue;
    added.push_back(Json::Object{{"id", number},
                                 {"content", tokens[id]},
                                 {"single_word", false},
                                 {"lstrip", false},
                                 {"rstrip", false},
                                 {"normalized", false},
                                 {"special", type == kControl}});
  }
  model["vocab"] = std::move(vocabulary);
  tokenizer["added_tokens"] = std::move(added);

  Json::Array single;
  Json::Object special;
  const auto add_around = [&](const char* role, bool is_usual) {
    const Json* const adds = file.find("tokenizer.ggml.add_" + std::string(role) + "_token");
    const Json* const id = file.find("tokenizer.ggml." + std::string(role) + "_token_id");
    const bool is_added = adds != nullptr ? adds->dump() == "true" : is_usual;
    if (!is_added || id == nullptr) return;
    const std::string& text = tokens.at(static_cast<size_t>(id->number()));
    single.push_back(Json::Object{{"SpecialToken", Json::Object{{"id", text}, {"type_id", 0}}}});
    special.emplace_back(
        text, Json::Object{{"id", text}, {"ids", Json::Array{*id}}, {"tokens", Json::Array{text}}});
  };
  const Json* const pre = file.find("tokenizer.ggml.pre");
  add_around("bos",
             look_up("beginnings", kind).has_value() ||
                 (pre != nullptr && pre->is_string() && look_up("beginnings", pre->string())));
  single.push_back(Json::Object{{"Sequence", Json::Object{{"id", "A"}, {"type_id", 0}}}});
  add_around("eos", false);
  if (single.size() > 1) {
    tokenizer["post_processor"] = tokenizer_step(
        "TemplateProcessing",
        {{"single", single}, {"pair", single}, {"special_tokens", std::move(special)}});
  }
  tokenizer["model"] = std::move(model);

  for (const auto& [role, name] : {std::pair("bos", "bos_token"),
                                   {"eos", "eos_token"},
                                   {"unknown", "unk_token"},
                                   {"padding", "pad_token"}}) {
    const Json* const id = file.find("tokenizer.ggml." + std::string(role) + "_token_id");
    if (id != nullptr) config[name] = tokens.at(static_cast<size_t>(id->number()));
  }
  if (const Json* const chat = file.find("tokenizer.chat_template")) {
    config["chat_template"] = *chat;
  }
  return {std::move(tokenizer), std::move(config)};
}

}  // namespace

bool has_gguf_trait(const GgufFile& file, std::string_view trait) {
  return has_trait(file.require_string("general.architecture"), trait);
}

NamedTexts gguf_model_files(const GgufFile& file) {
  const std::string& architecture = file.require_string("general.architecture");
  std::vector<std::string> known;
  for (const Cells& row : embedded_rows(kTable, "architectures")) known.push_back(row.at(0));
  if (std::ranges::find(known, architecture) == known.end()) {
    throw InputError("the architecture is " + json_quote(architecture) +
                         "; GGUF files of these can be read: " + join(known),
                     file.where(), kUseFolder);
  }
  refuse_unknown_settings(file, architecture);
  const std::vector<std::string> tokens = file.strings("tokenizer.ggml.tokens");
  for (const char* const role : {"bos", "eos", "unknown", "padding"}) {
    const std::string key = "tokenizer.ggml." + std::string(role) + "_token_id";
    if (file.find(key) == nullptr) continue;
    const int64_t id = file.require_integer(key);
    if (id >= 0 && id < static_cast<int64_t>(tokens.size())) continue;
    throw InputError(key + " is " + std::to_string(id) + ", and there are " +
                         std::to_string(tokens.size()) + " tokens",
                     file.where(), kFetchGgufAgain);
  }
  const auto [tokenizer, tokenizer_config] = tokenizer_of(file, tokens);
  return {{"config.json", config_of(file, architecture, tokens.size()).dump(2) + "\n"},
          {"tokenizer.json", tokenizer.dump() + "\n"},
          {"tokenizer_config.json", tokenizer_config.dump(2) + "\n"}};
}

fs::path gguf_model_directory(const fs::path& path) {
  constexpr const char* kSetCache = "set XDG_CACHE_HOME to a writable directory";
  const GgufFile file(path);
  const NamedTexts files = gguf_model_files(file);
  const fs::path weights = fs::canonical(path), cache = user_cache();
  if (cache.empty()) {
    throw InputError("there is no directory for what a GGUF file's settings become", path.string(),
                     kSetCache);
  }
  Sha256 name;
  name.add(weights.string());
  for (const auto& [_, text] : files) name.add(text);
  const fs::path directory = cache / ("gguf-" + name.digits().substr(0, 16));
  std::error_code problem;
  const auto is_made = [&] { return fs::exists(directory / kGgufWeights, problem); };
  if (is_made()) return directory;
  fs::create_directories(cache, problem);
  try {
    AtomicDirectory made(directory);
    for (const auto& [file_name, text] : files) write_file(made.path() / file_name, text);
    fs::create_symlink(weights, made.path() / kGgufWeights);
    made.commit();
  } catch (const std::exception& error) {
    if (is_made()) return directory;  // by another process at once
    throw InputError(std::string("the settings of a GGUF file cannot be kept: ") + error.what(),
                     directory.string(), kSetCache);
  }
  return directory;
}

std::string published_name(const GgufFile& file, const GgufTensor& tensor) {
  if (const auto name = look_up("tensors", tensor.name)) return *name;
  const std::string& architecture = file.require_string("general.architecture");
  // "blk.0.attn_q.weight"
  constexpr std::string_view kLayer = "blk.";
  const size_t number_end = tensor.name.find('.', kLayer.size()), end = tensor.name.rfind('.');
  if (tensor.name.starts_with(kLayer) && number_end < end) {
    const std::string number = tensor.name.substr(kLayer.size(), number_end - kLayer.size());
    const std::string module = tensor.name.substr(number_end + 1, end - number_end - 1);
    const std::string kind = tensor.name.substr(end);
    std::optional<std::string> name = look_up("layer", architecture + ":" + module);
    if (!name) name = look_up("layer", module);
    if (name && parse_count(number) && (kind == ".weight" || kind == ".bias")) {
      return "model.layers." + number + "." + *name + kind;
    }
  }
  throw InputError("the tensor " + json_quote(tensor.name) + " is not one of the architecture " +
                       json_quote(architecture),
                   file.where(), kUseFolder);
}

}  // namespace rubric::data
