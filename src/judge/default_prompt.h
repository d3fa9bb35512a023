// The prompts that come with rubric, in its own words.
#pragma once

#include <filesystem>

namespace rubric {

// CHIE's four criteria and the form of the reply; of which of two answers is better. Files that
// read_judge_prompt() takes, beside the program, built or installed. Throws InputError when they
// are not there.
std::filesystem::path default_judge_prompt();
std::filesystem::path default_preference_prompt();

}  // namespace rubric
