#include "models/ops/attention.h"

#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "models/ops/aten_path.h"
#include "models/ops/head_attention.h"

// BLAS, as libtorch_cpu brings it along. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void sgemm_(const char* operation_a, const char* operation_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda,
                       const float* b, const int* ldb, const float* beta, float* c, const int* ldc);

namespace rubric::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

enum class Transpose : char { no = 'N', yes = 'T' };

// c = factor a b + share c, each of a and b transposed on request. BLAS is column-major: it sees
// row-major a, b and c transposed, and c^T is b^T a^T.
void multiply(const Input& a, Transpose transpose_a, const Input& b, Transpose transpose_b,
              float factor, const Output& c, float share = 0) {
  const char operation_a = static_cast<char>(transpose_a);
  const char operation_b = static_cast<char>(transpose_b);
  const int m = static_cast<int>(c.columns), n = static_cast<int>(c.rows);
  const int k = static_cast<int>(transpose_a == Transpose::yes ? a.rows : a.columns);
  const int stride_a = static_cast<int>(a.stride), stride_b = static_cast<int>(b.stride);
  const int stride_c = static_cast<int>(c.stride);
  sgemm_(&operation_b, &operation_a, &m, &n, &k, &factor, b.data, &stride_b, a.data, &stride_a,
         &share, c.data, &stride_c);
}

Input input(const at::Tensor& x) {
  return {x.const_data_ptr<float>(), x.size(0), x.size(1), x.stride(0)};
}

Output output(at::Tensor& x) {
  return {x.mutable_data_ptr<float>(), x.size(0), x.size(1), x.stride(0)};
}

// One head of one sequence: of queries, or of keys and values.
struct Head {
  size_t row;
  int64_t index, of;  // the head's index, and the number of heads

  // The head of keys that this head of queries reads, of `heads`.
  Head of_keys(int64_t heads) const { return {row, index * heads / of, heads}; }

  // This head's slice of a packed [tokens, hidden].
  template <class Number>
  Matrix<Number> part(const Matrix<Number>& packed, const Offsets& offsets) const {
    const int64_t size = packed.columns / of;
    return {packed.data + offsets[row] * packed.stride + index * size,
            offsets[row + 1] - offsets[row], size, packed.stride};
  }
};

struct Problem {
  const Offsets& query_offsets;
  const Offsets& key_offsets;
  AttentionSettings settings;
  at::Tensor keys;                    // dropout keys of the query tokens; undefined: no dropout
  at::Tensor relative_position_bias;  // [heads, 2 reach + 1]; undefined: none
  float scale;

  // The start of a query's biases in the head's row of relative_position_bias or a row like it.
  int64_t first_bias(int64_t query) const {
    return (relative_position_bias.size(1) - 1) / 2 - query;
  }

  // softmax(scale q k^T + bias): [queries, keys]
  at::Tensor probabilities(const Input& q, const Input& k, const Head& head) const {
    at::Tensor p = at::empty({q.rows, k.rows}, at::kFloat);
    const Output scores = output(p);
    multiply(q, Transpose::no, k, Transpose::yes, scale, scores);
    const float* const biases = biases_of(head);
    for (int64_t i = 0; i < scores.rows; ++i) {
      softmax_row(scores.data + i * scores.stride,
                  visible_keys(i, scores.columns, settings.causal, settings.window), scores.columns,
                  1, biases == nullptr ? nullptr : biases - i);
    }
    return p;
  }

  // The biases of a head's scores, from that of distance 0 on; null: none.
  const float* biases_of(const Head& head) const {
    if (!relative_position_bias.defined()) return nullptr;
    return relative_position_bias.const_data_ptr<float>() +
           head.index * relative_position_bias.size(1) + first_bias(0);
  }

  HeadDropout dropout_of(const Head& head) const {
    if (!keys.defined()) return {};
    return {keys.const_data_ptr<int64_t>() + query_offsets[head.row], settings.dropout_rate,
            settings.dropout_site + (static_cast<uint64_t>(head.index) << 32)};
  }

  // Adds the gradient of a head's biases, from the scores' gradient [queries, keys], to its row of
  // `sums` [2 reach + 1].
  void add_bias_gradient(const at::Tensor& d_scores, float* sums) const {
    const Input d = input(d_scores);
    for (int64_t i = 0; i < d.rows; ++i) {
      float* const of_query = sums + first_bias(i);
      for (int64_t j = 0; j < d.columns; ++j) of_query[j] += d.data[i * d.stride + j];
    }
  }

  // Applies the head's dropout mask to x [queries, keys], a function of (query token, head, key
  // position).
  void drop(at::Tensor& x, const Head& head) const {
    const HeadDropout dropout = dropout_of(head);
    if (dropout.keys == nullptr) return;
    float* values = x.mutable_data_ptr<float>();
    apply_mask(values, values, dropout.keys, x.size(0), x.size(1), dropout.rate, dropout.site);
  }

