#include <algorithm>
#include <bit>
#include <cstring>

#include <ATen/ops/empty.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "core/error.h"
#include "data/model_files/gguf.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

using Bytes = const uint8_t*;

float half(Bytes at) {
  uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return static_cast<float>(c10::Half(bits, c10::Half::from_bits()));
}

// Each unpacks one block. A number is q · d, or q · d + m; in the blocks of 256 numbers d and m are
// themselves products of a block's scale and of a small one. All products are exact in float32.

void unpack_q8_0(Bytes block, float* out) {
  const float d = half(block);
  for (int i = 0; i < 32; ++i) out[i] = d * static_cast<float>(std::bit_cast<int8_t>(block[2 + i]));
}

// The low halves of 16 bytes are the first 16 numbers, the high ones the others. `high` has the
// fifth bit of each number. A minimum of -0 changes no number, not even a zero's sign.
void unpack_nibbles(Bytes packed, uint32_t high, float d, float offset, float m, float* out) {
  for (int i = 0; i < 16; ++i) {
    const uint32_t low = (packed[i] & 15U) | ((high >> i & 1U) << 4);
    const uint32_t up = (packed[i] >> 4U) | ((high >> (i + 16) & 1U) << 4);
    out[i] = d * (static_cast<float>(low) - offset) + m;
    out[i + 16] = d * (static_cast<float>(up) - offset) + m;
  }
}

uint32_t fifth_bits(Bytes at) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return bits;
}

void unpack_q4_0(Bytes block, float* out) {
  unpack_nibbles(block + 2, 0, half(block), 8, -0.0F, out);
}
void unpack_q4_1(Bytes block, float* out) {
  unpack_nibbles(block + 4, 0, half(block), 0, half(block + 2), out);
}
void unpack_q5_0(Bytes block, float* out) {
  unpack_nibbles(block + 6, fifth_bits(block + 2), half(block), 16, -0.0F, out);
}
void unpack_q5_1(Bytes block, float* out) {
  unpack_nibbles(block + 8, fifth_bits(block + 4), half(block), 0, half(block + 2), out);
}

// The eight scales and minima of Q4_K and Q5_K, 6 bits each in 12 bytes.
struct SmallScales {
  float scale, minimum;
};
SmallScales small_scales(Bytes packed, int i) {
  if (i < 4) return {static_cast<float>(packed[i] & 63U), static_cast<float>(packed[i + 4] & 63U)};
  const uint32_t scale = (packed[i + 4] & 15U) | (packed[i - 4] >> 6U) << 4;
  const uint32_t minimum = (packed[i + 4] >> 4U) | (packed[i] >> 6U) << 4;
  return {static_cast<float>(scale), static_cast<float>(minimum)};
}

// Eight groups of 32 numbers; two share 32 bytes, the first in their low halves. `high` has bit i
// of byte j for number j of group i, or is null.
void unpack_k(Bytes block, Bytes high, Bytes low, float* out) {
  const float d = half(block), m = half(block + 2);
  for (int group = 0; group < 8; ++group) {
    const SmallScales small = small_scales(block + 4, group);
    const float scale = d * small.scale, minimum = m * small.minimum;
    for (int i = 0; i < 32; ++i) {
      uint32_t q = low[group / 2 * 32 + i] >> (group % 2 * 4) & 15U;
      if (high != nullptr) q |= (high[i] >> group & 1U) << 4;
      out[group * 32 + i] = scale * static_cast<float>(q) - minimum;
    }
  }
}

void unpack_q4_k(Bytes block, float* out) {
  unpack_k(block, nullptr, block + 16, out);
}
void unpack_q5_k(Bytes block, float* out) {
  unpack_k(block, block + 16, block + 48, out);
}

