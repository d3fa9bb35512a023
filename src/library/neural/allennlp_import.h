// Imports the published LERC.
#pragma once

#include <filesystem>

namespace rubric::library {

// Converts `archive`, AllenNLP's model.tar.gz with config.json and weights.th, to the model
// directory `output`, which appears whole or not at all. The archive has neither the encoder's
// configuration nor its vocabulary: the authors' code is fixed to bert-base-uncased, whose
// directory is `encoder`. Throws InputError when the archive is unsafe or damaged, holds another
// kind of model, or does not fit the encoder.
void import_allennlp_lerc(const std::filesystem::path& archive,
                          const std::filesystem::path& encoder,
                          const std::filesystem::path& output);

}  // namespace rubric::library
