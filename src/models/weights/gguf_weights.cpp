#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "core/error.h"
#include "data/model_files/gguf.h"
#include "models/weights/blocks.h"
#include "models/weights/weights.h"

namespace rubric::models {
namespace {

using Bytes = const uint8_t*;

float half(Bytes at) {
  uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return static_cast<float>(c10::Half(bits, c10::Half::from_bits()));
}

// Each takes one block apart. In the blocks of 256 numbers scale and minimum are themselves
// products of a block's scale and of a small one, which are exact in float32.

constexpr float kNoMinimum = -0.0F;  // changes no number, not even a zero's sign

void unpack_q8_0(Bytes block, BlockGroup* out) {
  out->scale = half(block);
  out->minimum = kNoMinimum;
  std::memcpy(out->numbers, block + 2, 32);
}

// The low halves of 16 bytes are the first 16 numbers, the high ones the others. `high` has the
// fifth bit of each number.
void unpack_nibbles(Bytes packed, uint32_t high, int offset, BlockGroup* out) {
  for (int i = 0; i < 16; ++i) {
    const uint32_t low = (packed[i] & 15U) | ((high >> i & 1U) << 4);
    const uint32_t up = (packed[i] >> 4U) | ((high >> (i + 16) & 1U) << 4);
    out->numbers[i] = static_cast<int8_t>(static_cast<int>(low) - offset);
    out->numbers[i + 16] = static_cast<int8_t>(static_cast<int>(up) - offset);
  }
}

uint32_t fifth_bits(Bytes at) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return bits;
}

template <bool kHasMinimum, bool kHasFifthBits, int kOffset>
void unpack_of_32(Bytes block, BlockGroup* out) {
  out->scale = half(block);
  out->minimum = kHasMinimum ? half(block + 2) : kNoMinimum;
  Bytes rest = block + (kHasMinimum ? 4 : 2);
  uint32_t high = 0;
  if (kHasFifthBits) {
    high = fifth_bits(rest);
    rest += sizeof(high);
  }
  unpack_nibbles(rest, high, kOffset, out);
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

// Eight groups of 32 numbers; two share 32 bytes, the first in their low halves. Of Q5_K 32 bytes
// before these have bit i of byte j for number j of group i.
template <bool kHasFifthBits>
void unpack_k(Bytes block, BlockGroup* out) {
  const float d = half(block), m = half(block + 2);
  const Bytes high = block + 16, low = kHasFifthBits ? high + 32 : high;
  for (int group = 0; group < 8; ++group) {
    const SmallScales small = small_scales(block + 4, group);
    out[group].scale = d * small.scale;
    out[group].minimum = -(m * small.minimum);
    for (int i = 0; i < 32; ++i) {
      uint32_t q = low[group / 2 * 32 + i] >> (group % 2 * 4) & 15U;
      if (kHasFifthBits) q |= (high[i] >> group & 1U) << 4;
      out[group].numbers[i] = static_cast<int8_t>(q);
    }
  }
}

// 256 numbers of 6 bits: the low 4 in 128 bytes, the high 2 in 64, 16 scales of 8 bits, d.
void unpack_q6_k(Bytes block, BlockGroup* out) {
  const Bytes low = block, high = block + 128, scales = block + 192;
  const float d = half(block + 208);
  for (int i = 0; i < 256; ++i) {
    const int half_of_block = i / 128, group = i % 128 / 32, at = i % 32;
    const uint32_t nibble = low[half_of_block * 64 + group % 2 * 32 + at] >> (group / 2 * 4) & 15U;
    const uint32_t top = high[half_of_block * 32 + at] >> (group * 2) & 3U;
    BlockGroup& to = out[i / 16];
    to.scale = d * static_cast<float>(std::bit_cast<int8_t>(scales[i / 16]));
    to.minimum = kNoMinimum;
    to.numbers[i % 16] = static_cast<int8_t>(static_cast<int>(nibble | top << 4) - 32);
  }
}

constexpr BlockForm kForms[] = {
    {"Q8_0", unpack_q8_0, 32, -128, false, true},
    {"Q4_0", unpack_of_32<false, false, 8>, 32, -8, false, true},
    {"Q4_1", unpack_of_32<true, false, 0>, 32, 0, true, true},
    {"Q5_0", unpack_of_32<false, true, 16>, 32, -16, false, true},
    {"Q5_1", unpack_of_32<true, true, 0>, 32, 0, true, true},
    {"Q4_K", unpack_k<false>, 32, 0, true, false},
    {"Q5_K", unpack_k<true>, 32, 0, true, false},
    {"Q6_K", unpack_q6_k, 16, -32, false, false},
};

// llama.cpp rotates pairs of neighbouring rows of a head, its owner's model rows that are half a
// head apart: the converter's order of rows is undone.
at::Tensor rotated_in_halves(const at::Tensor& weight, int64_t heads) {
  const int64_t half_head = weight.size(0) / heads / 2;
  return weight.reshape({heads, half_head, 2, -1}).transpose(1, 2).reshape(weight.sizes());
}

// The bytes of a tensor's rows in the file, which stays open with them.
BlockMatrix in_blocks(const std::shared_ptr<const data::GgufFile>& file,
                      const data::GgufTensor& tensor) {
  const int64_t rows = tensor.shape[0];
  auto* const bytes = const_cast<char*>(tensor.data.data());  // from_blob() asks for no const
  return {tensor.type,
          at::from_blob(
              bytes, {rows, std::ssize(tensor.data) / std::max<int64_t>(rows, 1)}, [file](void*) {},
              at::kByte),
          tensor.shape[1]};
}

}  // namespace

const BlockForm& form_of(const data::GgufType& type) {
  return *std::ranges::find(kForms, type.name, &BlockForm::type);
}

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
  const BlockForm& form = form_of(type);
  float* out = numbers.mutable_data_ptr<float>();
  const auto* const begin = reinterpret_cast<Bytes>(tensor.data.data());
  std::vector<BlockGroup> groups(static_cast<size_t>(type.block / form.group));
  for (Bytes block = begin; block < begin + tensor.data.size(); block += type.bytes) {
    form.unpack(block, groups.data());
    for (const BlockGroup& group : groups) {
      for (int64_t i = 0; i < form.group; ++i) {
        *out++ = group.scale * static_cast<float>(group.numbers[i]) + group.minimum;
      }
    }
  }
  return numbers;
}

NamedTensors read_gguf(const std::filesystem::path& path, BlockMatrices* stored) {
  const auto opened = std::make_shared<const data::GgufFile>(path);
  const data::GgufFile& file = *opened;
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
    std::optional<BlockMatrix> blocks;
    if (stored != nullptr && tensor.type->block > 1 && tensor.shape.size() == 2) {
      blocks = in_blocks(opened, tensor);
    }
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
      if (blocks) blocks->bytes = rotated_in_halves(blocks->bytes, of_tensor);
    }
    // Its owner's model adds the 1 itself.
    if (has_one && name.ends_with("norm.weight")) numbers.sub_(1);
    if (blocks) stored->insert_or_assign(name, std::move(*blocks));
    weights.emplace_back(name, std::move(numbers));
  }
  return weights;
}

}  // namespace rubric::models
