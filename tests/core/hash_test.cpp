#include "core/hash.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::hash_test {

// The examples of FIPS 180-4 (NIST, "SHA-256 examples") and the digest of nothing.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfPiecesIsThatOfTheWhole) {
  Sha256 hash;
  for (const char* piece : {"a", "", "bc"}) hash.add(piece);
  EXPECT_EQ(hash.digits(), sha256("abc"));
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n", 5);
  EXPECT_EQ(sha256_file(folder.write("bytes", bytes)), sha256(bytes));
  EXPECT_EQ(sha256_file(folder.write("empty", "")), sha256(""));
  EXPECT_EQ(short_sha256_file(folder.write("abc", "abc")), "ba7816bf8f01");
  expect_contains(input_error([&] { sha256_file(folder.path() / "none"); }), "no such file");
}

}  // namespace rubric::hash_test
