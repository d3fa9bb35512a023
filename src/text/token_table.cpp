#include "text/token_table.h"

namespace rubric {

TokenTable::TokenTable(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens) {
  for (size_t i = 0; i < vocabulary.count(); ++i) add(vocabulary.token(i), vocabulary.id(i));
  for (const AddedToken& token : added_tokens) {
    add(token.content, token.id);
    is_added_[static_cast<size_t>(token.id)] = true;
    is_special_[static_cast<size_t>(token.id)] = token.special;
  }
}

void TokenTable::add(std::string_view token, int32_t id) {
  const auto row = static_cast<size_t>(id);
  if (row >= index_.size()) {
    index_.resize(row + 1, -1);
    is_added_.resize(row + 1, false);
    is_special_.resize(row + 1, false);
  }
  const auto index = static_cast<int32_t>(by_text_.count());
  if (by_text_.add(token, id)) index_[row] = index;
}

TokenTable::Entry TokenTable::entry(int64_t id) const {
  if (id < 0 || id >= static_cast<int64_t>(index_.size())) return {};
  const auto row = static_cast<size_t>(id);
  if (index_[row] < 0) return {};
  return {by_text_.token(static_cast<size_t>(index_[row])), is_added_[row], is_special_[row]};
}

}  // namespace rubric
