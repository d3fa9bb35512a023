#include "models/seq2seq/encoder_decoder.h"

#include <algorithm>
#include <span>

#include "models/ops/key_value_cache.h"

namespace rubric::models {

namespace {

// Sources, and for each the range of the decoder's tokens that attend to it: [readers[i],
// readers[i+1]).
struct ReadSources {
  data::TokenBatch tokens;
  Offsets readers;
};

// Adjacent rows with the same source share it. For cross-attention they count as one row, since
// every target token sees all of its source.
ReadSources shared_sources(const data::TokenPairs& pairs) {
  const auto ids = [&](int64_t row) {
    return std::span(pairs.sources.ids)
        .subspan(static_cast<size_t>(pairs.sources.offsets[static_cast<size_t>(row)]),
                 static_cast<size_t>(pairs.sources.length(row)));
  };
  ReadSources shared{{}, {0}};
  for (int64_t row = 0; row < pairs.rows(); ++row) {
    const auto source = ids(row);
    if (row == 0 || !std::ranges::equal(source, ids(row - 1))) {
      shared.tokens.ids.insert(shared.tokens.ids.end(), source.begin(), source.end());
      shared.tokens.offsets.push_back(std::ssize(shared.tokens.ids));
      shared.readers.push_back(0);
    }
    shared.readers.back() = pairs.decoder_inputs.offsets[static_cast<size_t>(row) + 1];
  }
  return shared;
}

}  // namespace

at::Tensor EncoderDecoder::states(const data::TokenPairs& pairs,
                                  const PairDropoutKeys& keys) const {
  // With dropout every row needs its own masks, so sources are not shared.
  const ReadSources sources = shares_sources() && !keys.source.enabled()
                                  ? shared_sources(pairs)
                                  : ReadSources{pairs.sources, pairs.decoder_inputs.offsets};
  const at::Tensor encoded = run_stack(Stack::encoder, sources.tokens, {}, keys.source);
  return run_stack(Stack::decoder, pairs.decoder_inputs,
                   {encoded, sources.tokens.offsets, sources.readers}, keys.target);
}

at::Tensor EncoderDecoder::run_stack(Stack stack, const data::TokenBatch& tokens,
                                     const Encoded& source, const DropoutKeys& keys) const {
  const Offsets& offsets = tokens.offsets;
  const at::Tensor bias = relative_position_bias(stack, longest_row(offsets));
  at::Tensor x = embed(stack, tokens.ids, positions_in_rows(offsets), keys);
  for (size_t i = 0; i < layers(stack); ++i) {
    // Gradients flow only through `inputs`: x, then source and bias if defined.
    const auto run = [this, stack, i, offsets, keys, readers = source.readers,
                      source_offsets = source.offsets, has_source = source.states.defined(),
                      has_bias = bias.defined()](const auto& inputs) {
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return packed_attention(q, k, v, offsets, offsets, self_settings(stack, i), keys,
                                has_bias ? inputs.back() : at::Tensor());
      };
      CrossAttention attend_source;
      if (has_source) {
        attend_source = [&](const at::Tensor& q) {
          const auto kv = keys_and_values(inputs[1], i);
          return packed_attention(q, kv[0], kv[1], readers, source_offsets, cross_settings(i),
                                  keys);
        };
      }
      return layer(stack, i, inputs[0], attend, attend_source, keys);
    };
    std::vector<at::Tensor> inputs = {x};
    if (source.states.defined()) inputs.push_back(source.states);
    if (bias.defined()) inputs.push_back(bias);
    x = run_layer(run, inputs);
  }
  return finish(stack, x, keys);
}

uint64_t EncoderDecoder::dropout_site(Stack stack, size_t index, DropoutPlace place) const {
  const size_t layer = stack == Stack::encoder ? index : layers(Stack::encoder) + index;
  return static_cast<uint64_t>(layer) * 8 + static_cast<uint64_t>(place);
}

AttentionSettings EncoderDecoder::self_settings(Stack stack, size_t index) const {
  AttentionSettings settings = attention(stack);
  settings.dropout_site = dropout_site(stack, index, DropoutPlace::self_probabilities);
  settings.causal = stack == Stack::decoder;
  return settings;
}

AttentionSettings EncoderDecoder::cross_settings(size_t index) const {
  AttentionSettings settings = attention(Stack::decoder);
  settings.dropout_site = dropout_site(Stack::decoder, index, DropoutPlace::cross_probabilities);
  return settings;
}

std::vector<at::Tensor> EncoderDecoder::keys_and_values(const at::Tensor& source,
                                                        size_t index) const {
  const AttentionMaps& maps = cross_attention(index);
  return fused_linear(source, {&maps.key, &maps.value});
}

// Caches the keys and values of the sources and of the tokens read so far.
class EncoderDecoderIncrementalDecoder : public Decoder {
 public:
  EncoderDecoderIncrementalDecoder(const EncoderDecoder& model, const data::TokenBatch& sources)
      : model_(model),
        layers_(model.layers(Stack::decoder)),
        cache_(sources.rows(), static_cast<int64_t>(layers_), model.attention(Stack::decoder).heads,
               outputs_of(model.cross_attention(0).key)),
        source_(static_cast<int64_t>(layers_), model.attention(Stack::decoder).heads) {
    const at::NoGradGuard no_grad;
    const at::Tensor encoded = model.run_stack(Stack::encoder, sources, {}, {});
    for (size_t i = 0; i < layers_; ++i) {
      const auto kv = model.keys_and_values(encoded, i);
      source_.put(static_cast<int64_t>(i), kv[0], kv[1], sources.offsets);
    }
  }

  at::Tensor step(std::span<const int64_t> tokens) override {
    const at::NoGradGuard no_grad;
    cache_.extend_by_one();
    const int64_t length = cache_.length(0);
    if (length > reach_) {
      reach_ = 2 * length;
      bias_ = model_.relative_position_bias(Stack::decoder, reach_);
    }
    const std::vector<int64_t> positions(tokens.size(), length - 1);
    at::Tensor x = model_.embed(Stack::decoder, {tokens.begin(), tokens.end()}, positions, {});
    for (size_t i = 0; i < layers_; ++i) {
      const auto index = static_cast<int64_t>(i);
      const auto attend = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
        return cache_.attend_to_new(index, q, k, v, model_.self_settings(Stack::decoder, i), bias_);
      };
      const auto attend_source = [&](const at::Tensor& q) {
        return source_.attend(index, q, model_.cross_settings(i));
      };
      x = model_.layer(Stack::decoder, i, x, attend, attend_source, {});
    }
    return model_.finish(Stack::decoder, x, {});
  }

  void select(std::span<const int64_t> rows) override {
    cache_.select(rows);
    source_.select(rows);
  }

 private:
  const EncoderDecoder& model_;
  size_t layers_;
  KeyValueCache cache_;
  SourceCache source_;
  at::Tensor bias_;
  int64_t reach_ = 0;  // for which bias_ was computed
};

std::unique_ptr<Decoder> EncoderDecoder::decode(const data::TokenBatch& sources) const {
  return std::make_unique<EncoderDecoderIncrementalDecoder>(*this, sources);
}

}  // namespace rubric::models
