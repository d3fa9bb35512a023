#include "models/ops/aten_path.h"

#include <cmath>
#include <limits>

#include "models/ops/device.h"
#include "models/ops/layers.h"

namespace rubric::models::aten_path {
namespace {

int64_t rows_of(const Offsets& offsets) {
  return std::ssize(offsets) - 1;
}

// The positions of the tokens of packed rows after padding every row to `longest`.
at::Tensor padded_places(const Offsets& offsets, int64_t longest, at::Device device) {
  std::vector<int64_t> places;
  for (int64_t row = 0; row < rows_of(offsets); ++row) {
    const auto at = static_cast<size_t>(row);
    for (int64_t i = 0; i < offsets[at + 1] - offsets[at]; ++i) {
      places.push_back(row * longest + i);
    }
  }
  return index_tensor(places, device);
}

// Packed x [tokens, hidden] as [rows, heads, longest, head size], zero-padded.
at::Tensor padded(const at::Tensor& x, const at::Tensor& places, int64_t rows, int64_t longest,
                  int64_t heads) {
  // Copied into zeros, so that the gradient needs no sum: on GPUs the order of sums may vary.
  return at::zeros({rows * longest, x.size(1)}, x.options())
      .index_copy(0, places, x)
      .view({rows, longest, heads, x.size(1) / heads})
      .transpose(1, 2);
}

// The padding mask of the keys: bool [rows, 1, 1, longest].
at::Tensor key_mask(const Offsets& offsets, at::Device device) {
  std::vector<int64_t> lengths;
  for (size_t i = 1; i < offsets.size(); ++i) lengths.push_back(offsets[i] - offsets[i - 1]);
  const at::Tensor places = at::arange(longest_row(offsets), at::device(device));
  return places < index_tensor(lengths, device).view({-1, 1, 1, 1});
}

// The bias that packed_attention adds to the scores: [heads, queries, keys].
at::Tensor bias_of_scores(const at::Tensor& relative_position_bias, int64_t queries, int64_t keys) {
  const int64_t reach = (relative_position_bias.size(1) - 1) / 2;
  // Query i's biases start at element reach - i: windows of the table, the last query's first.
  return relative_position_bias.narrow(1, reach - queries + 1, queries + keys - 1)
      .unfold(1, keys, 1)
      .flip(1);
}

// The terms of distances, scaled: [rows, heads, queries, keys], of padded q and k by heads.
at::Tensor scaled_distance_terms(const at::Tensor& q, const at::Tensor& k,
                                 const DistanceVectors& distances, double scale) {
  const int64_t queries = q.size(2), keys = k.size(2), reach = distances.buckets.size(0) / 2;
  // [queries, keys]
  const at::Tensor buckets =
      on_device(distances.buckets, q.device())
          .index({at::arange(queries, q.options().dtype(at::kLong)).unsqueeze(1) -
                  at::arange(keys, q.options().dtype(at::kLong)) + reach});
  const auto terms = [&](const at::Tensor& tokens, const at::Tensor& vectors,
                         const at::Tensor& index) {
    const at::Tensor by_head = vectors.unflatten(1, {q.size(1), q.size(3)}).permute({1, 2, 0});
    return at::matmul(tokens, by_head)
        .gather(3, index.expand({q.size(0), q.size(1), index.size(0), index.size(1)}));
  };
  at::Tensor sum = at::zeros({1, 1, queries, keys}, q.options().dtype(at::kFloat));
  if (distances.keys.defined()) sum = sum + terms(q, distances.keys, buckets);
  if (distances.queries.defined()) {
    sum = sum + terms(k, distances.queries, buckets.t()).transpose(2, 3);
  }
  return sum * scale;
}

// The mask (bool) or bias (float32) for libtorch's attention: [rows or 1, heads or 1, queries or 1,
// keys]. Undefined when "causal" suffices, which hides the padding too.
at::Tensor attention_mask(const Offsets& query_offsets, const Offsets& key_offsets,
                          const AttentionSettings& settings,
                          const at::Tensor& relative_position_bias, at::Device device) {
  const bool causal = settings.causal;
  if (causal && !settings.window && !relative_position_bias.defined()) return {};
  const int64_t queries = longest_row(query_offsets), keys = longest_row(key_offsets);
  at::Tensor seen = causal ? at::ones({queries, keys}, at::device(device).dtype(at::kBool)).tril()
                           : key_mask(key_offsets, device);
  if (settings.window) {
    const at::Tensor places = at::arange(keys, at::device(device));
    const at::Tensor near = (places.unsqueeze(1) - places).abs() <= *settings.window;
    // The padding sees itself, as without anything to see its numbers would not be any.
    seen = seen.logical_and(near).logical_or(at::eye(keys, near.options()));
  }
  if (!relative_position_bias.defined()) return seen;
  const at::Tensor bias = bias_of_scores(relative_position_bias, queries, keys).unsqueeze(0);
  return bias.masked_fill(seen.logical_not(), -std::numeric_limits<float>::infinity());
}

// Whether FlashAttention (Dao 2024) can be used: it reads packed rows in bfloat16, on GPUs new
// enough for it (distributed/cuda_plugin.cpp), without biases; heads of up to 128 numbers have a
// backward pass on all of them.
bool takes_packed_rows(const at::Tensor& q, int64_t head_size,
                       const at::Tensor& relative_position_bias) {
  return q.is_cuda() && at::globalContext().userEnabledFlashSDP() &&
         q.scalar_type() == at::kBFloat16 && !relative_position_bias.defined() &&
         head_size % 8 == 0 && head_size <= 128;
}

at::Tensor flash_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const Offsets& query_offsets, const Offsets& key_offsets,
                           const AttentionSettings& settings, double rate) {
  const auto by_head = [&](const at::Tensor& x) {
    return x.unflatten(1, {settings.heads, x.size(1) / settings.heads});
  };
  const auto starts_of = [&](const Offsets& offsets) {
    return on_device(at::tensor(at::IntArrayRef(offsets), at::kInt), q.device());
  };
  const at::Tensor starts = starts_of(query_offsets);
  // Without `causal` a window has two sides.
  const std::optional<int64_t> behind =
      settings.causal ? std::optional<int64_t>(0) : settings.window;
  const auto outputs = at::_flash_attention_forward(
      by_head(q), by_head(k), by_head(v), starts,
      &key_offsets == &query_offsets ? starts : starts_of(key_offsets), longest_row(query_offsets),
      longest_row(key_offsets), rate, settings.causal,
      /*return_debug_mask=*/false, settings.scale, settings.window,
      settings.window ? behind : std::nullopt);
  return std::get<0>(outputs).flatten(1);
}

}  // namespace

