#include "models/causal/causal_model.h"

#include <algorithm>
#include <utility>

#include "models/ops/device.h"

namespace rubric::models {

namespace {

// Concatenates row i of both.
data::TokenBatch joined(const data::TokenBatch& first, const data::TokenBatch& second) {
  data::TokenBatch rows;
  for (size_t i = 0; i + 1 < first.offsets.size(); ++i) {
    for (const data::TokenBatch* part : {&first, &second}) {
      rows.ids.insert(rows.ids.end(), part->ids.begin() + part->offsets[i],
                      part->ids.begin() + part->offsets[i + 1]);
    }
    rows.offsets.push_back(std::ssize(rows.ids));
  }
  return rows;
}

// The positions of the tokens of `second` in joined(first, second).
at::Tensor places_of_second(const Offsets& first, const Offsets& second, at::Device device) {
  std::vector<int64_t> places;
  for (size_t i = 0; i + 1 < second.size(); ++i) {
    for (int64_t token = second[i]; token < second[i + 1]; ++token) {
      places.push_back(first[i + 1] + token);
    }
  }
  return index_tensor(places, device);
}

// The dropout keys of joined rows.
DropoutKeys joined_keys(const data::TokenPairs& pairs, const PairDropoutKeys& keys) {
  if (!keys.target.enabled()) return {};
  std::vector<at::Tensor> rows;
  const auto add = [&](const DropoutKeys& of_part, const Offsets& offsets, size_t i) {
    rows.push_back(of_part.rows.narrow(0, offsets[i], offsets[i + 1] - offsets[i]));
  };
  for (size_t i = 0; i + 1 < pairs.sources.offsets.size(); ++i) {
    add(keys.source, pairs.sources.offsets, i);
    add(keys.target, pairs.decoder_inputs.offsets, i);
  }
  return {at::cat(rows)};
}

}  // namespace

CausalTokens CausalModel::rows_of(const data::TokenBatch& batch) const {
  CausalTokens tokens{batch.ids, positions_in_rows(batch.offsets), {}, {}};
  add_angles(batch.offsets, tokens);
  return tokens;
}

at::Tensor CausalModel::states(const data::TokenPairs& pairs,
                               const PairDropoutKeys& pair_keys) const {
  const data::TokenBatch batch = joined(pairs.sources, pairs.decoder_inputs);
  const DropoutKeys keys = joined_keys(pairs, pair_keys);
  const auto tokens = std::make_shared<const CausalTokens>(rows_of(batch));
  at::Tensor x = embed(*tokens, keys);
  for (size_t i = 0; i < layer_count(); ++i) {
    const auto run = [this, i, tokens, offsets = batch.offsets, keys](const auto& inputs) {
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return packed_attention(q, k, v, offsets, offsets, attention_settings(i), keys);
      };
      return layer(i, inputs[0], *tokens, attend, keys);
    };
    x = run_layer(run, {x});
  }
  const at::Tensor places =
      places_of_second(pairs.sources.offsets, pairs.decoder_inputs.offsets, x.device());
  return finish(x.index_select(0, places));
}

class CausalDecoder : public Decoder {
 public:
  CausalDecoder(const CausalModel& model, const data::TokenBatch& sources)
      : model_(model),
        length_of_rereading_(model.length_of_rereading()),
        cache_(model.new_cache(sources.rows())) {
    if (length_of_rereading_) {
      for (size_t i = 0; i + 1 < sources.offsets.size(); ++i) {
        read_.emplace_back(sources.ids.begin() + sources.offsets[i],
                           sources.ids.begin() + sources.offsets[i + 1]);
      }
    }
    // Without sources decoding starts with the first token.
    if (!sources.ids.empty()) read(sources);
  }

  at::Tensor step(std::span<const int64_t> tokens) override {
    const at::NoGradGuard no_grad;
    if (length_of_rereading_ && rereads(tokens)) return states_of_whole_rows();
    cache_.extend_by_one();
    CausalTokens last{{tokens.begin(), tokens.end()}, {}, {}, {}};
    std::vector<int64_t> lengths;
    for (int64_t row = 0; row < cache_.rows(); ++row) {
      lengths.push_back(cache_.length(row));
      last.positions.push_back(lengths.back() - 1);
    }
    model_.add_last_angles(lengths, last);
    at::Tensor x = model_.embed(last, {});
    for (size_t i = 0; i < model_.layer_count(); ++i) {
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return cache_.attend_to_new(static_cast<int64_t>(i), q, k, v, model_.attention_settings(i));
      };
      x = model_.layer(i, x, last, attend, {});
    }
    return model_.finish(x);
  }

  void select(std::span<const int64_t> rows) override {
    cache_.select(rows);
    std::vector<std::vector<int64_t>> selected;
    for (const int64_t row : rows) {
      if (length_of_rereading_) selected.push_back(read_[static_cast<size_t>(row)]);
    }
    read_ = std::move(selected);
  }

 private:
  // Reads tokens that follow nothing: what the last layer gives for each.
  at::Tensor read(const data::TokenBatch& batch) {
    const at::NoGradGuard no_grad;
    const Offsets& offsets = batch.offsets;
    cache_.extend(offsets);
    const CausalTokens tokens = model_.rows_of(batch);
    at::Tensor x = model_.embed(tokens, {});
    for (size_t i = 0; i < model_.layer_count(); ++i) {
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        cache_.put(static_cast<int64_t>(i), k, v, offsets);
        return packed_attention(q, k, v, offsets, offsets, model_.attention_settings(i), {});
      };
      x = model_.layer(i, x, tokens, attend, {});
    }
    return x;
  }

  // Notes a token of each row; whether that makes one of them so long that it is read again.
  bool rereads(std::span<const int64_t> tokens) {
    for (size_t row = 0; row < tokens.size(); ++row) read_[row].push_back(tokens[row]);
    return std::ranges::any_of(
        read_, [&](const auto& row) { return std::ssize(row) == *length_of_rereading_; });
  }

  at::Tensor states_of_whole_rows() {
    data::TokenBatch whole;
    std::vector<int64_t> last;
    for (const std::vector<int64_t>& row : read_) {
      whole.ids.insert(whole.ids.end(), row.begin(), row.end());
      whole.offsets.push_back(std::ssize(whole.ids));
      last.push_back(whole.offsets.back() - 1);
    }
    cache_ = model_.new_cache(whole.rows());
    const at::Tensor x = read(whole);
    return model_.finish(x.index_select(0, index_tensor(last, x.device())));
  }

  const CausalModel& model_;
  const std::optional<int64_t> length_of_rereading_;
  KeyValueCache cache_;
  std::vector<std::vector<int64_t>> read_;  // each row's tokens, of a model that reads some again
};

std::unique_ptr<Decoder> CausalModel::decode(const data::TokenBatch& sources) const {
  return std::make_unique<CausalDecoder>(*this, sources);
}

}  // namespace rubric::models
