// Texts with the marks of REV's task models in them (Chen et al. 2022, Table 4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rubric {

struct MarkedPart {
  std::string mark;  // that stands before the text: "[rationale]"; "" of the first part
  std::string text;  // without the blanks around it
};

// The parts of a text up to its first <eos>, at [question], [choice], [premise], [hypothesis],
// [answer] and [rationale]. The first, which may be empty, has no mark.
std::vector<MarkedPart> split_at_marks(std::string_view text);

}  // namespace rubric
