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
  int64_t group = 0;  // of the rows whose sums are one

  // The head of keys that this head of queries reads, of `heads`.
  Head of_keys(int64_t heads) const { return {row, index * heads / of, heads, group}; }

  // This head's slice of a packed [tokens, hidden].
  template <class Number>
  Matrix<Number> part(const Matrix<Number>& packed, const Offsets& offsets) const {
    return columns(packed, offsets[row], offsets[row + 1]);
  }

  // Its columns of the rows from `begin` to `end`.
  template <class Number>
  Matrix<Number> columns(const Matrix<Number>& all, int64_t begin, int64_t end) const {
    const int64_t size = all.columns / of;
    return {all.data + begin * all.stride + index * size, end - begin, size, all.stride};
  }
};

// Of one head and one row: the vectors of the distances within the row.
struct HeadDistances {
  Input keys, queries;     // [vectors, size]; without data: none
  const int64_t* buckets;  // buckets[i - j] is a row of these
  int64_t first;           // the row in the vectors of all distances

  // terms[i, b] = tokens_i · vectors_b
  static at::Tensor terms(const Input& tokens, const Input& vectors) {
    if (vectors.data == nullptr) return {};
    at::Tensor terms = at::empty({tokens.rows, vectors.rows}, at::kFloat);
    multiply(tokens, Transpose::no, vectors, Transpose::yes, 1, output(terms));
    return terms;
  }

  // Adds, or in backward sums up, what queries and keys have of each distance.
  template <class PerPair>
  void for_each_pair(int64_t queries_count, int64_t keys_count, const PerPair& work) const {
    for (int64_t i = 0; i < queries_count; ++i) {
      for (int64_t j = 0; j < keys_count; ++j) work(i, j, buckets[i - j] - first);
    }
  }

  void add_to(const Output& scores, const Input& q, const Input& k, float scale) const {
    const at::Tensor of_content = terms(q, keys), of_position = terms(k, queries);
    const int64_t width = std::max(keys.rows, queries.rows);
    const float* const content =
        of_content.defined() ? of_content.const_data_ptr<float>() : nullptr;
    const float* const position =
        of_position.defined() ? of_position.const_data_ptr<float>() : nullptr;
    for_each_pair(q.rows, k.rows, [&](int64_t i, int64_t j, int64_t bucket) {
      float& score = scores.data[i * scores.stride + j];
      if (content != nullptr) score += scale * content[i * width + bucket];
      if (position != nullptr) score += scale * position[j * width + bucket];
    });
  }

  // d_tokens += scale d_terms vectors; d_vectors += scale d_terms^T tokens
  static void add_gradients(const at::Tensor& d_terms, const Input& tokens, const Input& vectors,
                            float scale, const Output& d_tokens, const Output& d_vectors) {
    const Input d = input(d_terms);
    multiply(d, Transpose::no, vectors, Transpose::no, scale, d_tokens, 1);
    multiply(d, Transpose::yes, tokens, Transpose::no, scale, d_vectors, 1);
  }

  // The gradients of the terms of each token, from those of the scores.
  at::Tensor gradient(const at::Tensor& d_scores, bool of_queries) const {
    const Input d = input(d_scores);
    const int64_t width = std::max(keys.rows, queries.rows);
    at::Tensor sums = at::zeros({of_queries ? d.rows : d.columns, width}, at::kFloat);
    auto* const sum = sums.mutable_data_ptr<float>();
    for_each_pair(d.rows, d.columns, [&](int64_t i, int64_t j, int64_t bucket) {
      sum[(of_queries ? i : j) * width + bucket] += d.data[i * d.stride + j];
    });
    return sums;
  }
};

struct Problem {
  const Offsets& query_offsets;
  const Offsets& key_offsets;
  AttentionSettings settings;
  at::Tensor keys;                    // dropout keys of the query tokens; undefined: no dropout
  at::Tensor relative_position_bias;  // [heads, 2 reach + 1]; undefined: none
  DistanceVectors distances;
  float scale;