at::Tensor bias_gelu(const at::Tensor& x, const at::Tensor& bias) {
  return at::gelu(x + bias.to(x.scalar_type()));
}

at::Tensor gated_gelu(const at::Tensor& x) {
  const auto parts = x.chunk(2, 1);
  return at::gelu(parts[0]) * parts[1];
}

at::Tensor add_norm(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& residual,
                    const LayerNorm& norm, double epsilon, double rate) {
  return layer_norm(residual + at::dropout(x + bias, rate, rate > 0), norm, epsilon);
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  const at::Tensor mean = x.to(at::kFloat).square().mean(1, /*keepdim=*/true);
  return x * at::rsqrt(mean + epsilon) * weight;
}

at::Tensor rotate(const at::Tensor& x, int64_t heads, const RotaryAngles& angles) {
  const int64_t half = angles.cosines.size(1);
  const at::Tensor by_head = x.unflatten(1, {heads, x.size(1) / heads});
  const at::Tensor first = by_head.narrow(2, 0, half), second = by_head.narrow(2, half, half);
  const at::Tensor cosines = angles.cosines.unsqueeze(1), sines = angles.sines.unsqueeze(1);
  return at::cat({first * cosines - second * sines, second * cosines + first * sines,
                  by_head.narrow(2, 2 * half, by_head.size(2) - 2 * half)},
                 2)
      .flatten(1)
      .to(x.scalar_type());
}

