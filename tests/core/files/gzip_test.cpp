#include "core/files/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "core/files/files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::gzip_test {

struct GzipFiles : testing::Test {
  std::string packed(const std::string& content) const {
    const std::string path = folder_.file("f.gz");
    const gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path;
  }
  static std::string read_lines(const std::string& path) {
    GzipReader reader(path, "fetch it");
    std::string all;
    for (std::string_view line; reader.next_line(line);) all += "[" + std::string(line) + "]";
    return all;
  }
  TemporaryFolder folder_;
};

TEST_F(GzipFiles, AreReadInBytesAndInLines) {
  const std::string path = packed("one\n\ntwo");
  EXPECT_EQ(read_lines(path), "[one\n][\n][two]");
  GzipReader reader(path, "");
  char bytes[16];
  EXPECT_EQ(reader.read(bytes, 4), 4u);
  EXPECT_EQ(reader.read(bytes, sizeof(bytes)), 4u);
  EXPECT_EQ(reader.read(bytes, sizeof(bytes)), 0u);
  EXPECT_EQ(std::string(bytes, 4), "\ntwo");
  EXPECT_EQ(reader.packed_size(), std::filesystem::file_size(path));
}

TEST_F(GzipFiles, ArePackedAndUnpackedWhole) {
  std::string large;
  for (int i = 0; i < 50'000; ++i) large += std::to_string(i * 7919 % 10'007);
  for (const std::string& bytes : {std::string(), std::string("a"), large}) {
    EXPECT_EQ(gunzip(gzip(bytes), "f.gz"), bytes);
    EXPECT_EQ(gunzip(read_file(packed(bytes)), "f.gz"), bytes);
  }
  EXPECT_EQ(gunzip(gzip("one ") + gzip("two"), "f.gz"), "one two");  // as `cat a.gz b.gz` makes
  EXPECT_EQ(gunzip(gzip("one") + std::string(512, '\0'), "f.gz"),
            "one");  // padded, as zcat reads it
}

TEST_F(GzipFiles, DamageOfTheWholeIsNamed) {
  const std::string good = gzip(std::string(1000, 'x') + "y");
  const auto error = [](const std::string& bytes) {
    return input_error([&] { gunzip(bytes, "f.gz"); });
  };
  for (size_t size = 0; size < good.size(); ++size) {
    expect_contains(error(good.substr(0, size)), "truncated");
  }
  for (const size_t place : {size_t{0}, good.size() / 2, good.size() - 6, good.size() - 1}) {
    std::string damaged = good;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
    EXPECT_NE(error(damaged), "accepted") << place;
  }
  expect_contains(error(good + "more"), "damaged");
  expect_contains(error(good), "accepted");
}

TEST_F(GzipFiles, WhatUnpacksToFarMoreIsRefused) {
  constexpr size_t kMegabyte = size_t{1} << 20;
  const std::string zeros = gzip(std::string(128 * kMegabyte, '\0'));  // some 1,000 times its size
  EXPECT_EQ(gunzip(zeros, "f.gz").size(), 128 * kMegabyte);
  expect_contains(input_error([&] { gunzip(zeros + zeros + zeros, "f.gz"); }), "over 200 times");
}

TEST_F(GzipFiles, DamageIsNamed) {
  const std::string path = packed(std::string(1000, 'x') + "\ny\n");
  const std::string good = read_file(path);
  const auto error = [&](const std::string& bytes) {
    folder_.write("f.gz", bytes);
    return input_error([&] { read_lines(path); });
  };
  EXPECT_EQ(error(good), "accepted");
  expect_contains(error("plain"), "not packed by gzip");
  for (size_t size = 11; size < good.size(); ++size) {
    EXPECT_NE(error(good.substr(0, size)), "accepted") << size;
  }
  const std::string message = error(good.substr(0, good.size() - 1));
  for (const std::string& part :
       {std::string("damaged or truncated"), path, std::string("fetch it")}) {
    expect_contains(message, part);
  }
  expect_contains(input_error([&] { read_lines(packed(std::string(1 << 15, 'x'))); }),
                  "a line is too long");
  for (const std::string& zero : {std::string("a\0b\nc\n", 6), std::string("a\0b", 3)}) {
    expect_contains(input_error([&] { read_lines(packed(zero)); }), "a line has a byte of 0");
  }
  expect_contains(input_error([&] { read_lines(folder_.file("none")); }), "no such file");
}

}  // namespace rubric::gzip_test
