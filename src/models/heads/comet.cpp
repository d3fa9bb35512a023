#include "models/heads/comet.h"

#include <ATen/ATen.h>

#include "models/ops/device.h"

namespace rubric::models {
namespace {

at::Tensor normalised_rows(const at::Tensor& states, const Offsets& offsets) {
  std::vector<at::Tensor> rows;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    const at::Tensor x = states.narrow(0, offsets[row], offsets[row + 1] - offsets[row]);
    const at::Tensor centred = x - x.mean();
    rows.push_back(centred / (centred * centred).mean().add(1e-12).sqrt());
  }
  return at::cat(rows);
}

at::Tensor activated(const at::Tensor& x, const std::string& activation) {
  return activation == "tanh" ? x.tanh() : activation == "sigmoid" ? x.sigmoid() : x;
}

}  // namespace

at::Tensor sparsemax(const at::Tensor& x) {
  const at::Tensor sorted = std::get<0>(x.sort(0, /*descending=*/true));
  const at::Tensor sums = sorted.cumsum(0) - 1;
  const at::Tensor places = at::arange(1, x.numel() + 1, x.options());
  const int64_t kept = (sorted * places > sums).sum().item<int64_t>();
  return (x - sums[kept - 1] / static_cast<double>(kept)).clamp_min(0);
}

at::Tensor mixed_states(const Encoder& encoder, const PackedTokens& tokens, const LayerMix& mix,
                        const DropoutKeys& keys) {
  const at::Tensor shares = mix.is_sparse ? sparsemax(mix.weights) : mix.weights.softmax(0);
  at::Tensor sum;
  int64_t next = 0;
  const auto add = [&](const at::Tensor& states) {
    const at::Tensor part =
        (mix.normalises ? normalised_rows(states, tokens.offsets) : states) * shares[next++];
    sum = sum.defined() ? sum + part : part;
  };
  add(encoder.visit_states(tokens, encoder.limits().layers, keys, add));
  return sum * mix.gamma;
}

at::Tensor first_states(const at::Tensor& states, const Offsets& offsets) {
  return states.index_select(0,
                             index_tensor({offsets.begin(), offsets.end() - 1}, states.device()));
}

at::Tensor comet_features(const at::Tensor& candidate, const at::Tensor& reference,
                          const at::Tensor& source) {
  std::vector<at::Tensor> parts = {candidate};
  if (!reference.defined()) parts.push_back(source);
  for (const at::Tensor* const other : {&reference, &source}) {
    if (!other->defined()) continue;
    if (other == &reference) parts.push_back(reference);
    parts.push_back(candidate * *other);
    parts.push_back((candidate - *other).abs());
  }
  return at::cat(parts, 1);
}

at::Tensor comet_scores(const CometNetwork& network, const at::Tensor& features) {
  at::Tensor x = features;
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const bool is_last = i + 1 == network.layers.size();
    x = activated(float_linear(x, network.layers[i]),
                  is_last ? network.final_activation : network.activation);
  }
  return x;
}

}  // namespace rubric::models
