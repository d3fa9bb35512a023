// Documents that have several rows: lm-evaluation-harness logs one for each filter and repeat of a
// document, and a file of several systems has an answer of each. A mean over rows counts such a
// document several times, so this is said before one is printed.
//
// Rows are of one document if they have the same id, passage, question and references. Rows of one
// id with others are of different documents, as where the samples of several tasks, which number
// their documents from 0, stand in one file. Where no id is repeated, rows of the same question and
// texts are of one document if a field names another system, run or seed in each. A row that is
// equal to an earlier one in every field is a copy of it, and no further row of a document.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

struct RepeatedDocuments {
  std::string copies;    // on rows that are equal to an earlier one; "": none
  std::string repeated;  // on documents with several rows; "": none
  std::string tasks;     // on ids of several documents; "": none
};

// `rows` are those of the answers, whose fields may tell the rows of a document apart: constituent,
// source, system, model, run, sample, seed and the like, else any field of texts whose values
// return from document to document.
RepeatedDocuments repeated_documents(std::span<const Answer> answers, std::span<const Json> rows);

}  // namespace rubric::data
