// JSON pointers (RFC 6901): "/constituents/drop/pearson" leads to one value of a document.
#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace rubric {

// Throws InputError at `where` when `pointer` is none or leads nowhere: how far it leads, and the
// nearest name there.
const Json& at_pointer(const Json& document, std::string_view pointer, const std::string& where);

// `name` as one part of a pointer: "~" and "/" escaped.
std::string pointer_part(std::string_view name);

}  // namespace rubric