  // Of `heads` in each row.
  template <class PerHead>
  void for_each_head(int64_t heads, const PerHead& work) const {
    const int64_t rows = std::ssize(query_offsets) - 1;
    at::parallel_for(0, rows * heads, 1, [&](int64_t begin, int64_t end) {
      // Worker threads do not inherit the caller's mode.
      const at::NoGradGuard no_grad;
      for (int64_t i = begin; i < end; ++i) {
        work(Head{static_cast<size_t>(i / heads), i % heads, heads});
      }
    });
  }
};

Problem make_problem(const at::Tensor& q, const Offsets& query_offsets, const Offsets& key_offsets,
                     const AttentionSettings& settings, const at::Tensor& keys,
                     const at::Tensor& relative_position_bias) {
  const double head_size = static_cast<double>(q.size(1) / settings.heads);
  return {query_offsets,
          key_offsets,
          settings,
          settings.dropout_rate > 0 ? keys : at::Tensor(),
          relative_position_bias,
          static_cast<float>(settings.scale.value_or(1 / std::sqrt(head_size)))};
}

// What backward needs besides tensors.
struct Saved : torch::CustomClassHolder {
  Offsets query_offsets, key_offsets;
  AttentionSettings settings;
};

class PackedAttention : public torch::autograd::Function<PackedAttention> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v,
                            const std::optional<at::Tensor>& relative_position_bias,
                            const std::optional<at::Tensor>& keys,
                            const c10::intrusive_ptr<Saved>& saved) {
    const at::Tensor bias = relative_position_bias.value_or(at::Tensor());
    context->save_for_backward({q, k, v, bias, keys.value_or(at::Tensor())});
    context->saved_data["saved"] = c10::IValue::make_capsule(saved);
    const Problem problem = make_problem(q, saved->query_offsets, saved->key_offsets,
                                         saved->settings, keys.value_or(at::Tensor()), bias);
    at::Tensor out = at::empty({q.size(0), q.size(1)}, q.options());
    const Input all_q = input(q), all_k = input(k), all_v = input(v);
    const Output all_out = output(out);
    const int64_t key_heads = problem.settings.heads_of_keys();
    problem.for_each_head(problem.settings.heads, [&](const Head& head) {
      const Head of_keys = head.of_keys(key_heads);
      attend({.q = head.part(all_q, problem.query_offsets),
              .k = of_keys.part(all_k, problem.key_offsets),
              .v = of_keys.part(all_v, problem.key_offsets),
              .out = head.part(all_out, problem.query_offsets),
              .scale = problem.scale,
              .causal = problem.settings.causal,
              .window = problem.settings.window,
              .biases = problem.biases_of(head),
              .dropout = problem.dropout_of(head),
              .rounded = problem.settings.rounded});
    });
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list tensors = context->get_saved_variables();
    const at::Tensor &q = tensors[0], &k = tensors[1], &v = tensors[2], &bias = tensors[3];
    const auto saved =
        c10::static_intrusive_pointer_cast<Saved>(context->saved_data["saved"].toCapsule());
    const Problem problem = make_problem(q, saved->query_offsets, saved->key_offsets,
                                         saved->settings, tensors[4], bias);

    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty({q.size(0), q.size(1)}, q.options());
    at::Tensor d_k = at::empty({k.size(0), k.size(1)}, k.options());
    at::Tensor d_v = at::empty({v.size(0), v.size(1)}, v.options());
    // Each row of the batch has its own sums, so that the result does not depend on the threads.
    const int64_t rows = std::ssize(saved->query_offsets) - 1;
    at::Tensor d_bias =
        bias.defined() ? at::zeros({rows, bias.size(0), bias.size(1)}, bias.options()) : bias;
    float* const d_biases = bias.defined() ? d_bias.mutable_data_ptr<float>() : nullptr;
    const Input all_q = input(q), all_k = input(k), all_v = input(v), all_d_out = input(d_out);
    const Output all_d_q = output(d_q), all_d_k = output(d_k), all_d_v = output(d_v);
    const auto of_head = [&](const Head& head, const Head& of_keys, float share) {
      const Input q_head = head.part(all_q, problem.query_offsets);
      const Input k_head = of_keys.part(all_k, problem.key_offsets);
      const Input d_out_head = head.part(all_d_out, problem.query_offsets);
      // out = drop(p) v;  p = softmax(scores);  scores = scale q k^T + bias
      const at::Tensor p = problem.probabilities(q_head, k_head, head);
      at::Tensor dropped = problem.keys.defined() ? p.clone() : p;
      problem.drop(dropped, head);
      multiply(input(dropped), Transpose::yes, d_out_head, Transpose::no, 1,
               of_keys.part(all_d_v, problem.key_offsets), share);
      at::Tensor d_p = at::empty_like(p);
      multiply(d_out_head, Transpose::no, of_keys.part(all_v, problem.key_offsets), Transpose::yes,
               1, output(d_p));
      problem.drop(d_p, head);
      const at::Tensor d_scores = at::_softmax_backward_data(d_p, p, -1, p.scalar_type());
      multiply(input(d_scores), Transpose::no, k_head, Transpose::no, problem.scale,
               head.part(all_d_q, problem.query_offsets));
      multiply(input(d_scores), Transpose::yes, q_head, Transpose::no, problem.scale,
               of_keys.part(all_d_k, problem.key_offsets), share);
      if (d_biases != nullptr) {
        const int64_t place = static_cast<int64_t>(head.row) * head.of + head.index;
        problem.add_bias_gradient(d_scores, d_biases + place * bias.size(1));
      }
    };
    // The gradients of keys are sums over the heads of queries that read them.
    const int64_t key_heads = problem.settings.heads_of_keys();
    const int64_t together = problem.settings.heads / key_heads;
    problem.for_each_head(key_heads, [&](const Head& of_keys) {
      for (int64_t i = 0; i < together; ++i) {
        const Head head{of_keys.row, of_keys.index * together + i, problem.settings.heads};
        of_head(head, of_keys, i == 0 ? 0 : 1);
      }
    });
    if (bias.defined()) d_bias = d_bias.sum(0);
    return {d_q, d_k, d_v, d_bias, {}, {}};
  }
};

