// `list`.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cli/command.h"

namespace rubric::cli {

struct ListRequest {
  std::string kind;  // "": the kinds
  bool json = false, markdown = false;
  std::filesystem::path man;

  void visit_fields(auto& field) {
    field("kind", kind, "also without its name").named("KIND").positional();
    field("json", json, "everything that is known, as JSON");
    field("markdown", markdown, "all kinds, as docs/lists.md has them");
    field("man", man, "writes the manual pages of all commands into this folder").folder();
  }
};
void list(const ListRequest& request, const Context& context);

std::map<std::string, std::string> listed_kinds();  // {kinds}

inline constexpr Command kList = {
    .name = "list",
    .summary = "lists metrics, models, readers, tasks, suites or commands",
    .make_call = config::make_call<ListRequest, list>,
    .listed = listed_kinds};

}  // namespace rubric::cli
