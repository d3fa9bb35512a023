#include "core/context.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/field_text.h"
#include "core/json/json.h"

namespace rubric {
namespace {

thread_local const Context* of_thread = nullptr;

// By our name what messages add, "" where files differ; of each scope that has read files, the
// innermost last.
using OwnFields = std::map<std::string, std::string>;
thread_local std::vector<std::pair<const Context*, OwnFields>> own_fields;

// Never destroyed: threads may log while the program ends.
Context& of_program() {
  static auto* const context = new Context();
  return *context;
}

}  // namespace

const Context& current_context() {
  return of_thread != nullptr ? *of_thread : of_program();
}

ContextScope::ContextScope(Context context) : context_(std::move(context)), outer_(of_thread) {
  of_thread = &context_;
}

ContextScope::~ContextScope() {
  if (!own_fields.empty() && own_fields.back().first == &context_) own_fields.pop_back();
  of_thread = outer_;
}

void set_field_names(const std::map<std::string, std::string>& names, bool is_table) {
  if (of_thread == nullptr) return;
  const bool is_first = own_fields.empty() || own_fields.back().first != of_thread;
  if (is_first) own_fields.emplace_back(of_thread, OwnFields());
  OwnFields& fields = own_fields.back().second;
  OwnFields added;
  for (const auto& [ours, theirs] : names) {
    if (ours == theirs) continue;
    added[ours] = std::string(is_table ? " (column " : " (field ") + json_quote(theirs) + ")";
  }
  if (!is_first) {
    for (auto& [ours, text] : fields) {
      if (!added.contains(ours) || added[ours] != text) text.clear();
    }
    for (auto& [ours, text] : added) {
      if (!fields.contains(ours)) text.clear();
    }
  }
  fields.merge(added);
}

std::string own_field(const std::string& ours) {
  if (own_fields.empty()) return "";
  const OwnFields& fields = own_fields.back().second;
  const auto found = fields.find(ours);
  return found == fields.end() ? "" : found->second;
}

void set_program_context(const Context& context) {
  of_program() = context;
}

bool is_stop_requested() {
  return current_context().cancellation.is_cancelled();
}

void end_if_stop_requested() {
  if (!is_stop_requested()) return;
  throw Interrupted("stopped on request");
}

}  // namespace rubric
