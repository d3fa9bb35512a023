// Imports the published LERC.
#pragma once

#include "data/model_files/derived_model.h"
#include "rubric/context.h"

namespace rubric::metrics {

// Converts the archive, AllenNLP's model.tar.gz with config.json and weights.th, to a model
// directory, which appears whole or not at all. The archive has neither the encoder's
// configuration nor its vocabulary: the authors' code is fixed to bert-base-uncased, whose
// directory is looked up. Throws InputError when the archive is missing, unsafe or damaged, holds
// another kind of model, or does not fit the encoder.
void import_model(const data::ImportRequest& request, const Context& context = {});

}  // namespace rubric::metrics
