#include "cli/run_on_ranks.h"

#include <filesystem>

#include <torch/version.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/version.h"
#include "distributed/together.h"
#include "eval/report.h"

namespace rubric {

int run_on_ranks(const std::string& command, const std::vector<std::string>& arguments,
                 const std::function<void(const Ranks&)>& work) {
  const Ranks ranks(read_launch());
  if (!ranks.is_main()) {
    set_quiet(true);
    set_warnings(false);
  }
  try {
    together(ranks, [&] {
      Json facts;
      facts["the program's version"] =
          std::string("rubric ") + kVersion + " with libtorch " + TORCH_VERSION;
      facts["the command"] = shell_command("rubric " + command, arguments);
      require_agreement(ranks, facts);
      work(ranks);
      return true;
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
