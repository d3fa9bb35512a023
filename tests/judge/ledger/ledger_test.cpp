// The ledger: what is written comes back, a torn line goes, what does not belong is refused.
#include "judge/ledger/ledger.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "judge/ledger/example_entry.h"
#include "judge/ledger/writer.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::judge::ledger_test {

const LedgerJudge kJudge = {"gpt", "Judge!", R"({"temperature": 0.2})"};

struct LedgerTest : testing::Test {
  void append(const std::vector<LedgerEntry>& entries, const LedgerJudge& judge = kJudge) {
    LedgerWriter writer(file_, judge);
    writer.append(entries);
  }
  // Why a ledger of this content cannot be read.
  std::string refusal(const std::string& content) {
    write_file(file_, content);
    return input_error([&] { read_ledger(file_); });
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("ledger.jsonl");
};

// Of a file that is no ledger nothing is taken off, though its last line looks torn.
TEST_F(LedgerTest, AFileOfSomethingElseIsLeftAlone) {
  for (const std::string content : {"my notes", "{\"id\": 1, ", "id,reply\n1,x"}) {
    write_file(file_, content);
    expect_contains(input_error([&] { append({example_entry("llama", "q1")}); }), file_ + ":1");
    EXPECT_EQ(read_file(file_), content);
  }
  expect_contains(refusal("my notes"), "not a line of a ledger");
}

TEST_F(LedgerTest, GivesBackWhatWasWritten) {
  LedgerEntry full = example_entry("llama", "q1");
  full.answer.references = {"308", "three hundred"};
  full.attempt = 2;
  full.finish_reason = "stop";
  full.usage = TokenUsage{300, 40};
  full.time = "2024-06-01T12:00:00Z";
  const LedgerEntry bare = example_entry("llama", "q2", "a reply\nof \"no\" verdicts \u0e04");
  append({full});
  append({bare});
  const Ledger ledger = read_ledger(file_);
  EXPECT_EQ(ledger.sha256, sha256_file(file_));
  ASSERT_EQ(ledger.entries.size(), 2u);
  EXPECT_EQ(to_json(ledger.entries[0]).dump(), to_json(full).dump());
  EXPECT_EQ(to_json(ledger.entries[1]).dump(), to_json(bare).dump());
  EXPECT_EQ(ledger.entries[0].usage->completion, 40);
  EXPECT_EQ(ledger.entries[1].reply, bare.reply);
  EXPECT_EQ(ledger.entries[0].parameters, kJudge.parameters);
}

TEST_F(LedgerTest, GivesBackPairsInTheirOrder) {
  const LedgerEntry entries[] = {example_pair("C vs CH", "q1", AnswerOrder::ab, "A"),
                                 example_pair("C vs CH", "q1", AnswerOrder::ba, "A"),
                                 example_pair("C vs CH", "q2", AnswerOrder::ba, "Both")};
  append({std::begin(entries), std::end(entries)});
  const Ledger ledger = read_ledger(file_);
  ASSERT_EQ(ledger.entries.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(to_json(ledger.entries[i]).dump(), to_json(entries[i]).dump());
    EXPECT_EQ(ledger.entries[i].order, entries[i].order);
    EXPECT_EQ(ledger.entries[i].other, entries[i].other);
  }
  const Json swapped = to_json(entries[1]), invalid = to_json(entries[2]);
  EXPECT_EQ(swapped.find("order")->string(), "BA");
  EXPECT_EQ(swapped.find("preference")->string(), "B");  // the answer shown first
  EXPECT_EQ(swapped.find("reference"), nullptr);
  EXPECT_EQ(swapped.find("verdicts"), nullptr);
  EXPECT_TRUE(invalid.find("invalid")->boolean());
  EXPECT_EQ(invalid.find("preference"), nullptr);
}

TEST_F(LedgerTest, PairsOfNoOrderAreRefused) {
  append({example_pair("C vs CH", "q1", AnswerOrder::ab, "A")});
  const std::string first = read_file(file_);
  const auto refused = [&](const char* field, const Json& value) {
    Json line = to_json(example_pair("C vs CH", "q2", AnswerOrder::ab, "A"));
    line[field] = value;
    return refusal(first + line.dump() + "\n");
  };
  expect_says(refused("order", "ab"), {"the field \"order\" is \"ab\"", file_ + ":2"});
  expect_contains(refused("order", 1), "\"order\"");
  expect_contains(refused("other", Json()), "\"other\"");
}

TEST_F(LedgerTest, HasThePromptOnceAndTheVerdictsOfEachReply) {
  append({example_entry("llama", "q1"), example_entry("llama", "q2", "no verdicts")});
  LineReader lines(file_);
  std::string line;
  ASSERT_TRUE(lines.next(line));
  const Json first = Json::parse(line, "first");
  EXPECT_EQ(first.find("prompt")->string(), "Judge!");
  EXPECT_EQ(first.find("verdicts")->dump(), R"({"C": true, "H": false, "I": false, "E": true})");
  EXPECT_EQ(first.find("invalid"), nullptr);
  ASSERT_TRUE(lines.next(line));
  const Json second = Json::parse(line, "second");
  EXPECT_EQ(second.find("prompt"), nullptr);
  EXPECT_EQ(second.find("verdicts"), nullptr);
  EXPECT_TRUE(second.find("invalid")->boolean());
}

// Wherever a killed process stopped, the lines before stay, and what is appended is whole.
TEST_F(LedgerTest, ATornLastLineIsTakenOff) {
  append({example_entry("llama", "q1"), example_entry("llama", "q2")});
  const std::string whole = read_file(file_);
  const size_t second = whole.find('\n') + 1;
  for (size_t size = second; size <= whole.size(); size += size + 8 < whole.size() ? 7 : 1) {
    write_file(file_, whole.substr(0, size));
    const bool is_there = size + 1 >= whole.size();  // all but the end of the line, at least
    EXPECT_EQ(read_ledger(file_).entries.size(), is_there ? 2u : 1u) << size;
    EXPECT_EQ(read_file(file_).size(), size) << "reading changed the file";
    {
      LedgerWriter writer(file_, kJudge);
      EXPECT_EQ(writer.before().judgements.size(), is_there ? 2u : 1u) << size;
      if (!is_there) writer.append(std::vector{example_entry("llama", "q2")});
    }
    EXPECT_EQ(read_file(file_), whole) << size;
  }
}

// A judge that starts takes the torn line off while another command reads.
TEST_F(LedgerTest, ATornLineMayGoWhileTheLedgerIsRead) {
  append({example_entry("llama", "q1")});
  const auto whole = std::filesystem::file_size(file_);
  write_file(file_, read_file(file_) + "{\"key\": \"" + std::string(1 << 20, 'x'));
  int64_t entries = 0;
  visit_ledger(file_, LedgerMix::refused, [&](const LedgerEntry&, int64_t) {
    ++entries;
    std::filesystem::resize_file(file_, whole);
  });
  EXPECT_EQ(entries, 1);
}

// A ledger that stays behind without a reply would look like one of a judge that ran.
TEST_F(LedgerTest, AWriterWithoutAReplyLeavesNoFile) {
  { const LedgerWriter writer(file_, kJudge); }
  EXPECT_FALSE(std::filesystem::exists(file_));
  write_file(file_, "");  // somebody else's
  { const LedgerWriter writer(file_, kJudge); }
  EXPECT_TRUE(std::filesystem::exists(file_));
  append({example_entry("llama", "q1")});
  const std::string whole = read_file(file_);
  { const LedgerWriter writer(file_, kJudge); }
  EXPECT_EQ(read_file(file_), whole);
}

TEST_F(LedgerTest, ATornFirstLineLeavesAnEmptyLedger) {
  append({example_entry("llama", "q1")});
  const std::string whole = read_file(file_);
  write_file(file_, whole.substr(0, whole.size() / 2));
  append({example_entry("llama", "q1")});
  EXPECT_EQ(read_file(file_), whole);  // the prompt is there again
}

TEST_F(LedgerTest, AnotherJudgeOrPromptIsRefused) {
  append({example_entry("llama", "q1")});
  const std::string before = read_file(file_);
  const auto refused = [&](const LedgerJudge& judge) {
    return input_error([&] { LedgerWriter(file_, judge); });
  };
  const std::string& parameters = kJudge.parameters;
  expect_contains(refused({"gemini", "Judge!", parameters}),
                  "with another judge: gpt there, gemini now");
  expect_contains(refused({"gpt", "Judge?", parameters}), "with another prompt: ");
  expect_contains(refused({"gpt", "", parameters}), "unknown now");
  expect_contains(refused({"gpt", "Judge!", "{}"}),
                  "with other parameters: {\"temperature\": 0.2} there, {} now");
  EXPECT_EQ(read_file(file_), before);
}

TEST_F(LedgerTest, MixedLinesAreRefused) {
  const std::string first = [&] {
    append({example_entry("llama", "q1")});
    return read_file(file_);
  }();
  const auto line = [](const LedgerEntry& entry) { return to_json(entry).dump() + "\n"; };
  const std::string other_judge = refusal(
      first + line(example_entry("llama", "q2", kReply, {"gemini", "Judge!", kJudge.parameters})));
  expect_says(other_judge,
              {"has gpt, the prompt ", "this one has gemini, the prompt ", file_ + ":2"});
  expect_contains(refusal(first + line(example_entry("llama", "q2", kReply, {"gpt", "", ""}))),
                  "this one has gpt, an unknown prompt and unknown parameters");
  expect_contains(refusal(first + line(example_entry("llama", "q1"))),
                  "attempt 1 at id \"q1\" of llama occurs twice");
  EXPECT_EQ(refusal(first + line(example_entry("sea-lion", "q1"))), "accepted");
}

// Of a mix one judge and prompt can be chosen.
TEST_F(LedgerTest, OfAMixOneJudgeIsChosen) {
  const LedgerJudge others[] = {{"gemini", "Judge!", "{}"}, {"gpt", "Judge?", kJudge.parameters}};
  append({example_entry("llama", "q1")});
  for (const LedgerJudge& other : others) {
    LedgerWriter(file_, other, LedgerMix::allowed)
        .append(std::vector{example_entry("llama", "q1", "x", other)});
  }
  EXPECT_EQ(read_ledger_of(file_, {"gemini", "", ""}).entries.size(), 1u);
  EXPECT_EQ(read_ledger_of(file_, {"", "", "{}"}).entries.size(), 1u);
  EXPECT_EQ(read_ledger_of(file_, {"gpt", sha256("Judge!").substr(0, 8), ""}).entries.at(0).reply,
            kReply);
  EXPECT_EQ(read_ledger_of(file_, {"", sha256("Judge?"), ""}).entries.at(0).reply, "x");
  expect_contains(input_error([&] {
                    read_ledger_of(file_, {"gpt", "", ""});
                  }),
                  "still of several judges: gpt, the prompt ");
  expect_contains(input_error([&] {
                    read_ledger_of(file_, {"claude", "", ""});
                  }),
                  "holds nothing of this judge");
}

TEST_F(LedgerTest, DamagedLinesAreRefused) {
  append({example_entry("llama", "q1")});
  const std::string first = read_file(file_);
  const std::string second = to_json(example_entry("llama", "q2")).dump() + "\n";
  expect_contains(refusal(first + second.substr(0, 40) + "\n"), file_ + ":2");
  expect_contains(refusal(first + second.substr(0, 40) + "\n" + second), file_ + ":2");
  expect_contains(refusal(first + "\n" + second), file_ + ":2");
  expect_contains(refusal(first + "{}\n"), "\"key\"");
  expect_contains(refusal(first + "{}"), "\"key\"");
  std::string other_prompt = first;
  other_prompt.replace(other_prompt.find("Judge!"), 6, "Judge?");
  expect_contains(refusal(other_prompt), "the prompt is not the one that prompt_hash names");
  Json no_attempt = to_json(example_entry("llama", "q2"));
  no_attempt["attempt"] = 0;
  expect_contains(refusal(first + no_attempt.dump() + "\n"), "\"attempt\" is 0");
}

TEST_F(LedgerTest, OneProcessWritesAtATime) {
  const LedgerWriter first(file_, kJudge);
  expect_contains(input_error([&] { LedgerWriter(file_, kJudge); }), "another process is writing");
}

// Writers without a reply remove their file, which another may just have opened.
TEST_F(LedgerTest, WhatIsWrittenIsInTheFileOfThatName) {
  constexpr int kTimes = 2000;
  std::atomic<bool> is_done = false;
  std::thread others([&] {
    while (!is_done) input_error([&] { LedgerWriter(file_, kJudge); });
  });
  int written = 0, lost = 0;
  while (written < kTimes) {
    input_error([&] {
      LedgerWriter writer(file_, kJudge);
      writer.append(std::vector{example_entry("llama", "q1")});
      ++written;
      lost += std::filesystem::exists(file_) && !read_file(file_).empty() ? 0 : 1;
      std::filesystem::remove(file_);
    });
  }
  is_done = true;
  others.join();
  EXPECT_EQ(lost, 0);
}

TEST_F(LedgerTest, WantsAFile) {
  expect_contains(input_error([&] { LedgerWriter(folder_.path(), kJudge); }), "not a regular file");
  expect_contains(input_error([&] { LedgerWriter("/dev/null", kJudge); }), "not a regular file");
}

}  // namespace rubric::judge::ledger_test
