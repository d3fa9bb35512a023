// Which replies of a judge's ledger count, and how they are read.
#pragma once

#include <string>

namespace rubric {

auto& visit_parser(auto& field, std::string& parser) {
  return field("parser", parser,
               "how replies are read: published, as the authors' code reads them, or strict, by "
               "aspect; without it judge takes published, and other commands the parser of each "
               "reply in the ledger")
      .choices({"published", "strict"});
}

// The replies of a ledger that count, and how they are read. A field that is "" takes the value
// that all replies share.
struct JudgeChoice {
  std::string judge = {};        // the model
  std::string prompt_hash = {};  // how the hash of its prompt begins
  std::string parameters = {};   // a JSON object
  // "published" or "strict", for all replies; "": each by the parser that the ledger names for it.
  std::string parser = {};

  void visit_fields(auto& field) {
    visit_ledger_fields(field);
    visit_parser(field, parser).only_with("ledger");
  }
  void visit_ledger_fields(auto& field) {  // those that choose replies
    field("judge", judge, "whose replies, where the ledger has several judges")
        .named("MODEL")
        .only_with("ledger");
    field("prompt-hash", prompt_hash,
          "how the prompt's hash begins, where the ledger has several prompts")
        .named("DIGITS")
        .only_with("ledger");
    field("parameters", parameters, "which parameters, where the ledger has several")
        .named("JSON")
        .only_with("ledger");
  }
};

}  // namespace rubric
