// rubric prepare: a configuration's data into the token store, ahead of training.

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/train_setup.h"
#include "core/log.h"
#include "data/lerc_data.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric prepare --config FILE [--set a.b=v]…\n\n"
      "Tokenises the data of a training configuration into its token store. train does the same\n"
      "when the store is missing; preparing first lets several jobs start from one store.";
  syntax.options.add_options()("config", po::value<std::string>()->value_name("FILE")->required(),
                               "as for train")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "overrides one key of the configuration; may be repeated");
  return syntax;
}

}  // namespace

int run_prepare(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(syntax(), arguments);
  if (!values) return kDone;
  std::vector<std::string> overrides;
  if (values->contains("set")) overrides = (*values)["set"].as<std::vector<std::string>>();
  const auto [config, encoder] = read_train_setup(file_option(*values, "config"), overrides, "");
  const LercData data = load_lerc_data(config, WordPiece::from_directory(encoder));
  log_info(describe(data));
  return kDone;
}

}  // namespace rubric
