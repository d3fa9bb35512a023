// One function for each suite of `evaluate`; arguments without its name.
#pragma once

#include <string>
#include <vector>

namespace rubric {

int run_evaluate_agreement(const std::vector<std::string>& arguments);
int run_evaluate_chie(const std::vector<std::string>& arguments);
int run_evaluate_gaps(const std::vector<std::string>& arguments);
int run_evaluate_mocha(const std::vector<std::string>& arguments);
int run_evaluate_preference(const std::vector<std::string>& arguments);
int run_evaluate_r4c(const std::vector<std::string>& arguments);
int run_evaluate_rev(const std::vector<std::string>& arguments);

}  // namespace rubric
