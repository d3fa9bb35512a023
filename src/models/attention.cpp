#include "models/attention.h"

#include <cmath>

#include <ATen/Parallel.h>

#include "models/vector_math.h"

// BLAS, as libtorch_cpu brings it along. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void sgemm_(const char* operation_a, const char* operation_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda,
                       const float* b, const int* ldb, const float* beta, float* c, const int* ldc);

namespace rubric {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A matrix in memory, row by row, `stride` numbers from one row to the next. A head is a few dozen
// columns of a packed tensor: a tensor for each would cost as much as the products with it.
template <class Number>
struct Matrix {
  Number* data;
  int64_t rows, columns, stride;
};
using Input = Matrix<const float>;
using Output = Matrix<float>;

enum class Transpose : char { no = 'N', yes = 'T' };

// c = factor a b, each of a and b transposed on request. BLAS counts by columns: what are a, b and
// c by rows it sees transposed, and c^T is b^T a^T.
void multiply(const Input& a, Transpose transpose_a, const Input& b, Transpose transpose_b,
              float factor, const Output& c) {
  const char operation_a = static_cast<char>(transpose_a);
  const char operation_b = static_cast<char>(transpose_b);
  const int m = static_cast<int>(c.columns), n = static_cast<int>(c.rows);
  const int k = static_cast<int>(transpose_a == Transpose::yes ? a.rows : a.columns);
  const int stride_a = static_cast<int>(a.stride), stride_b = static_cast<int>(b.stride);
  const int stride_c = static_cast<int>(c.stride);
  const float zero = 0;
  sgemm_(&operation_b, &operation_a, &m, &n, &k, &factor, b.data, &stride_b, a.data, &stride_a,
         &zero, c.data, &stride_c);
}

Input input(const at::Tensor& x) {
  return {x.const_data_ptr<float>(), x.size(0), x.size(1), x.stride(0)};
}

Output output(at::Tensor& x) {
  return {x.mutable_data_ptr<float>(), x.size(0), x.size(1), x.stride(0)};
}

void softmax_rows(const Output& x) {
  for (int64_t i = 0; i < x.rows; ++i) {
    float* row = x.data + i * x.stride;
    float most = row[0], sum = 0;
#pragma omp simd reduction(max : most)
    for (int64_t j = 0; j < x.columns; ++j) most = most < row[j] ? row[j] : most;
#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < x.columns; ++j) {
      row[j] = exponential(row[j] - most);
      sum += row[j];
    }
    const float scale = 1 / sum;
    for (int64_t j = 0; j < x.columns; ++j) row[j] *= scale;
  }
}

// A sequence and a head in it.
struct Head {
  size_t row;
  int64_t index, of;  // the head's number, and how many there are

  // Its part of a packed [tokens, hidden].
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
  at::Tensor keys;  // dropout keys of the query tokens; undefined: no dropout
  float scale;

  // softmax(q k^T / sqrt(head size)): [queries, keys]
  at::Tensor probabilities(const Input& q, const Input& k) const {
    at::Tensor p = at::empty({q.rows, k.rows}, at::kFloat);
    multiply(q, Transpose::no, k, Transpose::yes, scale, output(p));
    softmax_rows(output(p));
    return p;
  }

  // x [queries, keys] with the head's dropout mask on it, from (query token, head, key position).
  void drop(at::Tensor& x, const Head& head) const {
    if (!keys.defined()) return;
    float* values = x.mutable_data_ptr<float>();
    apply_mask(values, values, keys.const_data_ptr<int64_t>() + query_offsets[head.row], x.size(0),
               x.size(1), settings.dropout_rate,
               settings.dropout_site + (static_cast<uint64_t>(head.index) << 32));
  }

