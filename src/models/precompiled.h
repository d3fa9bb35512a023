// What every neural source file includes, compiled once.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
