// Helpers for the text of errors (rubric/errors.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rubric/errors.h"

namespace rubric {

// Returns the candidate closest to `name` in edit distance, or "" when none is close enough: within
// two letters or a third of `name`, and less than half of the longer (of two letters one). Case,
// hyphens and underscores do not count, unless two are equally close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// Makes an error to throw: "there is no KIND called NAME", with the nearest of `choices`, or with
// those that differ from it in case, hyphens and underscores, or begin with it. `aliases` are other
// names of choices, each with its choice, for where none is near.
InputError unknown_name(const std::string& kind, const std::string& name,
                        const std::vector<std::string>& choices, const std::string& where = "",
                        const std::vector<std::pair<std::string, std::string>>& aliases = {});

// Makes an error to throw: the file has no rows.
InputError no_rows(const std::filesystem::path& file);

// The parts of an error on one line: "what; where: …; to do: …".
std::string one_line(const Error& error);

// A count with its noun, for messages: "1 question", "3 questions". `several` is what stands for
// `one` where there are others than one; "": `one` with an s, of "reply" "replies". Both may go on
// with the verb: counted(n, "question has", "questions have").
std::string counted(int64_t count, std::string_view one, std::string_view several = "");

// Lists names for messages: "a, b, c".
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

// Adds a text to a list that lacks it.
void add_once(const std::string& text, std::vector<std::string>& texts);

// As join(), but lists at most ten names and then says how many there are in all.
std::string join_some(std::vector<std::string> parts, std::string_view separator = ", ");

}  // namespace rubric
