// Matrices in the blocks in which a GGUF file stores them (data/model_files/gguf.h), and what a
// block consists of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "data/model_files/gguf.h"

namespace rubric::models {

// Numbers of a block with a scale of their own: number i is scale * numbers[i] + minimum.
struct BlockGroup {
  float scale, minimum;
  int8_t numbers[32];
};

// A type of blocks.
struct BlockForm {
  std::string_view type;
  void (*unpack)(const uint8_t* block, BlockGroup* out);
  int64_t group;     // numbers of a group
  int least;         // of the numbers of a group
  bool has_minimum;  // else it is -0
  bool has_halves;   // scales and minima are numbers of 16 bits
};
const BlockForm& form_of(const data::GgufType& type);

struct BlockMatrix {
  const data::GgufType* type;
  at::Tensor bytes;  // uint8 [rows, bytes of a row]
  int64_t columns;
};
using BlockMatrices = std::map<std::string, BlockMatrix, std::less<>>;

}  // namespace rubric::models