  // The start of a query's biases in the head's row of relative_position_bias or a row like it.
  int64_t first_bias(int64_t query) const {
    return (relative_position_bias.size(1) - 1) / 2 - query;
  }

  // softmax(scale (q k^T + terms of distances) + bias): [queries, keys]
  at::Tensor probabilities(const Input& q, const Input& k, const Head& head) const {
    at::Tensor p = at::empty({q.rows, k.rows}, at::kFloat);
    const Output scores = output(p);
    multiply(q, Transpose::no, k, Transpose::yes, scale, scores);
    if (distances.buckets.defined()) distances_of(head).add_to(scores, q, k, scale);
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

  // The bucket of distance 0.
  const int64_t* buckets() const {
    return distances.buckets.const_data_ptr<int64_t>() + distances.buckets.size(0) / 2;
  }

  HeadDistances distances_of(const Head& head) const {
    const auto length = [&](const Offsets& offsets) {
      return std::max<int64_t>(offsets[head.row + 1] - offsets[head.row], 1);
    };
    const auto [least, most] =
        std::minmax_element(buckets() - length(key_offsets) + 1, buckets() + length(query_offsets));
    const auto part = [&](const at::Tensor& vectors) -> Input {
      if (!vectors.defined()) return {nullptr, 0, 0, 0};
      return head.columns(input(vectors), *least, *most + 1);
    };
    return {part(distances.keys), part(distances.queries), buckets(), *least};
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

  int64_t rows() const { return std::ssize(query_offsets) - 1; }

  // Calls work(head) for each of `heads` of each row; a head of the rows of one group in their
  // order.
  template <class PerHead>
  void for_each_head(int64_t groups, int64_t heads, const PerHead& work) const {
    at::parallel_for(0, groups * heads, 1, [&](int64_t begin, int64_t end) {
      // Worker threads do not inherit the caller's mode.
      const at::NoGradGuard no_grad;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t group = i / heads, last = rows() * (group + 1) / groups;
        for (int64_t row = rows() * group / groups; row < last; ++row) {
          work(Head{static_cast<size_t>(row), i % heads, heads, group});
        }
      }
    });
  }
};

Problem make_problem(const at::Tensor& q, const Offsets& query_offsets, const Offsets& key_offsets,
                     const AttentionSettings& settings, const at::Tensor& keys,
                     const at::Tensor& relative_position_bias, DistanceVectors distances) {
  const double head_size = static_cast<double>(q.size(1) / settings.heads);
  return {query_offsets,
          key_offsets,
          settings,
          settings.dropout_rate > 0 ? keys : at::Tensor(),
          relative_position_bias,
          std::move(distances),
          static_cast<float>(settings.scale.value_or(1 / std::sqrt(head_size)))};
}

// What backward needs besides tensors.
struct Saved : torch::CustomClassHolder {
  Offsets query_offsets, key_offsets;
  AttentionSettings settings;
  at::Tensor buckets;
};

// The sums over a batch are of at most as many groups of rows, whatever the number of threads.
constexpr int64_t kMostGroups = 4;

// The tables of attend(), of each head.
std::vector<DistanceTable> distance_tables(const Problem& problem, const at::Tensor& vectors,
                                           int64_t step) {
  std::vector<DistanceTable> tables;
  if (!vectors.defined()) return tables;
  tables.resize(static_cast<size_t>(problem.settings.heads));
  const int64_t reach =
      std::max(longest_row(problem.query_offsets), longest_row(problem.key_offsets)) - 1;
  at::parallel_for(0, problem.settings.heads, 1, [&](int64_t begin, int64_t end) {
    const at::NoGradGuard no_grad;
    for (int64_t i = begin; i < end; ++i) {
      const Head head{0, i, problem.settings.heads, 0};
      tables[static_cast<size_t>(i)] =
          make_distance_table(head.columns(input(vectors), 0, vectors.size(0)), problem.buckets(),
                              step, reach, problem.settings.rounded);
    }
  });
  return tables;
}

const DistanceTable* table_of(const std::vector<DistanceTable>& tables, const Head& head) {
  return tables.empty() ? nullptr : &tables[static_cast<size_t>(head.index)];
}

class PackedAttention : public torch::autograd::Function<PackedAttention> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v,
                            const std::optional<at::Tensor>& relative_position_bias,
                            const std::optional<at::Tensor>& distance_keys,
                            const std::optional<at::Tensor>& distance_queries,
                            const std::optional<at::Tensor>& keys,
                            const c10::intrusive_ptr<Saved>& saved) {
    const at::Tensor bias = relative_position_bias.value_or(at::Tensor());
    const DistanceVectors distances = {distance_keys.value_or(at::Tensor()),
                                       distance_queries.value_or(at::Tensor()), saved->buckets};
    context->save_for_backward(
        {q, k, v, bias, distances.keys, distances.queries, keys.value_or(at::Tensor())});
    context->saved_data["saved"] = c10::IValue::make_capsule(saved);
    const Problem problem =
        make_problem(q, saved->query_offsets, saved->key_offsets, saved->settings,
                     keys.value_or(at::Tensor()), bias, distances);
    const auto key_tables = distance_tables(problem, distances.keys, -1);
    const auto query_tables = distance_tables(problem, distances.queries, 1);
    at::Tensor out = at::empty({q.size(0), q.size(1)}, q.options());
    const Input all_q = input(q), all_k = input(k), all_v = input(v);
    const Output all_out = output(out);
    const int64_t key_heads = problem.settings.heads_of_keys();
    problem.for_each_head(problem.rows(), problem.settings.heads, [&](const Head& head) {
      const Head of_keys = head.of_keys(key_heads);
      attend({.q = head.part(all_q, problem.query_offsets),
              .k = of_keys.part(all_k, problem.key_offsets),
              .v = of_keys.part(all_v, problem.key_offsets),
              .out = head.part(all_out, problem.query_offsets),
              .scale = problem.scale,
              .causal = problem.settings.causal,
              .window = problem.settings.window,
              .biases = problem.biases_of(head),
              .distance_keys = table_of(key_tables, head),
              .distance_queries = table_of(query_tables, head),
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
    const DistanceVectors distances = {tensors[4], tensors[5], saved->buckets};
    const Problem problem = make_problem(q, saved->query_offsets, saved->key_offsets,
                                         saved->settings, tensors[6], bias, distances);

    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty({q.size(0), q.size(1)}, q.options());
    at::Tensor d_k = at::empty({k.size(0), k.size(1)}, k.options());
    at::Tensor d_v = at::empty({v.size(0), v.size(1)}, v.options());
    // Each group of rows has its own sums, so that the result does not depend on the threads.
    const int64_t groups =
        distances.buckets.defined() ? std::min(problem.rows(), kMostGroups) : problem.rows();
    const auto sums_of = [&](const at::Tensor& x) {
      return x.defined() ? at::zeros({groups, x.size(0), x.size(1)}, x.options()) : x;
    };
    at::Tensor d_bias = sums_of(bias), d_distance_keys = sums_of(distances.keys),
               d_distance_queries = sums_of(distances.queries);
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
        const int64_t place = head.group * head.of + head.index;
        problem.add_bias_gradient(d_scores, d_biases + place * bias.size(1));
      }
      if (!distances.buckets.defined()) return;
      const HeadDistances of_pairs = problem.distances_of(head);
      const auto sum_of = [&](at::Tensor& sums, const Input& vectors) {
        at::Tensor of_group = sums.select(0, head.group);
        return head.columns(output(of_group), of_pairs.first, of_pairs.first + vectors.rows);
      };
      if (of_pairs.keys.data != nullptr) {
        HeadDistances::add_gradients(of_pairs.gradient(d_scores, true), q_head, of_pairs.keys,
                                     problem.scale, head.part(all_d_q, problem.query_offsets),
                                     sum_of(d_distance_keys, of_pairs.keys));
      }
      if (of_pairs.queries.data != nullptr) {
        HeadDistances::add_gradients(of_pairs.gradient(d_scores, false), k_head, of_pairs.queries,
                                     problem.scale, of_keys.part(all_d_k, problem.key_offsets),
                                     sum_of(d_distance_queries, of_pairs.queries));
      }
    };
    // The gradients of keys are sums over the heads of queries that read them.
    const int64_t key_heads = problem.settings.heads_of_keys();
    const int64_t together = problem.settings.heads / key_heads;
    problem.for_each_head(groups, key_heads, [&](const Head& of_keys) {
      for (int64_t i = 0; i < together; ++i) {
        const Head head{of_keys.row, of_keys.index * together + i, problem.settings.heads,
                        of_keys.group};
        of_head(head, of_keys, i == 0 ? 0 : 1);
      }
    });
    const auto total = [](const at::Tensor& sums) { return sums.defined() ? sums.sum(0) : sums; };
    return {d_q, d_k, d_v, total(d_bias), total(d_distance_keys), total(d_distance_queries),
            {},  {}};
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

void require_distances(const DistanceVectors& distances, const Offsets& query_offsets,
                       const Offsets& key_offsets, int64_t width) {
  TORCH_CHECK(distances.buckets.dim() == 1 && distances.buckets.scalar_type() == at::kLong &&
                  distances.buckets.is_contiguous() && distances.buckets.size(0) % 2 == 1,
              "buckets must be int64 [2 reach + 1]");
  const int64_t reach = distances.buckets.size(0) / 2;
  TORCH_CHECK(std::max(longest_row(query_offsets), longest_row(key_offsets)) <= reach + 1,
              "the distances do not reach over the longest row");
  for (const at::Tensor* const vectors : {&distances.keys, &distances.queries}) {
    if (!vectors->defined()) continue;
    TORCH_CHECK(vectors->dim() == 2 && vectors->scalar_type() == at::kFloat &&
                    vectors->stride(1) == 1 && vectors->size(1) == width &&
                    distances.buckets.min().item<int64_t>() >= 0 &&
                    distances.buckets.max().item<int64_t>() < vectors->size(0),
                "the vectors of distances must be float32 [vectors, hidden], one for each bucket");
  }
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
                            const at::Tensor& relative_position_bias,
                            const DistanceVectors& distances) {
  const auto records = [](const at::Tensor& x) {
    return at::GradMode::is_enabled() && x.requires_grad();
  };
  TORCH_CHECK(!settings.rounded || (q.is_cpu() && !records(q) && !records(k) && !records(v)),
              "rounded attention is on the CPU, and records no gradients");
  if (!q.is_cpu()) {
    return aten_path::packed_attention(q, k, v, query_offsets, key_offsets, settings,
                                       keys.enabled(), relative_position_bias, distances);
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
  TORCH_CHECK(!distances.buckets.defined() || (!settings.window && key_heads == settings.heads),
              "distances go with neither a window nor shared keys");
  if (distances.buckets.defined())
    require_distances(distances, query_offsets, key_offsets, q.size(1));
  auto saved = c10::make_intrusive<Saved>();
  saved->query_offsets = query_offsets;
  saved->key_offsets = key_offsets;
  saved->settings = settings;
  saved->buckets = distances.buckets;
  const auto optional = [](const at::Tensor& x) {
    return x.defined() ? std::optional<at::Tensor>(x) : std::nullopt;
  };
  return PackedAttention::apply(q, k, v, optional(relative_position_bias), optional(distances.keys),
                                optional(distances.queries), optional(keys.rows), saved);
}

}  // namespace rubric::models