  template <class PerHead>
  void for_each_head(const PerHead& work) const {
    const int64_t heads = settings.heads, rows = std::ssize(query_offsets) - 1;
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
                     const AttentionSettings& settings, const std::optional<at::Tensor>& keys) {
  const int64_t head_size = q.size(1) / settings.heads;
  const bool drops = settings.dropout_rate > 0 && keys.has_value();
  return {query_offsets, key_offsets, settings, drops ? *keys : at::Tensor(),
          1.0f / std::sqrt(static_cast<float>(head_size))};
}

class PackedAttention : public torch::autograd::Function<PackedAttention> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v, const Offsets& query_offsets,
                            const Offsets& key_offsets, int64_t heads, double dropout_rate,
                            int64_t dropout_site, const std::optional<at::Tensor>& keys) {
    const AttentionSettings settings{heads, dropout_rate, static_cast<uint64_t>(dropout_site)};
    context->save_for_backward({q, k, v, keys.value_or(at::Tensor())});
    context->saved_data["query_offsets"] = query_offsets;
    context->saved_data["key_offsets"] = key_offsets;
    context->saved_data["heads"] = heads;
    context->saved_data["dropout_rate"] = dropout_rate;
    context->saved_data["dropout_site"] = dropout_site;

    const Problem problem = make_problem(q, query_offsets, key_offsets, settings, keys);
    at::Tensor out = at::empty({q.size(0), q.size(1)}, q.options());
    const Input all_q = input(q), all_k = input(k), all_v = input(v);
    const Output all_out = output(out);
    problem.for_each_head([&](const Head& head) {
      at::Tensor p =
          problem.probabilities(head.part(all_q, query_offsets), head.part(all_k, key_offsets));
      problem.drop(p, head);
      multiply(input(p), Transpose::no, head.part(all_v, key_offsets), Transpose::no, 1,
               head.part(all_out, query_offsets));
    });
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &q = saved[0], &k = saved[1], &v = saved[2];
    const Offsets query_offsets = context->saved_data["query_offsets"].toIntVector();
    const Offsets key_offsets = context->saved_data["key_offsets"].toIntVector();
    const AttentionSettings settings{
        context->saved_data["heads"].toInt(), context->saved_data["dropout_rate"].toDouble(),
        static_cast<uint64_t>(context->saved_data["dropout_site"].toInt())};
    const Problem problem = make_problem(q, query_offsets, key_offsets, settings, saved[3]);

    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty({q.size(0), q.size(1)}, q.options());
    at::Tensor d_k = at::empty({k.size(0), k.size(1)}, k.options());
    at::Tensor d_v = at::empty({v.size(0), v.size(1)}, v.options());
    const Input all_q = input(q), all_k = input(k), all_v = input(v), all_d_out = input(d_out);
    const Output all_d_q = output(d_q), all_d_k = output(d_k), all_d_v = output(d_v);
    problem.for_each_head([&](const Head& head) {
      const Input q_head = head.part(all_q, query_offsets);
      const Input k_head = head.part(all_k, key_offsets);
      const Input d_out_head = head.part(all_d_out, query_offsets);
      // out = drop(p) v;  p = softmax(scores);  scores = scale q k^T
      const at::Tensor p = problem.probabilities(q_head, k_head);
      at::Tensor dropped = problem.keys.defined() ? p.clone() : p;
      problem.drop(dropped, head);
      multiply(input(dropped), Transpose::yes, d_out_head, Transpose::no, 1,
               head.part(all_d_v, key_offsets));
      at::Tensor d_p = at::empty_like(p);
      multiply(d_out_head, Transpose::no, head.part(all_v, key_offsets), Transpose::yes, 1,
               output(d_p));
      problem.drop(d_p, head);
      const at::Tensor d_scores = at::_softmax_backward_data(d_p, p, -1, p.scalar_type());
      multiply(input(d_scores), Transpose::no, k_head, Transpose::no, problem.scale,
               head.part(all_d_q, query_offsets));
      multiply(input(d_scores), Transpose::yes, q_head, Transpose::no, problem.scale,
               head.part(all_d_k, key_offsets));
    });
    return {d_q, d_k, d_v, {}, {}, {}, {}, {}, {}};
  }
};

// What the products take for granted: they work on addresses.
void require_packed(const char* name, const at::Tensor& x, const Offsets& offsets,
                    const AttentionSettings& settings) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.stride(1) == 1, name,
              " must be a matrix of float32 with rows of adjacent numbers");
  TORCH_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == x.size(0), name,
              " must have the tokens that the offsets say");
  TORCH_CHECK(settings.heads > 0 && x.size(1) % settings.heads == 0, name,
              " must be divisible into heads");
}

}  // namespace

at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const Offsets& query_offsets, const Offsets& key_offsets,
                            const AttentionSettings& settings, const DropoutKeys& keys) {
  require_packed("q", q, query_offsets, settings);
  require_packed("k", k, key_offsets, settings);
  require_packed("v", v, key_offsets, settings);
  TORCH_CHECK(query_offsets.size() == key_offsets.size(), "queries and keys must be as many rows");
  TORCH_CHECK(q.size(1) == k.size(1) && k.size(1) == v.size(1), "q, k and v must be as wide");
  return PackedAttention::apply(
      q, k, v, query_offsets, key_offsets, settings.heads, settings.dropout_rate,
      static_cast<int64_t>(settings.dropout_site),
      keys.enabled() ? std::optional<at::Tensor>(keys.rows) : std::nullopt);
}

}  // namespace rubric
