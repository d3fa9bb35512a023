// Imports learned metrics that were published as checkpoints of PyTorch Lightning.
#pragma once

#include "data/model_files/derived_model.h"

namespace rubric::metrics {

// Converts a checkpoint of COMET or AlignScore to a model directory, which appears whole or not at
// all. The checkpoint names the encoder, such as xlm-roberta-large, whose configuration and
// tokenizer it lacks: that is looked up as models are. Throws InputError when the checkpoint is
// missing, unsafe or damaged, is of a kind that is not supported, or does not fit the encoder.
void import_checkpoint(const data::ImportRequest& request);

}  // namespace rubric::metrics
