#include <gtest/gtest.h>

#include "text/unicode/unicode.h"

namespace rubric::text::lower_case_test {

TEST(LowerCase, FollowsUnicodeWithItsSpecialCases) {
  EXPECT_EQ(lower_case(""), "");
  EXPECT_EQ(lower_case("Ab Z@[`{"), "ab z@[`{");
  EXPECT_EQ(lower_case("ÉCOLE ЁЛКА"), "école ёлка");
  EXPECT_EQ(lower_case("İ"), "i\u0307");
  EXPECT_EQ(lower_case("ΣΑΣ ΑΣ."), "σας ας.");  // a sigma at the end of a word
  EXPECT_EQ(lower_case("ẞ"), "ß");
}

}  // namespace rubric::text::lower_case_test
