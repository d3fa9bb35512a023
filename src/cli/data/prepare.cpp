// rubric prepare: writes a configuration's data into the token store before training.
#include "cli/data/prepare.h"

#include <filesystem>
#include <iostream>

#include "cli/shared/options.h"
#include "core/system/log.h"
#include "data/tasks/list.h"
#include "library/train_setup.h"
#include "train/settings/lerc_data.h"

namespace rubric::cli {

CommandSyntax prepare_syntax() {
  CommandSyntax syntax;
  add_config_options(syntax);
  return syntax;
}

int run_prepare(const std::vector<std::string>& arguments) {
  const std::optional<OptionValues> values = parse_options(prepare_syntax(), arguments);
  if (!values) return kDone;
  const auto [config, encoder] =
      library::read_train_setup(config_option(*values), list_option(*values, "set"));
  if (!data::require_task(config.task).keeps_token_store) {
    throw InputError("the task " + config.task + " keeps no token store", "task",
                     "run train directly: it tokenises its rows itself");
  }
  if (config.data.store.empty()) {
    throw InputError("there is no token store to prepare", "data.store is empty",
                     "name a folder with --set data.store=DIR");
  }
  const train::LercData data = train::load_lerc_data(config, *text::open_tokenizer(encoder));
  log_info(train::describe(data));
  std::cout << "token store: " << std::filesystem::absolute(config.data.store).string() << "\n";
  return kDone;
}

}  // namespace rubric::cli