// 256 numbers of 6 bits: the low 4 in 128 bytes, the high 2 in 64, 16 scales of 8 bits, d.
void unpack_q6_k(Bytes block, float* out) {
  const Bytes low = block, high = block + 128, scales = block + 192;
  const float d = half(block + 208);
  for (int i = 0; i < 256; ++i) {
    const int half_of_block = i / 128, group = i % 128 / 32, at = i % 32;
    const uint32_t nibble = low[half_of_block * 64 + group % 2 * 32 + at] >> (group / 2 * 4) & 15U;
    const uint32_t top = high[half_of_block * 32 + at] >> (group * 2) & 3U;
    const float scale = d * static_cast<float>(std::bit_cast<int8_t>(scales[i / 16]));
    out[i] = scale * (static_cast<float>(nibble | top << 4) - 32);
  }
}

struct Unpacking {
  std::string_view type;
  void (*unpack)(Bytes block, float* out);
};
constexpr Unpacking kUnpackings[] = {
    {"Q8_0", unpack_q8_0}, {"Q4_0", unpack_q4_0}, {"Q4_1", unpack_q4_1}, {"Q5_0", unpack_q5_0},
    {"Q5_1", unpack_q5_1}, {"Q4_K", unpack_q4_k}, {"Q5_K", unpack_q5_k}, {"Q6_K", unpack_q6_k},
};

// llama.cpp rotates pairs of neighbouring rows of a head, its owner's model rows that are half a
// head apart: the converter's order of rows is undone.
at::Tensor rotated_in_halves(const at::Tensor& weight, int64_t heads) {
  const int64_t half_head = weight.size(0) / heads / 2;
  return weight.reshape({heads, half_head, 2, -1}).transpose(1, 2).reshape(weight.sizes());
}

}  // namespace

at::Tensor unpacked(const data::GgufTensor& tensor) {
  const data::GgufType& type = *tensor.type;
  if (type.block == 1) {
    const at::ScalarType stored = type.name == "F32"   ? at::kFloat
                                  : type.name == "F16" ? at::kHalf
                                                       : at::kBFloat16;
    at::Tensor numbers = at::empty(tensor.shape, stored);
    std::memcpy(numbers.mutable_data_ptr(), tensor.data.data(), tensor.data.size());
    return numbers;
  }
  at::Tensor numbers = at::empty(tensor.shape, at::kFloat);
  const auto* const unpacking = std::ranges::find(kUnpackings, type.name, &Unpacking::type);
  float* out = numbers.mutable_data_ptr<float>();
  const auto* const begin = reinterpret_cast<Bytes>(tensor.data.data());
  for (Bytes block = begin; block < begin + tensor.data.size(); block += type.bytes) {
    unpacking->unpack(block, out);
    out += type.block;
  }
  return numbers;
}

NamedTensors read_gguf(const std::filesystem::path& path) {
  const data::GgufFile file(path);
  const std::string architecture = file.require_string("general.architecture");
  const int64_t heads = file.require_integer(architecture + ".attention.head_count");
  const std::string key_heads = architecture + ".attention.head_count_kv";
  const bool is_reordered = data::has_gguf_trait(file, "reordered_rows");
  const bool has_one = data::has_gguf_trait(file, "norms_with_one");
  NamedTensors weights;
  for (const data::GgufTensor& tensor : file.tensors()) {
    const std::string name = data::published_name(file, tensor);
    if (name.empty()) continue;
    at::Tensor numbers = unpacked(tensor);
    const bool is_query = name.find(".q_proj.") != name.npos;
    if (is_reordered && (is_query || name.find(".k_proj.") != name.npos)) {
      const int64_t of_tensor =
          is_query || file.find(key_heads) == nullptr ? heads : file.require_integer(key_heads);
      if (of_tensor < 1 || numbers.size(0) % (2 * of_tensor) != 0) {
        throw InputError(
            "the rows of " + tensor.name + " are no " + std::to_string(of_tensor) + " heads",
            file.where(), "fetch the file again");
      }
      numbers = rotated_in_halves(numbers, of_tensor);
    }
    // Its owner's model adds the 1 itself.
    if (has_one && name.ends_with("norm.weight")) numbers.sub_(1);
    weights.emplace_back(name, std::move(numbers));
  }
  return weights;
}

}  // namespace rubric::models
