// The published LERC, an archive of AllenNLP, as a model directory.
#pragma once

#include <filesystem>

namespace rubric {

// Makes the folder `output`, whole or not at all, of `archive`: a model.tar.gz with config.json and
// weights.th. Such an archive has neither the encoder's configuration nor its vocabulary: the
// authors' code is fixed to bert-base-uncased, whose folder is `encoder`. Throws InputError when
// the archive is unsafe or damaged, holds another kind of model, or does not fit the encoder.
void import_allennlp_lerc(const std::filesystem::path& archive,
                          const std::filesystem::path& encoder,
                          const std::filesystem::path& output);

}  // namespace rubric
