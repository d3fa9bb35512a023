#include "metrics/meteor/paraphrase_index.h"

#include <cstdlib>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "messages.h"
#include "metrics/meteor/meteor_folder.h"

namespace rubric::metrics::paraphrase_index_test {

namespace fs = std::filesystem;

// "LENGTH: PARAPHRASE" of all that `text`, words of the table, begins with.
std::vector<std::string> paraphrases(const ParaphraseIndex& index,
                                     const std::vector<std::string>& words,
                                     const std::vector<std::string>& vocabulary) {
  std::vector<int32_t> numbers;
  for (const std::string& word : words) numbers.push_back(index.word(word));
  std::vector<ParaphraseIndex::Found> found;
  index.find(numbers, found);
  std::vector<std::string> list;
  for (const auto& [length, units] : found) {
    for (size_t i = 0; i < units.size(); i += units[i] + 1u) {
      std::string text = std::to_string(length) + ":";
      for (size_t j = 1; j <= units[i]; ++j) {
        for (const std::string& word : vocabulary) {
          if (index.word(word) == units[i + j]) text += " " + word;
        }
      }
      list.push_back(text);
    }
  }
  return list;
}

void write_table(const fs::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

const std::string kTable =
    "0.5\na b\nc\n0.1\na\nb a\n0.2\nb\na\n0.3\na b\nb a c\n0.1\na\na c\n0.1\na b c\na\n";

struct ParaphraseIndexTest : testing::Test {
  ParaphraseIndexTest() { write_table(table_, kTable); }

  void expect_works() const {
    const ParaphraseIndex index(table_);
    EXPECT_EQ(paraphrases(index, {"a", "b", "x"}, {"a", "b", "c"}),
              (std::vector<std::string>{"1: b a", "1: a c", "2: c", "2: b a c"}));
  }

  TemporaryFolder folder_;
  fs::path table_ = folder_.path() / "t.gz", index_ = folder_.path() / "t.gz.index";
};

TEST_F(ParaphraseIndexTest, FindsParaphrasesInTheTablesOrder) {
  const ParaphraseIndex index(table_);
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(paraphrases(index, {"a", "b", "c"}, words),
            (std::vector<std::string>{"1: b a", "1: a c", "2: c", "2: b a c", "3: a"}));
  EXPECT_EQ(paraphrases(index, {"b", "a"}, words), std::vector<std::string>{"1: a"});
  EXPECT_TRUE(paraphrases(index, {"c"}, words).empty());
  EXPECT_TRUE(paraphrases(index, {"x", "a"}, words).empty());
  EXPECT_TRUE(paraphrases(index, {}, words).empty());
  EXPECT_EQ(index.word("x"), -1);
  EXPECT_EQ(index.word_count(), 3u);
}

TEST_F(ParaphraseIndexTest, IsMadeOnce) {
  expect_works();
  const std::string made = read_file(index_);
  const auto time = fs::last_write_time(index_);
  expect_works();
  EXPECT_EQ(fs::last_write_time(index_), time);
  EXPECT_EQ(read_file(index_), made);
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"t.gz", "t.gz.index"}));
}

TEST_F(ParaphraseIndexTest, IsMadeAgainWhenAnyByteIsDamaged) {
  expect_works();
  const std::string good = read_file(index_);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    write_file(index_, bad);
    const ParaphraseIndex index(table_);
    ASSERT_EQ(read_file(index_), good) << "byte " << i;
  }
}

TEST_F(ParaphraseIndexTest, IsMadeAgainWhenItIsCutOrAnotherFile) {
  expect_works();
  const std::string good = read_file(index_);
  for (const std::string& bad : {std::string(), good.substr(0, 50), good.substr(0, 112),
                                 good.substr(0, good.size() - 1), good + "x", kTable}) {
    write_file(index_, bad);
    expect_works();
    EXPECT_EQ(read_file(index_), good);
  }
}

TEST_F(ParaphraseIndexTest, IsMadeAgainForAnotherTable) {
  expect_works();
  std::string other = kTable;
  other.replace(other.find("\na b\nc\n"), 7, "\na b\nb\n");
  write_table(table_, other);
  const ParaphraseIndex index(table_);
  EXPECT_EQ(paraphrases(index, {"a", "b"}, {"a", "b", "c"})[2], "2: b");
}

// A table beside which nobody, root included, can make a file, by its path among the open files of
// this process; and a cache of the test's own.
struct ReadOnlyTableTest : ParaphraseIndexTest {
  ReadOnlyTableTest() : descriptor_(open(table_.c_str(), O_RDONLY | O_CLOEXEC)) {
    table_ = "/proc/self/fd/" + std::to_string(descriptor_);
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
  }
  ~ReadOnlyTableTest() override {
    unsetenv("XDG_CACHE_HOME");
    close(descriptor_);
  }

  TemporaryFolder cache_;
  int descriptor_;
};

TEST_F(ReadOnlyTableTest, IsMadeOnceInTheUsersCache) {
  expect_works();
  const std::vector<fs::path> made(fs::directory_iterator(cache_.path() / "rubric"), {});
  ASSERT_EQ(made.size(), 1u);
  const auto time = fs::last_write_time(made[0]);
  expect_works();
  EXPECT_EQ(fs::last_write_time(made[0]), time);
  write_file(made[0], "damaged");
  expect_works();
  EXPECT_GT(fs::file_size(made[0]), 7u);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"t.gz"});
}

TEST_F(ReadOnlyTableTest, NeverNamesAnIndexThatIsNotWhole) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([this] { expect_works(); });
  for (std::thread& thread : threads) thread.join();
  const fs::directory_iterator files(cache_.path() / "rubric");
  EXPECT_EQ(std::distance(fs::begin(files), fs::end(files)), 1);
}

TEST_F(ReadOnlyTableTest, SaysWhenThereIsNoCacheEither) {
  write_file(cache_.path() / "file", "");
  setenv("XDG_CACHE_HOME", (cache_.path() / "file").c_str(), 1);
  const std::string message = input_error([&] { const ParaphraseIndex index(table_); });
  expect_contains(message, "cannot write the index of METEOR's paraphrases");
  expect_contains(message, (cache_.path() / "file" / "rubric").string());
  expect_contains(message, "set XDG_CACHE_HOME to a writable directory");
}

TEST_F(ParaphraseIndexTest, DamagedTablesAreNamed) {
  const std::string good = read_file(table_);
  const auto message = [&] { return input_error([&] { const ParaphraseIndex index(table_); }); };
  write_file(table_, good.substr(0, good.size() - 9));
  expect_contains(message(), "the gzip file is damaged");
  write_file(table_, "");
  expect_contains(message(), "the gzip file is damaged");
  write_file(table_, kTable);
  expect_contains(message(), "not packed by gzip");
  write_table(table_, "0.5\na b\n");
  EXPECT_EQ(message(), error_lines("an entry ends before its paraphrase", table_.string() + ":2",
                                   "run scripts/setup --meteor"));
  write_table(table_, "0.5\na b\nc\n0.1");
  expect_contains(message(), "an entry ends before its phrase");
  write_table(table_, "0.5\n\nc\n");
  expect_contains(message(), "a phrase of no word");
  write_table(table_, "0.5\n" + std::string(20000, 'a') + "\nc\n");
  expect_contains(message(), "a line is too long");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"t.gz"});
}

}  // namespace rubric::metrics::paraphrase_index_test
