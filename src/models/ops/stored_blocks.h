// Matrix products with weights in the blocks in which a GGUF file stores them: a decoder's step
// reads each weight once, so that the memory's speed is its limit.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/weights/blocks.h"

namespace rubric::models {

// A weight [out, in] in blocks, rows side by side; null for none.
struct PackedBlocks;
using BlockWeight = std::shared_ptr<const PackedBlocks>;

int64_t outputs_of(const PackedBlocks& weight);

// Numbers of 4 bits stay so, those of 5 and 6 take 8; scales stay of 16 bits where the file has
// such.
BlockWeight pack_blocks(const BlockMatrix& matrix);

struct BlockMap {
  BlockWeight weight;
  at::Tensor bias = {};  // [out], float32, or undefined
};

// x weight^T + bias, float32 [tokens, out], for each of the maps: the products with the unpacked()
// weight but for the rounding of float32. x [tokens, in], float32, contiguous. No gradients.
std::vector<at::Tensor> block_products(const at::Tensor& x, const std::vector<BlockMap>& maps);

}  // namespace rubric::models
