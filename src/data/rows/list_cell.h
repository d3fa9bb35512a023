// Lists in the cells of tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::data {

// The items of a cell that holds a list of texts, perhaps with numbers among them, as JSON writes
// it (["a", "b"]) or as Python does (['a', "b's"]), which pandas puts into a table; nullopt for any
// other text, such as "[0, 1]", which may be an interval. Numbers become their digits. Throws
// InputError with `where` for a text that begins like a list of texts, with [" or [', but is not a
// list (a list that is cut off, an array of numpy, which has no commas, or one that holds None or
// another list), and for what Python writes of other collections of texts: ('a', 'b'),
// {'text': ['a']}, array(['a']).
std::optional<std::vector<std::string>> parse_list_cell(std::string_view text,
                                                        const std::string& where);

}  // namespace rubric::data
