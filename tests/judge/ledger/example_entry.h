// A ledger's entry for tests.
#pragma once

#include <string>

#include "core/hash.h"
#include "judge/ledger/writer.h"

namespace rubric {

inline constexpr const char* kReply = "1. Agree\n2. Disagree\n3. Disagree\n4. Agree";

inline judge::LedgerEntry example_entry(const std::string& system, const std::string& id,
                                        const std::string& reply = kReply,
                                        const judge::LedgerJudge& judge = {
                                            "gpt", "Judge!", R"({"temperature": 0.2})"}) {
  judge::LedgerEntry entry;
  entry.key = sha256(system + id);
  entry.answer.id = id;
  entry.answer.source = system;
  entry.answer.question = "How many?";
  entry.answer.references = {"308 points"};
  entry.answer.candidate = "It is 308.";
  entry.language = "en";
  entry.judge = judge.judge;
  entry.parameters = judge.parameters;
  entry.passage_hash = sha256("They gave up 308 points.");
  entry.prompt_hash = judge.prompt.empty() ? "" : sha256(judge.prompt);
  entry.reply = reply;
  return entry;
}

// A pair of which A is "308." and B "It is 308 points, the fewest.", asked in one order.
inline judge::LedgerEntry example_pair(const std::string& system, const std::string& id,
                                       judge::AnswerOrder order, const std::string& reply) {
  judge::LedgerEntry entry = example_entry(system, id, reply);
  entry.key = sha256(system + id + (order == judge::AnswerOrder::ab ? "AB" : "BA"));
  entry.answer.references.clear();
  entry.answer.candidate = "308.";
  entry.other = "It is 308 points, the fewest.";
  entry.order = order;
  return entry;
}

}  // namespace rubric