// Checks what the products, which work on addresses, assume.
void require_packed(const char* name, const at::Tensor& x, const Offsets& offsets, int64_t heads) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.stride(1) == 1, name,
              " must be a matrix of float32 with rows of adjacent numbers");
  TORCH_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == x.size(0) &&
                  std::ranges::is_sorted(offsets),
              name, " must have the tokens that the offsets say");
  TORCH_CHECK(heads > 0 && x.size(1) % heads == 0, name, " must be divisible into heads");
}

void require_reach(const at::Tensor& relative_position_bias, const Offsets& query_offsets,
                   const Offsets& key_offsets, const AttentionSettings& settings) {
  TORCH_CHECK(relative_position_bias.dim() == 2 &&
                  relative_position_bias.scalar_type() == at::kFloat &&
                  relative_position_bias.is_contiguous() &&
                  relative_position_bias.size(0) == settings.heads &&
                  relative_position_bias.size(1) % 2 == 1,
              "relative_position_bias must be float32 [heads, 2 reach + 1]");
  const int64_t reach = (relative_position_bias.size(1) - 1) / 2;
  TORCH_CHECK(std::max(longest_row(query_offsets), longest_row(key_offsets)) <= reach + 1,
              "relative_position_bias does not reach over the longest row");
}

}  // namespace

int64_t longest_row(const Offsets& offsets) {
  int64_t longest = 0;
  for (size_t i = 1; i < offsets.size(); ++i) {
    longest = std::max(longest, offsets[i] - offsets[i - 1]);
  }
  return longest;
}

at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const Offsets& query_offsets, const Offsets& key_offsets,
                            const AttentionSettings& settings, const DropoutKeys& keys,
                            const at::Tensor& relative_position_bias) {
  const auto records = [](const at::Tensor& x) {
    return at::GradMode::is_enabled() && x.requires_grad();
  };
  TORCH_CHECK(!settings.rounded || (q.is_cpu() && !records(q) && !records(k) && !records(v)),
              "rounded attention is on the CPU, and records no gradients");
  if (!q.is_cpu()) {
    return aten_path::packed_attention(q, k, v, query_offsets, key_offsets, settings,
                                       keys.enabled(), relative_position_bias);
  }
  const int64_t key_heads = settings.heads_of_keys();
  require_packed("q", q, query_offsets, settings.heads);
  require_packed("k", k, key_offsets, key_heads);
  require_packed("v", v, key_offsets, key_heads);
  TORCH_CHECK(query_offsets.size() == key_offsets.size(), "queries and keys must be as many rows");
  for (size_t row = 0; row + 1 < query_offsets.size(); ++row) {
    TORCH_CHECK(
        query_offsets[row] == query_offsets[row + 1] || key_offsets[row] < key_offsets[row + 1],
        "row ", row, " has queries and no keys");
  }
  TORCH_CHECK(settings.heads % key_heads == 0 &&
                  q.size(1) * key_heads == k.size(1) * settings.heads && k.size(1) == v.size(1),
              "q, k and v must be as wide as their heads");
  require_keys(keys, q.size(0));
  TORCH_CHECK((!settings.causal && !settings.window) || query_offsets == key_offsets,
              "causal attention and windows are within the same rows");
  if (relative_position_bias.defined())
    require_reach(relative_position_bias, query_offsets, key_offsets, settings);
  auto saved = c10::make_intrusive<Saved>();
  saved->query_offsets = query_offsets;
  saved->key_offsets = key_offsets;
  saved->settings = settings;
  const auto optional = [](const at::Tensor& x) {
    return x.defined() ? std::optional<at::Tensor>(x) : std::nullopt;
  };
  return PackedAttention::apply(q, k, v, optional(relative_position_bias), optional(keys.rows),
                                saved);
}

}  // namespace rubric::models
