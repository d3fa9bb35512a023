// The options of commands on answers with scores and a few labels: `estimate` and `plan`.
#pragma once

#include "cli/shared/options.h"
#include "rubric/estimate.h"

namespace rubric::cli {

// --all, --ledger, --labels, --human and how labels were drawn; --report.
void add_labelled_options(CommandSyntax& syntax);

// Without bootstrap and group.
EstimateRequest labelled_request(const OptionValues& values);

}  // namespace rubric::cli
