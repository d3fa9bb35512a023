// rubric describe: the statistics of a data set.
#pragma once

#include <map>
#include <string>

#include "cli/command.h"
#include "cli/data/rationale_source.h"

namespace rubric::cli {

struct DescribeRequest {
  RationaleSourceRequest source;  // its kind is also "mocha", "r4c" or "rationales"
  std::string rest_name;

  void visit_fields(auto& field) {
    source.visit_fields(field);
    field("rest-name", rest_name, "the name of the split of examples that are not drawn");
  }
};
Result describe_data(const DescribeRequest& request, const Context& context);

std::map<std::string, std::string> listed_readers();  // {readers}

inline constexpr Command kDescribe = {
    .name = "describe",
    .summary = "a data set's statistics",
    .make_call = config::make_call<DescribeRequest, describe_data>,
    .listed = listed_readers,
    .is_step = true,
    .has_link = true};

}  // namespace rubric::cli
