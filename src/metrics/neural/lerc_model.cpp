#include "metrics/neural/lerc.h"

#include <cmath>

#include "core/error.h"
#include "core/random.h"
#include "models/ops/linear.h"

namespace rubric {
namespace {

const std::vector<std::string> kHead = {"score_layer.weight", "score_layer.bias"};
// Those of every model here that another may start from: LERC's and the pre-trained one's.
const std::vector<std::string> kHeads = {kHead[0], kHead[1], "classifier.weight",
                                         "classifier.bias"};

at::Tensor head_tensor(const NamedTensors& tensors, const std::string& name, at::IntArrayRef shape,
                       const std::string& where) {
  const at::Tensor* found = find_tensor(tensors, name);
  if (found == nullptr) {
    throw InputError("the model has no " + name + ": it is an encoder, not a trained LERC", where,
                     "train it first, or name the model/ folder of a finished run");
  }
  if (found->sizes() != shape) {
    throw InputError(name + " does not have the shape of a LERC score layer", where);
  }
  return found->to(at::kFloat).contiguous();
}

}  // namespace

Encoder open_answer_encoder(const std::filesystem::path& directory) {
  return load_encoder(directory, kHeads);
}

Linear start_head(int64_t outputs, int64_t hidden, uint64_t seed) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(hidden));
  std::vector<float> values;
  for (int64_t i = 0; i < outputs * (hidden + 1); ++i) {
    const double u = uniform(random_bits(seed, Purpose::initialise, static_cast<uint64_t>(i)));
    values.push_back(static_cast<float>(bound * (2 * u - 1)));
  }
  const at::Tensor all = at::tensor(at::ArrayRef<float>(values));
  return {all.narrow(0, 0, outputs * hidden).view({outputs, hidden}).clone(),
          all.narrow(0, outputs * hidden, outputs).clone()};
}

at::Tensor LercModel::predict(const PackedTokens& tokens, const DropoutKeys& keys) const {
  const at::Tensor first = encoder.encode_first(tokens, keys);
  return float_linear(first, score_layer).squeeze(1);
}

NamedTensors LercModel::parameters() {
  NamedTensors named = encoder.parameters();
  named.emplace_back(kHead[0], score_layer.weight);
  named.emplace_back(kHead[1], score_layer.bias);
  return named;
}

LercModel load_lerc(const std::filesystem::path& directory) {
  Encoder encoder = open_answer_encoder(directory);
  const int64_t hidden = encoder.model.config().hidden_size;
  const Linear score_layer{head_tensor(encoder.rest, kHead[0], {1, hidden}, directory.string()),
                           head_tensor(encoder.rest, kHead[1], {1}, directory.string())};
  return {std::move(encoder.model), score_layer};
}

void require_positions(const Bert& encoder, int64_t max_length,
                       const std::filesystem::path& directory) {
  const int64_t positions = encoder.config().longest_row();
  if (max_length <= positions) return;
  throw InputError("data.max_length is " + std::to_string(max_length) + ", the model has " +
                       std::to_string(positions) + " positions",
                   directory.string(), "lower data.max_length");
}

LercModel start_lerc(const std::filesystem::path& encoder_directory, uint64_t seed) {
  Encoder encoder = open_answer_encoder(encoder_directory);
  const int64_t hidden = encoder.model.config().hidden_size;
  return {std::move(encoder.model), start_head(1, hidden, seed)};
}

}  // namespace rubric
