#include "data/model_files/list.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::model_files_list_test {

TEST(SequenceKindList, EveryTypeLeadsToItsKind) {
  for (const SequenceKind* const kind : kSequenceKinds) {
    EXPECT_EQ(&require_sequence_kind(kind->name, "here"), kind);
    for (const std::string_view alias : kind->aliases) {
      EXPECT_EQ(&require_sequence_kind(alias, "here"), kind) << alias;
    }
  }
}

TEST(SequenceKindList, OtherTypesAreRefusedWithTheKnownOnes) {
  EXPECT_EQ(input_error([] { require_sequence_kind("bert", "config.json"); }),
            error_lines("the model is a \"bert\", which is not one of the supported models",
                        "config.json",
                        "use one of \"t5\", \"mt5\", \"bart\", \"gpt2\", \"llama\", \"mistral\", "
                        "\"qwen2\", \"qwen3\", \"phi3\", \"gemma3_text\""));
}

}  // namespace rubric::data::model_files_list_test
