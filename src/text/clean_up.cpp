#include "text/clean_up.h"

#include <string_view>

namespace rubric {
namespace {

void replace_all(std::string_view old, std::string_view replacement, std::string& text) {
  std::string result;
  size_t done = 0;
  for (size_t found = text.find(old); found != std::string::npos; found = text.find(old, done)) {
    result.append(text, done, found - done);
    result += replacement;
    done = found + old.size();
  }
  if (done == 0) return;
  result.append(text, done);
  text = std::move(result);
}

}  // namespace

void clean_up_spaces(std::string& text) {
  for (const std::string_view mark : {" .", " ?", " !", " ,"}) {
    replace_all(mark, mark.substr(1), text);
  }
  replace_all(" ' ", "'", text);
  for (const std::string_view ending : {" n't", " 'm", " 's", " 've", " 're"}) {
    replace_all(ending, ending.substr(1), text);
  }
}

}  // namespace rubric
