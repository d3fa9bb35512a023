#include "data/token_store.h"

#include <algorithm>
#include <fstream>
#include <tuple>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "core/log.h"
#include "core/random.h"
#include "messages.h"
#include "small_disk.h"
#include "temporary_folder.h"

// HDF5 1.10 itself leaks a little when a file is damaged.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}

namespace rubric {
namespace {

namespace fs = std::filesystem;

const std::string kFixtures = RUBRIC_FIXTURES;

// Rows of random tokens, some of them empty.
TokenizedAnswers example_rows(size_t count) {
  TokenizedAnswers answers;
  for (size_t row = 0; row < count; ++row) {
    const uint64_t bits = random_bits(1, Purpose::initialise, row);
    for (uint64_t i = 0; i < bits % 50; ++i) {
      answers.tokens.ids.push_back(static_cast<int64_t>(below(mix(bits + i), 30522)));
      answers.tokens.segments.push_back(i > 20 ? 1 : 0);
    }
    answers.tokens.offsets.push_back(std::ssize(answers.tokens.ids));
    answers.labels.push_back(uniform(bits) * 5);
    answers.ids.push_back(row == 1 ? "" : "é-" + std::to_string(row));
    answers.constituents.emplace_back(row % 2 == 0 ? "drop" : "my own");
    answers.cut.push_back(row % 3 == 0 ? 1 : 0);
  }
  return answers;
}

auto contents(const TokenizedAnswers& a) {
  return std::tie(a.tokens.ids, a.tokens.segments, a.tokens.offsets, a.labels, a.ids,
                  a.constituents, a.cut);
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(TokenStore, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.h5";
  for (const size_t rows : {size_t{0}, size_t{1}, size_t{500}}) {
    const TokenizedAnswers answers = example_rows(rows);
    write_token_store(file, answers, "hash");
    EXPECT_TRUE(contents(read_token_store(file)) == contents(answers)) << rows;
  }
  EXPECT_EQ(files_in(folder.path()), std::vector<fs::path>{file});
}

// A file of these bytes, without the time that flushing to disk takes.
fs::path written(const TemporaryFolder& folder, const std::string& bytes) {
  const fs::path file = folder.path() / "damaged.h5";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

// InputError, or the same data; anything else fails the test.
bool is_refused(const fs::path& file, const TokenizedAnswers& expected) {
  try {
    EXPECT_TRUE(contents(read_token_store(file)) == contents(expected));
    return false;
  } catch (const InputError& error) {
    expect_contains(error.what(), file.string());
    return true;
  }
}

TEST(TokenStore, TruncatedFilesAreRefused) {
  const TemporaryFolder folder;
  const TokenizedAnswers answers = example_rows(20);
  const fs::path whole = folder.path() / "whole.h5";
  write_token_store(whole, answers, "hash");
  const std::string bytes = read_file(whole);
  for (size_t size = 0; size < bytes.size(); size += 61) {
    EXPECT_TRUE(is_refused(written(folder, bytes.substr(0, size)), answers)) << size;
  }
  EXPECT_TRUE(is_refused(written(folder, bytes.substr(0, bytes.size() - 1)), answers));
  EXPECT_TRUE(is_refused(written(folder, bytes + " "), answers));
}

TEST(TokenStore, FlippedBitsAreNoticed) {
  const TemporaryFolder folder;
  const TokenizedAnswers answers = example_rows(20);
  const fs::path whole = folder.path() / "whole.h5";
  write_token_store(whole, answers, "hash");
  const std::string bytes = read_file(whole);
  for (uint64_t i = 0; i < 500; ++i) {
    std::string flipped = bytes;
    const uint64_t bits = random_bits(2, Purpose::initialise, i);
    char& byte = flipped[below(bits, flipped.size())];
    byte = static_cast<char>(byte ^ (1 << (bits % 8)));
    EXPECT_TRUE(is_refused(written(folder, flipped), answers)) << i;
  }
  EXPECT_EQ(files_in(folder.path()).size(), 2u);
}

// Whoever makes a hostile file can seal it too: then sizes and offsets are all there is to check.
TEST(TokenStore, DamageUnderAValidSealIsNoCrash) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "sealed.h5";
  write_token_store(file, example_rows(20), "hash");
  const std::string bytes = read_file(file);
  constexpr size_t kSealSize = 512;
  int refused = 0;
  for (uint64_t i = 0; i < 500; ++i) {
    std::string damaged = bytes.substr(kSealSize);
    const uint64_t bits = random_bits(3, Purpose::initialise, i);
    damaged[below(bits, damaged.size())] = static_cast<char>(bits % 2 == 0 ? 0xFF : bits >> 8);
    std::string seal = "rubric token store\nsha256 " + sha256(damaged) + "\n";
    seal.resize(kSealSize, '\0');
    try {
      const TokenizedAnswers read = read_token_store(written(folder, seal + damaged));
      EXPECT_EQ(read.tokens.offsets.back(), std::ssize(read.tokens.ids));
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(TokenStore, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([&] { read_token_store(folder.write("a.h5", "text")); }),
            error_lines("not a usable token store: it is damaged, or none of ours",
                        (folder.path() / "a.h5").string(),
                        "delete it; it is made again from its source"));
  expect_contains(input_error([&] { read_token_store(folder.path() / "none.h5"); }),
                  "no such file");
}

TEST(TokenStore, AFullDiskLeavesNothing) {
  const SmallDisk disk("64k");
  if (!disk.is_mounted()) GTEST_SKIP() << "no right to mount a small file system";
  const fs::path file = disk.path() / "store.h5";
  const TokenizedAnswers small = example_rows(20);
  write_token_store(file, small, "hash");
  for (const size_t rows : {400, 700, 5000}) {
    EXPECT_THROW(write_token_store(file, example_rows(rows), "hash"), Error) << rows;
    EXPECT_EQ(files_in(disk.path()), std::vector<fs::path>{file});
    EXPECT_TRUE(contents(read_token_store(file)) == contents(small));
  }
}

TEST(TokenStore, AFolderThatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "none" / "store.h5";
  try {
    write_token_store(file, example_rows(2), "hash");
    ADD_FAILURE() << "written";
  } catch (const Error& error) {
    expect_contains(error.what(), "cannot write: No such file or directory");
    expect_contains(error.what(), file.string());
  }
}

class StoredAnswers : public testing::Test {
 protected:
  StoredAnswers() { set_quiet(true); }
  ~StoredAnswers() override { set_quiet(false); }

  TokenizedAnswers stored(const AnswerTemplate& answer_template = {{"question", "candidate"}, 64},
                          const Augmentation& augmentation = {},
                          const std::string& tokenizer = "/lerc") const {
    return stored_answers(source_, store_, WordPiece::from_directory(kFixtures + tokenizer),
                          answer_template, augmentation);
  }

  TemporaryFolder folder_;
  fs::path source_ = folder_.write("train.json", R"({"drop": {
      "a": {"context": "rain", "question": "who", "reference": "r", "candidate": "c", "score": 5},
      "b": {"context": "rain", "question": "why", "reference": "s", "candidate": "d", "score": 2}
      }})");
  fs::path store_ = folder_.path() / "made" / "store";
};

TEST_F(StoredAnswers, AreMadeOnceAndReadAfterwards) {
  const TokenizedAnswers made = stored();
  ASSERT_EQ(files_in(store_).size(), 1u);
  EXPECT_TRUE(contents(stored()) == contents(made));
  // What another program put there is what is read.
  const TokenizedAnswers other = example_rows(3);
  write_token_store(files_in(store_)[0], other, "hash");
  EXPECT_TRUE(contents(stored()) == contents(other));
  EXPECT_EQ(files_in(store_).size(), 1u);
}

TEST_F(StoredAnswers, EachInputHasItsOwnFile) {
  stored();
  stored({{"candidate", "question"}, 64});
  stored({{"question", "candidate"}, 63});
  stored({{"question", "candidate"}, 64}, {.identity = true, .swap = false});
  stored({{"question", "candidate"}, 64}, {.identity = false, .swap = true});
  stored({{"question", "candidate"}, 64}, {}, "/tokenizer/cased");
  EXPECT_EQ(files_in(store_).size(), 6u);
  folder_.write("train.json", read_file(source_) + "\n");
  stored();
  EXPECT_EQ(files_in(store_).size(), 7u);
}

TEST_F(StoredAnswers, AreTheAugmentedRowsOfTheSource) {
  const TokenizedAnswers rows =
      stored({{"question", "candidate"}, 64}, {.identity = true, .swap = true});
  EXPECT_EQ(rows.ids,
            (std::vector<std::string>{"a", "b", "a#identity", "a#swapped", "b#identity"}));
  EXPECT_EQ(rows.labels, (std::vector<double>{5, 2, 5, 5, 5}));
}

TEST_F(StoredAnswers, WithoutAFolderNothingIsWritten) {
  const TokenizedAnswers made = stored();
  store_.clear();
  EXPECT_TRUE(contents(stored()) == contents(made));
}

TEST_F(StoredAnswers, AFolderThatCannotBeMadeIsAnInputError) {
  store_ = source_ / "store";
  EXPECT_EQ(input_error([&] { stored(); }),
            error_lines("cannot make the folder of the token store: Not a directory",
                        store_.string(), "set data.store to another folder"));
}

}  // namespace
}  // namespace rubric
