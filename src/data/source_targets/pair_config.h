// How a source and its target become a model's input: the same for training, scoring and
// generating, so a model's card says it too.
#pragma once

#include <cstdint>
#include <string>

#include "config/fields.h"

namespace rubric {

// Of a model that has neither a card nor positions of its own, in tokens: attention's memory grows
// with the square of it.
constexpr int64_t kLongestText = 1 << 14;

struct PairConfig {
  std::string source = "{source}", target = "{target}";  // templates (text/text_template.h)
  std::string end;
  bool bos = true;
  int64_t max_source = 512;
  int64_t max_target = 128;
  std::string too_long = "cut";
  bool source_eos = true;
  bool target_eos = true;
  std::string decoder_start = "model";

  void visit_fields(FieldVisitor& visitor);
};

}  // namespace rubric
