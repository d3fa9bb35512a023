#include "models/attention.h"

#include <cmath>

#include <ATen/Parallel.h>

namespace rubric {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One row's part of a packed tensor [tokens, hidden], seen as [heads, length, head size].
at::Tensor row_of(const at::Tensor& packed, const Offsets& offsets, size_t row, int64_t heads) {
  const int64_t length = offsets[row + 1] - offsets[row];
  const at::Tensor slice = packed.narrow(0, offsets[row], length);
  return slice.view({length, heads, packed.size(1) / heads}).transpose(0, 1);
}

struct Problem {
  const Offsets& query_offsets;
  const Offsets& key_offsets;
  AttentionSettings settings;
  at::Tensor keys;  // dropout keys of the query tokens; undefined: no dropout
  double scale;

  size_t rows() const { return query_offsets.size() - 1; }

  // softmax(q k^T / sqrt(head size)): [heads, queries, keys]
  at::Tensor probabilities(const at::Tensor& q, const at::Tensor& k) const {
    return at::_softmax(at::bmm(q, k.transpose(1, 2)).mul_(scale), -1, false);
  }

  // The same tensor with the row's dropout mask on it, from (query token, head, key position).
  at::Tensor dropped(const at::Tensor& p, size_t row) const {
    if (!keys.defined()) return p;
    const int64_t heads = p.size(0), queries = p.size(1), width = p.size(2);
    at::Tensor out = at::empty_like(p);
    for (int64_t head = 0; head < heads; ++head) {
      const int64_t start = head * queries * width;
      apply_mask(p.const_data_ptr<float>() + start, out.mutable_data_ptr<float>() + start,
                 keys.const_data_ptr<int64_t>() + query_offsets[row], queries, width,
                 settings.dropout_rate,
                 settings.dropout_site + (static_cast<uint64_t>(head) << 32));
    }
    return out;
  }

  template <class PerRow>
  void for_each_row(const PerRow& work) const {
    at::parallel_for(0, static_cast<int64_t>(rows()), 1, [&](int64_t begin, int64_t end) {
      // Worker threads do not inherit the caller's mode.
      const at::NoGradGuard no_grad;
      for (int64_t row = begin; row < end; ++row) work(static_cast<size_t>(row));
    });
  }
};

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
    problem.for_each_row([&](size_t row) {
      const at::Tensor p = problem.probabilities(row_of(q, query_offsets, row, heads),
                                                 row_of(k, key_offsets, row, heads));
      row_of(out, query_offsets, row, heads)
          .copy_(at::bmm(problem.dropped(p, row), row_of(v, key_offsets, row, heads)));
    });
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &q = saved[0], &k = saved[1], &v = saved[2];
    const Offsets query_offsets = context->saved_data["query_offsets"].toIntVector();
    const Offsets key_offsets = context->saved_data["key_offsets"].toIntVector();
    const int64_t heads = context->saved_data["heads"].toInt();
    const AttentionSettings settings{
        heads, context->saved_data["dropout_rate"].toDouble(),
        static_cast<uint64_t>(context->saved_data["dropout_site"].toInt())};
    const Problem problem = make_problem(q, query_offsets, key_offsets, settings, saved[3]);

    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty({q.size(0), q.size(1)}, q.options());
    at::Tensor d_k = at::empty({k.size(0), k.size(1)}, k.options());
    at::Tensor d_v = at::empty({v.size(0), v.size(1)}, v.options());
    problem.for_each_row([&](size_t row) {
      const at::Tensor q_row = row_of(q, query_offsets, row, heads);
      const at::Tensor k_row = row_of(k, key_offsets, row, heads);
      const at::Tensor d_out_row = row_of(d_out, query_offsets, row, heads);
      const at::Tensor p = problem.probabilities(q_row, k_row);
      // out = mask(p) v;  p = softmax(scores);  scores = scale q k^T
      row_of(d_v, key_offsets, row, heads)
          .copy_(at::bmm(problem.dropped(p, row).transpose(1, 2), d_out_row));
      const at::Tensor d_p = problem.dropped(
          at::bmm(d_out_row, row_of(v, key_offsets, row, heads).transpose(1, 2)), row);
      const at::Tensor d_scores =
          at::_softmax_backward_data(d_p, p, -1, p.scalar_type()).mul_(problem.scale);
      row_of(d_q, query_offsets, row, heads).copy_(at::bmm(d_scores, k_row));
      row_of(d_k, key_offsets, row, heads).copy_(at::bmm(d_scores.transpose(1, 2), q_row));
    });
    return {d_q, d_k, d_v, {}, {}, {}, {}, {}, {}};
  }

 private:
  static Problem make_problem(const at::Tensor& q, const Offsets& query_offsets,
                              const Offsets& key_offsets, const AttentionSettings& settings,
                              const std::optional<at::Tensor>& keys) {
    const int64_t head_size = q.size(1) / settings.heads;
    const bool drops = settings.dropout_rate > 0 && keys.has_value();
    return {query_offsets, key_offsets, settings, drops ? *keys : at::Tensor(),
            1.0 / std::sqrt(static_cast<double>(head_size))};
  }
};

}  // namespace

at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const Offsets& query_offsets, const Offsets& key_offsets,
                            const AttentionSettings& settings, const DropoutKeys& keys) {
  return PackedAttention::apply(
      q, k, v, query_offsets, key_offsets, settings.heads, settings.dropout_rate,
      static_cast<int64_t>(settings.dropout_site),
      keys.enabled() ? std::optional<at::Tensor>(keys.rows) : std::nullopt);
}

}  // namespace rubric
