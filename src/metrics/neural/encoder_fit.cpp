#include "metrics/neural/encoder_fit.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "models/encoders/list.h"

namespace rubric::metrics {

void require_fit(const models::Encoder& encoder, const text::Tokenizer& tokenizer,
                 const std::filesystem::path& directory) {
  if (tokenizer.cls_id() < 0 || tokenizer.sep_id() < 0) {
    std::vector<std::string> kinds;
    for (const models::EncoderKind* const kind : models::kEncoders) {
      kinds.push_back(std::string(kind->title) + "'s");
    }
    throw InputError("the tokenizer lacks the token that begins a row or the one that ends a field",
                     directory.string(), "use a model of " + join(kinds, " or ") + " kind");
  }
  const int64_t entries = encoder.limits().vocabulary_size;
  if (tokenizer.size() <= entries) return;
  throw InputError("the tokenizer has " + std::to_string(tokenizer.size()) +
                       " entries, the model " + std::to_string(entries),
                   directory.string(), "use the tokenizer files that belong to the model");
}

void require_positions(const models::Encoder& encoder, int64_t max_length,
                       const std::filesystem::path& directory) {
  const int64_t positions = encoder.limits().longest_row;
  if (max_length <= positions) return;
  throw InputError("data.max_length is " + std::to_string(max_length) + ", the model has " +
                       std::to_string(positions) + " positions",
                   directory.string(), "lower data.max_length");
}

int64_t longest_text(const std::filesystem::path& directory, const models::EncoderLimits& limits) {
  int64_t longest = limits.longest_row;
  const std::filesystem::path file = directory / "tokenizer_config.json";
  if (is_there(file, "fetch the model again, or name another one")) {
    const Json tokenizer = Json::parse_file(file);
    const Json* const most = tokenizer.find("model_max_length");
    if (most != nullptr && most->is_number() && most->number() < static_cast<double>(longest)) {
      longest = static_cast<int64_t>(std::max(most->number(), 0.0));
    }
  }
  if (longest > 2) return longest;
  throw InputError("the model takes " + std::to_string(longest) + " tokens, too few for a text",
                   directory.string(), "use another model");
}

}  // namespace rubric::metrics
