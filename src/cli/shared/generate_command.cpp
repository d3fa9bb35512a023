#include "cli/shared/generate_command.h"

namespace rubric::cli {

namespace po = boost::program_options;

CommandSyntax generate_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric generate --model MODEL --input FILE --output FILE [options]\n\n"
      "Adds to every row what the model makes of its source, as \"generated\": the most probable\n"
      "next token again and again, unless --beams or --do-sample says otherwise; with\n"
      "--candidates the most probable of the texts that the row gives. Rows are written as they\n"
      "are done, in the order of the input; started again after a stop, the same call resumes.\n"
      "Several processes share the work as docs/distributed.md says.";
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](int64_t otherwise) {
    return po::value<int64_t>()->default_value(otherwise)->value_name("N");
  };
  const auto real = [] { return po::value<double>()->value_name("X"); };
  syntax.options.add_options()("model", text("MODEL")->required(), "model directory, or name")(
      "input,i", text("FILE")->required(), "rows with source")(
      "output,o", text("FILE")->required(), "the same rows with generated, as JSON lines")(
      "max-new-tokens", po::value<int64_t>()->value_name("N"),
      "longest text; else what the model was trained for, or 128")(
      "batch", number(16), "rows computed at once")("beams", number(1), "beam search with so many")(
      "length-penalty", real(),
      "of beams, default 1: a text's score is its "
      "log-probability / tokens ^ X")(
      "early-stopping", text("WHEN"),
      "of beams: no (default), yes or never, as transformers' False, True and \"never\"")(
      "do-sample", "draws tokens instead of taking the most probable")(
      "temperature", real(), "of samples: logits are divided by it; default 1")(
      "top-k", po::value<int64_t>()->value_name("N"),
      "of samples: of the N most probable tokens; default all")(
      "top-p", real(), "of samples: of the most probable with this much together; default 1")(
      "seed", number(0), "of samples")(
      "candidates", text("FIELD"),
      "choose among the texts in this field of a row, by their mean log-probability")(
      "given", text("TEMPLATE"),
      "of candidates: what precedes them in the target, such as '{rationale} [answer]'")(
      "source", text("TEMPLATE"),
      "what a source is made of, such as '{question} {passage}'; else as the model was trained, "
      "or {source}")("output-field", text("NAME"),
                     "what the field of the texts is called; default generated")(
      "decoder-start", text("HOW"),
      "model, or last-input for the source's last token; else as the model was trained")(
      "no-source-eos", "sources without the end-of-sequence token")(
      "field", po::value<std::vector<std::string>>()->value_name("OURS=THEIRS"),
      "the file's own name of a field, such as source=question; may be repeated")(
      "limit", number(0), "only the first N rows; 0: all")("threads", number(0),
                                                           "CPU threads; 0: one for each core");
  add_input_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  syntax.models = {"model"};
  syntax.resumes = true;
  syntax.renamed = {{"sample", "do-sample"}};
  return syntax;
}

}  // namespace rubric::cli
