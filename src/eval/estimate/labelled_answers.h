// How a request becomes answers with scores and labels: shared by estimate(), plan() and
// choose().
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/estimate/estimate.h"
#include "eval/signature.h"
#include "rubric/estimate.h"

namespace rubric::eval {

// Throws InputError for fields that contradict each other, no file, and a page that would replace
// what is read.
void check_labelled_request(const EstimateRequest& request);

// Throws InputError for a page of `choose` in place of the labels that it saves.
void require_no_page(const std::filesystem::path& labels);

// Names the columns of the draw in `request` where the labels are a sheet of `choose` and it names
// none. Throws InputError as join_labels() does, and for two files in each other's place.
eval::LabelledAnswers read_labelled_answers(EstimateRequest& request);

// The files' part of a signature, "all:3f9a…|labels:…": the start of the SHA-256 of each.
std::string hashes_of_files(const EstimateRequest& request);

// "estimate|human:verdict|metric:f1|all:3f9a…|labels:…|system:…": what is read, and how.
Signature labelled_signature(const std::string& command, const EstimateRequest& request,
                             const std::vector<std::string>& metrics, const std::string& hashes);

// The files that are read: all answers, and the labels where these are in a file of their own.
std::vector<std::string> files_of(const EstimateRequest& request);

}  // namespace rubric::eval
