// Lists in the cells of tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::data {

// The items of a cell that holds a list of texts, perhaps with numbers among them, as JSON writes
// it (["a", "b"]) or as Python does (['a', "b's"]), which pandas puts into a table; nullopt for any
// other text, such as "[0, 1]", which may be an interval. Numbers become their digits, and objects
// their member "text": [{'text': 'a', 'answer_start': 1}] is ["a"]. Throws InputError with `where`
// for a text that begins with [" or [', or is in brackets and has an item that is quoted or
// missing, but is not a list (a list that is cut off, an array of numpy, which has no commas, or
// one that holds None, bytes or another list), and for what Python writes of other collections of
// texts: ('a', 'b'), {'text': ['a']}, array(['a']).
std::optional<std::vector<std::string>> parse_list_cell(std::string_view text,
                                                        const std::string& where);

}  // namespace rubric::data
