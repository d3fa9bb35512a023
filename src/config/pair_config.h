// How a source and its target become a model's input: the same for training, scoring and
// generating, so a model's card says it too.
#pragma once

#include <cstdint>
#include <string>

#include "config/fields.h"

namespace rubric {

struct PairConfig {
  int64_t max_source = 512;
  int64_t max_target = 128;
  std::string too_long = "cut";
  bool source_eos = true;
  bool target_eos = true;
  std::string decoder_start = "model";

  void visit_fields(FieldVisitor& visitor);
};

}  // namespace rubric