at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k_of_group,
                            const at::Tensor& v_of_group, const Offsets& query_offsets,
                            const Offsets& key_offsets, const AttentionSettings& settings,
                            bool drops, const at::Tensor& relative_position_bias,
                            const DistanceVectors& distances) {
  // A head of keys for each head of queries.
  const int64_t key_heads = settings.heads_of_keys(), together = settings.heads / key_heads;
  const auto for_each_query_head = [&](const at::Tensor& x) {
    if (together == 1) return x;
    const int64_t size = x.size(1) / key_heads;
    return x.unflatten(1, {key_heads, 1, size})
        .expand({x.size(0), key_heads, together, size})
        .reshape({x.size(0), settings.heads * size});
  };
  const at::Tensor k = for_each_query_head(k_of_group), v = for_each_query_head(v_of_group);
  const double rate = drops ? settings.dropout_rate : 0;
  const bool has_distances = distances.buckets.defined();
  if (!has_distances && takes_packed_rows(q, q.size(1) / settings.heads, relative_position_bias)) {
    return flash_attention(q, k, v, query_offsets, key_offsets, settings, rate);
  }
  at::Tensor mask =
      attention_mask(query_offsets, key_offsets, settings, relative_position_bias, q.device());
  const std::optional<at::Tensor> no_mask;
  const int64_t rows = rows_of(query_offsets), heads = settings.heads;
  const int64_t queries = longest_row(query_offsets), keys = longest_row(key_offsets);
  const at::Tensor query_places = padded_places(query_offsets, queries, q.device());
  const at::Tensor key_places =
      &key_offsets == &query_offsets ? query_places : padded_places(key_offsets, keys, q.device());
  const at::Tensor q_by_head = padded(q, query_places, rows, queries, heads);
  const at::Tensor k_by_head = padded(k, key_places, rows, keys, heads);
  if (has_distances) {
    TORCH_CHECK(!settings.causal && !relative_position_bias.defined(),
                "distances are neither with a causal mask nor with biases");
    const double scale =
        settings.scale.value_or(1 / std::sqrt(static_cast<double>(q_by_head.size(3))));
    mask = scaled_distance_terms(q_by_head, k_by_head, distances, scale)
               .masked_fill(mask.logical_not(), -std::numeric_limits<float>::infinity());
  }
  const at::Tensor out = at::scaled_dot_product_attention(
      q_by_head, k_by_head, padded(v, key_places, rows, keys, heads),
      mask.defined() ? mask : no_mask, rate,
      /*is_causal=*/!mask.defined(), settings.scale);
  return out.transpose(1, 2).reshape({rows * queries, q.size(1)}).index_select(0, query_places);
}

at::Tensor target_cross_entropy(const at::Tensor& states, const Linear& output,
                                std::span<const int64_t> targets) {
  return at::cross_entropy_loss(logits(states, output).to(at::kFloat),
                                index_tensor({targets.begin(), targets.end()}, states.device()), {},
                                at::Reduction::Sum);
}

std::vector<float> target_log_probabilities(const at::Tensor& states, const Linear& output,
                                            std::span<const int64_t> targets) {
  const at::NoGradGuard no_grad;
  const at::Tensor index = index_tensor({targets.begin(), targets.end()}, states.device());
  const at::Tensor all = at::log_softmax(logits(states, output).to(at::kFloat), 1);
  const at::Tensor values = all.gather(1, index.unsqueeze(1)).to(at::kCPU).contiguous();
  const float* const first = values.const_data_ptr<float>();
  return {first, first + values.numel()};
}

}  // namespace rubric::models::aten_path
