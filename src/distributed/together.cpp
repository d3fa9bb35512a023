#include "distributed/together.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"

namespace rubric {
namespace {

enum Kind : char { kNone = '-', kError = 'e', kInputError = 'i', kInterruption = 's' };

[[noreturn]] void throw_as(char kind, const std::string& what) {
  if (kind == kInputError) throw InputError(what);
  if (kind == kInterruption) throw Interrupted(what);
  throw Error(what);
}

// The kind of a problem, and what it says.
std::string described(const std::exception_ptr& problem) {
  if (!problem) return {kNone};
  try {
    std::rethrow_exception(problem);
  } catch (const InputError& error) {
    return std::string{kInputError} + error.what();
  } catch (const Interrupted& error) {
    return std::string{kInterruption} + error.what();
  } catch (const std::exception& error) {
    return std::string{kError} + error.what();
  }
}

std::string name_of(size_t rank) {
  return "rank " + std::to_string(rank);
}

void require_equal(const std::vector<std::string>& texts) {
  const Json expected = Json::parse(texts[0], name_of(0));
  for (size_t rank = 1; rank < texts.size(); ++rank) {
    const Json facts = Json::parse(texts[rank], name_of(rank));
    for (const auto& [key, value] : expected.object()) {
      const Json* const other = facts.find(key);
      if (other != nullptr && other->string() == value.string()) continue;
      throw InputError("the ranks do not agree: " + key + " is " + value.string() +
                           " on rank 0 and " + (other ? other->string() : "missing") + " on " +
                           name_of(rank),
                       "", "start the same command, with the same data, on every rank");
    }
  }
}

}  // namespace

void end_together(const Ranks& ranks, const std::exception_ptr& problem) {
  const std::vector<std::string> all = ranks.exchange(described(problem));
  const auto first = std::ranges::find_if(all, [](const auto& text) { return text[0] != kNone; });
  if (first == all.end()) return;
  const auto failed = static_cast<size_t>(first - all.begin());
  if (!ranks.is_main()) throw_as((*first)[0], name_of(0) + " says why all ranks end");
  if (failed == 0) std::rethrow_exception(problem);
  throw_as((*first)[0], name_of(failed) + ": " + first->substr(1));
}

void require_agreement(const Ranks& ranks, const Json& facts) {
  const std::vector<std::string> texts = ranks.exchange(facts.dump());
  together(ranks, [&] {
    require_equal(texts);
    return true;
  });
}

}  // namespace rubric
