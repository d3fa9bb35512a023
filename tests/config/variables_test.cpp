#include <cstdlib>

#include "config/example_config.h"
#include "config/reader.h"

namespace rubric::config::variables_test {

struct Variables : testing::Test {
  void SetUp() override {
    setenv("RUBRIC_TEST_SET", "/data", 1);
    setenv("RUBRIC_TEST_EMPTY", "", 1);
    setenv("RUBRIC_TEST_NESTED", "${RUBRIC_TEST_SET}", 1);
    setenv("RUBRIC_TEST_BYTES", "\xFF", 1);
    unsetenv("RUBRIC_TEST_UNSET");
  }
  static std::string expand(const std::string& text) {
    return expand_variables(text, "data.train", "f.yaml:3");
  }
};

TEST_F(Variables, FillsInValuesAndDefaults) {
  EXPECT_EQ(expand("${RUBRIC_TEST_SET}/mocha"), "/data/mocha");
  EXPECT_EQ(expand("a${RUBRIC_TEST_SET}b${RUBRIC_TEST_SET}"), "a/datab/data");
  EXPECT_EQ(expand("${RUBRIC_TEST_UNSET:-here}"), "here");
  EXPECT_EQ(expand("${RUBRIC_TEST_UNSET:-}"), "");
  EXPECT_EQ(expand("${RUBRIC_TEST_EMPTY:-here}"), "here");
  EXPECT_EQ(expand("${RUBRIC_TEST_EMPTY}"), "");
  EXPECT_EQ(expand("${RUBRIC_TEST_SET:-here}"), "/data");
  EXPECT_EQ(expand("${RUBRIC_TEST_UNSET:-a:-b}"), "a:-b");
}

TEST_F(Variables, LeavesEverythingElse) {
  for (const char* const text : {"", "$", "$$", "$HOME", "{}", "a $ {b}", "}", "$$$"}) {
    EXPECT_EQ(expand(text), text);
  }
  EXPECT_EQ(expand("${RUBRIC_TEST_NESTED}"), "${RUBRIC_TEST_SET}");  // once, not again
}

TEST_F(Variables, EscapesAndBack) {
  EXPECT_EQ(expand("$${RUBRIC_TEST_SET}"), "${RUBRIC_TEST_SET}");
  EXPECT_EQ(escape_variables("a ${X}"), "a $${X}");
  for (const char* const text :
       {"${X}", "$${X}", "$$${X}", "${", "$${", "$", "${${X}}", "${X:-}"}) {
    EXPECT_EQ(expand(escape_variables(text)), text);
  }
}

TEST_F(Variables, SaysWhatIsWrong) {
  EXPECT_EQ(
      input_error([] { expand("${RUBRIC_TEST_UNSET}"); }),
      error_lines("data.train: the environment variable RUBRIC_TEST_UNSET is not set", "f.yaml:3",
                  "set it (export RUBRIC_TEST_UNSET=…) or write a default: "
                  "${RUBRIC_TEST_UNSET:-…}"));
  EXPECT_EQ(input_error([] { expand("a ${X"); }),
            error_lines("data.train: ${ without }", "f.yaml:3",
                        "close the variable's name, or write $${ for a literal ${"));
  for (const char* const text : {"${}", "${1A}", "${A B}", "${:-x}", "${A-x}", "${${A}}"}) {
    EXPECT_NE(input_error([&] { expand(text); }).find("not a variable's name"), std::string::npos);
  }
  EXPECT_NE(input_error([] { expand("${RUBRIC_TEST_UNSET:-${A}}"); }).find("in the default of"),
            std::string::npos);
  EXPECT_NE(input_error([] { expand("${RUBRIC_TEST_BYTES}"); }).find("is not UTF-8 text"),
            std::string::npos);
}

TEST_F(Variables, BoundsTheResult) {
  setenv("RUBRIC_TEST_LONG", std::string(100000, 'x').c_str(), 1);
  std::string text;
  for (int i = 0; i < 11; ++i) text += "${RUBRIC_TEST_LONG}";
  EXPECT_NE(input_error([&] { expand(text); }).find("longer than 1048576 bytes"),
            std::string::npos);
  unsetenv("RUBRIC_TEST_LONG");
}

}  // namespace rubric::config::variables_test
