#include <cmath>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "core/random.h"
#include "data/rows/example_rows.h"
#include "data/tokens/tokenized_answers.h"
#include "messages.h"
#include "small_disk.h"
#include "temporary_folder.h"

// HDF5 1.10 itself leaks a little when a file is damaged.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}

namespace rubric::data::token_store_test {

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

TEST(TokenStore, HoldsTheFeaturesOfEachRow) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.h5";
  TokenizedAnswers answers = example_rows(3);
  answers.tokens.features = {0.1F, 0.25F, 0, 1, 0.5F, 0.75F};
  write_token_store(file, answers, "hash");
  EXPECT_EQ(read_token_store(file).tokens.features, answers.tokens.features);
  EXPECT_TRUE(contents(read_token_store(file)) == contents(answers));
}

// A store of twenty rows, and copies of it that are damaged.
struct DamagedStore : testing::Test {
  DamagedStore() : answers_(example_rows(20)) {
    write_token_store(whole_, answers_, "hash");
    bytes_ = read_file(whole_);
  }

  // Whether a file of these bytes is refused; else it must hold rows that can be computed with.
  bool is_refused(const std::string& bytes) const {
    std::ofstream(damaged_, std::ios::binary) << bytes;  // far faster than an AtomicFile
    try {
      const TokenizedAnswers read = read_token_store(damaged_);
      EXPECT_EQ(read.tokens.offsets.back(), std::ssize(read.tokens.ids));
      EXPECT_EQ(read.tokens.segments.size(), read.tokens.ids.size());
      return false;
    } catch (const InputError& error) {
      expect_contains(error.what(), damaged_.string());
      return true;
    }
  }

  static uint64_t bits(uint64_t purpose, uint64_t i) {
    return random_bits(purpose, Purpose::initialise, i);
  }

  TemporaryFolder folder_;
  fs::path whole_ = folder_.path() / "whole.h5", damaged_ = folder_.path() / "damaged.h5";
  TokenizedAnswers answers_;
  std::string bytes_;
};

TEST_F(DamagedStore, CutShortIsRefused) {
  for (size_t size = 0; size < bytes_.size(); size += 61) {
    EXPECT_TRUE(is_refused(bytes_.substr(0, size))) << size;
  }
  EXPECT_TRUE(is_refused(bytes_.substr(0, bytes_.size() - 1)));
  EXPECT_TRUE(is_refused(bytes_ + " "));
}

TEST_F(DamagedStore, FlippedBitsAreNoticed) {
  for (uint64_t i = 0; i < 500; ++i) {
    std::string flipped = bytes_;
    char& byte = flipped[below(bits(2, i), flipped.size())];
    byte = static_cast<char>(byte ^ (1 << (bits(2, i) % 8)));
    EXPECT_TRUE(is_refused(flipped)) << i;
  }
}

// Whoever makes a hostile file can seal it too: then sizes, offsets and values are all there is to
// check.
TEST_F(DamagedStore, UnderAValidSealIsNoCrash) {
  constexpr size_t kSealSize = 512;
  int refused = 0;
  for (uint64_t i = 0; i < 500; ++i) {
    std::string damaged = bytes_.substr(kSealSize);
    damaged[below(bits(3, i), damaged.size())] =
        static_cast<char>(bits(3, i) % 2 == 0 ? 0xFF : bits(3, i) >> 8);
    std::string seal = "rubric token store\nsha256 " + sha256(damaged) + "\n";
    seal.resize(kSealSize, '\0');
    refused += is_refused(seal + damaged) ? 1 : 0;
  }
  EXPECT_GT(refused, 50);
}

TEST(TokenStore, ValuesThatNoTokeniserGivesAreRefused) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.h5";
  const auto problem = [&](const std::function<void(TokenizedAnswers&)>& spoil) {
    TokenizedAnswers answers = example_rows(5);
    spoil(answers);
    write_token_store(file, answers, "hash");
    return input_error([&] { read_token_store(file); });
  };
  EXPECT_EQ(problem([](TokenizedAnswers&) {}), "accepted");
  for (const double label : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    expect_contains(problem([&](TokenizedAnswers& answers) { answers.labels[3] = label; }),
                    "a score is not finite");
  }
  for (const double feature : {std::nan(""), HUGE_VAL}) {
    expect_contains(problem([&](TokenizedAnswers& answers) {
                      answers.tokens.features.assign(5, static_cast<float>(feature));
                    }),
                    "a feature is not finite");
  }
  expect_contains(problem([](TokenizedAnswers& answers) { answers.tokens.features.assign(7, 0); }),
                  "the data sets do not fit each other");
  for (const int64_t segment : {-1, 2}) {
    expect_contains(problem([&](TokenizedAnswers& a) { a.tokens.segments.back() = segment; }),
                    "a mark is neither 0 nor 1");
  }
  expect_contains(problem([](TokenizedAnswers& answers) { answers.truncated[0] = 2; }),
                  "a mark is neither 0 nor 1");
  expect_contains(problem([](TokenizedAnswers& answers) { answers.same_answer[1] = 2; }),
                  "a mark is neither 0 nor 1");
  expect_contains(problem([](TokenizedAnswers& answers) { answers.same_answer[0] = 1; }),
                  "the first row belongs to no answer");
  expect_contains(problem([](TokenizedAnswers& answers) { answers.ids[2] = "\xFF"; }),
                  "ids are not UTF-8");
  expect_contains(problem([](TokenizedAnswers& answers) { answers.tokens.ids[0] = -1; }),
                  "a token is negative");
  for (const size_t row : {size_t{0}, size_t{4}}) {
    expect_contains(problem([&](TokenizedAnswers& answers) {
                      auto& offsets = answers.tokens.offsets;  // all of the row goes to another
                      row == 0 ? offsets[1] = 0 : offsets[4] = offsets[5];
                    }),
                    "a row is empty");
  }
}

TEST(TokenStore, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([&] { read_token_store(folder.write("a.h5", "text")); }),
            error_lines("not a usable token store: it is damaged, or rubric did not write it",
                        (folder.path() / "a.h5").string(),
                        "delete it; it is made again from its source"));
  expect_contains(input_error([&] { read_token_store(folder.path() / "none.h5"); }),
                  "no such file");
}

TEST(TokenStore, AFullDiskLeavesNothing) {
  const SmallDisk disk;
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
    expect_says(error.what(), {"cannot write: No such file or directory", file.string()});
  }
}

}  // namespace rubric::data::token_store_test
