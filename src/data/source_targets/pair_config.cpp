#include "data/source_targets/pair_config.h"

namespace rubric {

void PairConfig::visit_fields(FieldVisitor& visitor) {
  visitor.field("source", source,
                "what a source is made of: {name} is a field of the row, {name:MARK} a list with "
                "MARK before each of its texts");
  visitor.field("target", target, "the same for a target");
  visitor.field("end", end,
                "the added token that ends a generated text and, behind a blank, a target, such as "
                "<eos>; \"\": the end-of-sequence token of the model's tokenizer");
  visitor.field("bos", bos,
                "whether a BART's sources and targets begin with its beginning-of-sequence token");
  visitor.field("max_source", max_source, "longest source in tokens, special tokens included",
                {2, 1 << 20});
  visitor.field("max_target", max_target, "longest target in tokens, special tokens included",
                {2, 1 << 20});
  visitor.field("too_long", too_long,
                "what becomes of a longer one: cut loses its end (of a causal model's source the "
                "beginning) and is counted; refuse stops before anything is computed",
                {"cut", "refuse"});
  visitor.field("source_eos", source_eos,
                "whether a source ends with the end-of-sequence token of the model's tokenizer");
  visitor.field("target_eos", target_eos, "whether a target ends with its end");
  visitor.field("decoder_start", decoder_start,
                "what the decoder starts with: the token that the model's configuration names, or "
                "the last token of the source; a causal model always goes on from its source",
                {"model", "last-input"});
}

}  // namespace rubric
