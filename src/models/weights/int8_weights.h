// Weights that are stored in 8 bits, so that a model takes a quarter of its space: each row of a
// matrix as whole numbers from -127 to 127 and the number that one of them stands for. The names
// are those of compressed-tensors, "NAME" (I8) and "NAME_scale" (F32 [rows, 1]).
#pragma once

#include <string>

#include "models/weights/weights.h"

namespace rubric::models {

// The matrices of floating-point numbers in 8 bits, each row rounded on a scale of its own; other
// tensors, and small matrices, as they are. Throws InputError, naming `where`, for a number that is
// not finite.
NamedTensors quantized(const NamedTensors& tensors, const std::string& where);

// The tensors of a file with those in 8 bits as float32. Throws InputError, naming `where`, for a
// scale that does not fit its matrix or is not finite.
NamedTensors dequantized(NamedTensors tensors, const std::string& where);

}  // namespace rubric::models
