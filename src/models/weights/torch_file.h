// The records of a zip archive as torch.save writes it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace rubric {

// Every record of the archive `bytes`, as a view of it, by name without the folder that all records
// lie in. Views may overlap. Throws InputError naming `file` when the archive is damaged, a record
// is compressed (torch.save never does that) or a name occurs twice.
std::map<std::string, std::string_view> read_zip_records(std::string_view bytes,
                                                         const std::string& file);

}  // namespace rubric
