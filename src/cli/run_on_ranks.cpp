#include "cli/run_on_ranks.h"

#include <filesystem>

#include <torch/version.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/signals.h"
#include "core/version.h"
#include "distributed/together.h"
#include "eval/report.h"

namespace rubric {
namespace {

// In seconds: rank 0 computes light metrics alone, and nobody knows for how long. A rank that is
// lost is seen at once all the same.
constexpr int64_t kLongestWork = 24 * 3600;

}  // namespace

Ranks join_ranks() {
  const Launch launch = read_launch();
  if (launch.rank > 0) {
    set_quiet(true);
    set_warnings(false);
  }
  exit_on_stop_signals();
  return Ranks(launch);
}

Json version_facts() {
  Json facts;
  facts["the program's version"] =
      std::string("rubric ") + kVersion + " with libtorch " + TORCH_VERSION;
  facts["the SHA-256 of the program"] = sha256_file("/proc/self/exe");
  return facts;
}

int run_on_ranks(const std::string& command, const std::vector<std::string>& arguments,
                 const std::function<void(const Ranks&)>& work) {
  const Ranks ranks = join_ranks();
  catch_stop_signals();
  ranks.set_timeout(kLongestWork);
  try {
    together(ranks, [&] {
      Json facts = version_facts();
      facts["the command"] = shell_command("rubric " + command, arguments);
      require_agreement(ranks, facts);
      work(ranks);
    });
  } catch (const Interrupted&) {
    if (ranks.is_main()) throw;  // who says so
    return kInterrupted;
  }
  return kDone;
}

void require_same_input(const Ranks& ranks, const std::string& file) {
  if (ranks.size() == 1) return;
  const std::string hash = together(ranks, [&] {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      throw InputError("no file, which each of several processes can read", file,
                       "name a file, or start one process");
    }
    return sha256_file(file);
  });
  Json facts;
  facts["the SHA-256 of --input"] = hash;
  require_agreement(ranks, facts);
}

}  // namespace rubric
