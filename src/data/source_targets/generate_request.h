// What `generate` is asked for (metrics/neural/generation.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "rubric/row_format.h"
#include "text/chat_template.h"

namespace rubric::data {

// When a beam search with as many finished texts as beams ends (transformers' early_stopping).
enum class EarlyStopping {
  no,    // when the best unfinished text, at its current length, scores no better than the worst of
         // them
  yes,   // immediately
  never  // when the unfinished text could not score better at any length
};

struct GenerateRequest {
  std::string model;
  std::filesystem::path input, output;
  std::optional<int64_t> max_new_tokens;
  int64_t batch = 32;
  int64_t beams = 1;
  std::optional<double> length_penalty;
  std::optional<EarlyStopping> early_stopping;
  bool samples = false;
  std::optional<double> temperature, top_p;
  std::optional<int64_t> top_k;
  std::optional<uint64_t> seed;
  std::string candidates;  // the field of the texts to choose from; "": generate
  std::string given, source;
  std::string chat_template = "none";
  std::string output_field = "generated";
  std::string decoder_start;  // "": as the model was trained
  bool without_source_eos = false;
  bool int8 = false;  // weights of 8 bits
  int64_t limit = 0;  // 0: all
  int64_t threads = 0;
  RowFormat row_format;

  void visit_fields(auto& field) {
    constexpr int64_t kMost = int64_t{1} << 40;
    field("model", model, "model directory, name or GGUF file").model().required();
    field("input", input, "rows with source").input().short_as('i').required();
    field("output", output, "the same rows with generated, as JSON lines")
        .output()
        .json_lines()
        .short_as('o')
        .required();
    field("max-new-tokens", max_new_tokens,
          "most tokens of a text; else as many as the model was trained for, or 128")
        .range(1, 1 << 20);
    field("batch", batch, "rows that are computed together").range(1, 1 << 20).without_effect();
    field("beams", beams, "number of beams of a beam search").range(1, 1000);
    field("length-penalty", length_penalty,
          "with --beams, default 1: a text's score is its log-probability / tokens ^ X")
        .between(-100, 100)
        .only_with("beams");
    field("early-stopping", early_stopping,
          "with --beams: no (default), yes or never, as transformers' False, True and \"never\"")
        .named("WHEN")
        .choices({"no", "yes", "never"})
        .only_with("beams");
    field("do-sample", samples, "draws tokens instead of taking the most probable");
    field("temperature", temperature, "with --do-sample: divides the logits; default 1")
        .between(1e-3, 1e3)
        .only_with("do-sample");
    field("top-k", top_k, "with --do-sample: draws among the N most probable tokens; default all")
        .range(1, kMost)
        .only_with("do-sample");
    field("top-p", top_p,
          "with --do-sample: draws among the fewest most probable tokens whose probabilities add "
          "up to X; default 1")
        .between(0, 1)
        .only_with("do-sample");
    field("seed", seed, "with --do-sample: another seed, other texts; default 0")
        .range(0, kMost)
        .only_with("do-sample");
    field("candidates", candidates,
          "choose among the texts in this field of a row, by their mean log-probability")
        .named("FIELD");
    field("given", given,
          "with --candidates: what precedes them in the target, such as '{rationale} [answer]'")
        .named("TEMPLATE")
        .only_with("candidates");
    field("source", source,
          "the template of a source, such as '{question} {passage}'; else as the model was "
          "trained, or {source}")
        .named("TEMPLATE");
    field(
        "chat-template", chat_template,
        "makes a source a user's message: by the model's own chat template (auto) or by that of a "
        "family")
        .named("FAMILY")
        .choices(text::chat_template_choices());
    field("output-field", output_field, "the name of the field for the texts");
    field("decoder-start", decoder_start,
          "model, or last-input for the source's last token; else as the model was trained")
        .named("HOW")
        .choices({"model", "last-input"});
    field("no-source-eos", without_source_eos, "sources without the end-of-sequence token");
    field("int8", int8, "computes with weights of 8 bits, faster; some texts become others");
    field("field", row_format.fields,
          "the file's own name of a field, such as source=question; may be repeated");
    field("limit", limit, "only the first N rows; 0: all").range(0, kMost);
    field("threads", threads, "CPU threads; 0: one for each core").range(0, 4096).without_effect();
    row_format.visit_file_fields(field);
  }
};

}  // namespace rubric::data
