// Models made of models without training: a smaller one, and the mean of several.
#pragma once

#include "data/model_files/derived_model.h"
#include "rubric/context.h"

namespace rubric::models {

// Copies a model directory to the output, which appears whole or not at all, with the matrices of
// its weights in 8 bits (models/weights/int8_weights.h), and makes the folders above it. It lists
// the questions that the model lists and those of the files. Throws InputError as read_weights()
// does, for a broken config.json, when the output exists, for a file that is not read as answers or
// has no question, and for files with a model that has no card to say so.
void quantize_model(const data::QuantizeRequest& request, const Context& context = {});

// Makes a model directory whose weights are the means of those of the models, as quantize_model()
// does (Wortsman et al. 2022, "Model soups": trained from one model on the same rows, they score
// about as their mean score does). Its card is the models' without seed, validation and threshold,
// and it lists the questions that any of them lists; a warning names those that list none. The mean
// of one is a copy. Throws InputError for models of other files, of cards that differ in more than
// these three, of tensors of other names, shapes or types, and with a network that reads features,
// which is another one in each training.
void average_models(const data::AverageRequest& request, const Context& context = {});

}  // namespace rubric::models
