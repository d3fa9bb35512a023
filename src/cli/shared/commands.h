// One function for each command; arguments without program and command name.
#pragma once

#include <string>
#include <vector>

namespace rubric {

int run_compare(const std::vector<std::string>& arguments);
int run_derive(const std::vector<std::string>& arguments);
int run_describe(const std::vector<std::string>& arguments);
int run_evaluate(const std::vector<std::string>& arguments);
int run_generate(const std::vector<std::string>& arguments);
int run_import(const std::vector<std::string>& arguments);
int run_judge(const std::vector<std::string>& arguments);
int run_prepare(const std::vector<std::string>& arguments);
int run_reproduce(const std::vector<std::string>& arguments);
int run_score(const std::vector<std::string>& arguments);  // one in each program
int run_split(const std::vector<std::string>& arguments);
int run_train(const std::vector<std::string>& arguments);

}  // namespace rubric
