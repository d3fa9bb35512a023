#include "distributed/collective.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "core/json/json.h"

namespace rubric::distributed {

namespace {

enum Kind : char { kNone = '-', kError = 'e', kInputError = 'i', kInterruption = 's' };

std::exception_ptr make_problem(char kind, const std::string& what) {
  if (kind == kInputError) return std::make_exception_ptr(InputError(what));
  if (kind == kInterruption) return std::make_exception_ptr(Interrupted(what));
  return std::make_exception_ptr(Error(what));
}

// The kind of the problem as one character, followed by its message.
std::string serialize(const std::exception_ptr& problem) {
  if (!problem) return {kNone};
  try {
    std::rethrow_exception(problem);
  } catch (const InputError& error) {
    return std::string{kInputError} + error.what();
  } catch (const Interrupted& error) {
    return std::string{kInterruption} + error.what();
  } catch (const c10::Error& error) {
    return std::string{kError} + error.what_without_backtrace();
  } catch (const std::exception& error) {
    return std::string{kError} + error.what();
  }
}

// What throw_collectively() threw last in this thread: all ranks know this problem.
thread_local std::exception_ptr known_problem;

bool is_lost_rank(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const LostRank&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::string name_of(size_t rank) {
  return "rank " + std::to_string(rank);
}

std::string value_of(const Json& facts, const std::string& key) {
  const Json* const value = facts.find(key);
  return value != nullptr ? value->string() : "missing";
}

void require_equal(const std::vector<std::string>& texts) {
  const Json expected = Json::parse(texts[0], name_of(0));
  for (size_t rank = 1; rank < texts.size(); ++rank) {
    const Json facts = Json::parse(texts[rank], name_of(rank));
    std::set<std::string> keys;
    for (const auto& [key, value] : expected.object()) keys.insert(key);
    for (const auto& [key, value] : facts.object()) keys.insert(key);
    for (const std::string& key : keys) {
      if (value_of(facts, key) == value_of(expected, key)) continue;
      throw InputError("the ranks do not agree: " + key + " is " + value_of(expected, key) +
                           " on rank 0 and " + value_of(facts, key) + " on " + name_of(rank),
                       "", "start the same command, with the same data, on every rank");
    }
  }
}

}  // namespace

void throw_collectively(const Ranks& ranks, const std::exception_ptr& problem) {
  if (problem && (problem == known_problem || is_lost_rank(problem))) {
    std::rethrow_exception(problem);
  }
  const std::vector<std::string> all = ranks.all_gather(serialize(problem));
  const auto first = std::ranges::find_if(all, [](const auto& text) { return text[0] != kNone; });
  if (first == all.end()) return;
  const auto failed = static_cast<size_t>(first - all.begin());
  if (!ranks.is_main()) {
    known_problem =
        make_problem((*first)[0], name_of(0) + " says why all ranks end\n  to do: see its message");
  } else if (failed == 0) {
    known_problem = problem;
  } else {
    known_problem = make_problem((*first)[0], name_of(failed) + ": " + first->substr(1));
  }
  std::rethrow_exception(known_problem);
}

void run_on_all_ranks(const Ranks& ranks, const std::function<void()>& work) {
  run_on_all_ranks(ranks, [&] {
    work();
    return true;
  });
}

int64_t broadcast_from_main(const Ranks& ranks, const std::function<int64_t()>& work) {
  const int64_t number = run_on_all_ranks(ranks, [&] { return ranks.is_main() ? work() : 0; });
  return std::stoll(ranks.broadcast(std::to_string(number)));
}

void require_agreement(const Ranks& ranks, const Json& facts) {
  throw_collectively(ranks, nullptr);
  const std::vector<std::string> texts = ranks.all_gather(facts.dump());
  run_on_all_ranks(ranks, [&] { require_equal(texts); });
}

at::Tensor gather_shares(const Ranks& ranks, at::IntArrayRef shape,
                         const std::function<at::Tensor(WorkShare)>& compute) {
  const at::Tensor values = run_on_all_ranks(ranks, [&] {
    const at::Tensor mine = compute({ranks.rank(), ranks.size()});
    TORCH_CHECK(mine.scalar_type() == at::kFloat, "ranks share float32 alone");
    return mine.numel() > 0 ? mine : at::zeros(shape);
  });
  // Each element is one rank's value plus zeros. Summed as integers, so that -0 and NaN keep their
  // bits.
  ranks.all_reduce_sum(values.view(at::kInt));
  return values;
}

std::vector<std::string> gather_shares(
    const Ranks& ranks, const std::function<std::vector<std::string>(WorkShare)>& compute) {
  std::vector<std::string> texts;
  const std::string mine = run_on_all_ranks(ranks, [&] {
    texts = compute({ranks.rank(), ranks.size()});
    return Json(Json::Array(texts.begin(), texts.end())).dump();
  });
  for (const std::string& share : ranks.all_gather(mine)) {
    const Json others = Json::parse(share, "the texts of a rank");
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].empty()) texts[i] = others.array()[i].string();
    }
  }
  return texts;
}

}  // namespace rubric::distributed
