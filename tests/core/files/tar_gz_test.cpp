#include <cstdio>
#include <random>

#include <gtest/gtest.h>
#include <zlib.h>

#include "core/files/gzip.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::tar_gz_test {

using Names = std::vector<std::string>;

struct Member {
  std::string path, content;
  char type = '0';
  std::string prefix = "", target = "";
};

std::string octal(uint64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%0*llo", digits, static_cast<unsigned long long>(number));
  return text;
}

// One member as POSIX has it: a header of 512 bytes, and the content in blocks of as many.
std::string tar_member(const Member& member) {
  std::string header(512, '\0');
  header.replace(0, member.path.size(), member.path);
  header.replace(100, 7, "0000644");
  header.replace(124, 11, octal(member.content.size(), 11));
  header.replace(148, 8, "        ");
  header[156] = member.type;
  header.replace(157, member.target.size(), member.target);
  header.replace(257, 8,
                 std::string("ustar\0"
                             "00",
                             8));
  header.replace(345, member.prefix.size(), member.prefix);
  uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  header.replace(148, 7, octal(sum, 6) + '\0');
  return header + member.content + std::string((512 - member.content.size() % 512) % 512, '\0');
}

std::string tar(const std::vector<Member>& members) {
  std::string bytes;
  for (const Member& member : members) bytes += tar_member(member);
  return bytes + std::string(1024, '\0');
}

struct TarGz : testing::Test {
  // The unpacked files' names, or the message.
  std::string unpack_packed(const std::string& packed) const {
    const auto archive = folder_.write("model.tar.gz", packed);
    std::filesystem::remove_all(out_);
    std::filesystem::create_directory(out_);
    return input_error([&] { unpack_tar_gz(archive, {"config.json", "weights.th"}, out_); });
  }
  std::string pack(const std::string& bytes) const {
    const std::string file = folder_.file("packed");
    gzFile packed = gzopen(file.c_str(), "wb");
    gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(packed);
    return read_file(file);
  }
  std::string unpack(const std::vector<Member>& members) const {
    return unpack_packed(pack(tar(members)));
  }
  // With what every archive needs before the member.
  std::string unpack_with(const Member& member) const {
    return unpack({{"config.json", "{}"}, {"weights.th", "w"}, member});
  }

  TemporaryFolder folder_;
  std::filesystem::path out_ = folder_.path() / "out";
};

TEST_F(TarGz, UnpacksWhatIsWantedAlone) {
  const std::string weights(3000, 'w');
  EXPECT_EQ(unpack({{"./config.json", "{}"},
                    {"vocabulary/", "", '5'},
                    {"pax", "28 mtime=1600000000.5000000\n", 'x'},
                    {"vocabulary/config.json", "another"},
                    {"weights.th", weights}}),
            "accepted");
  EXPECT_EQ(read_file(out_ / "config.json"), "{}");
  EXPECT_EQ(read_file(out_ / "weights.th"), weights);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out_), {}), 2);
}

// Only what is wanted is written, wherever other entries lead.
TEST_F(TarGz, PassesOverPathsThatLeadOut) {
  for (const char* path : {"/etc/x", "../x", "a/../../config.json", "vocabulary/.."}) {
    EXPECT_EQ(unpack_with({path, "x"}), "accepted") << path;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out_), {}), 2) << path;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x")) << path;
  }
  EXPECT_EQ(unpack({{"config.json", "{}"}, {"weights.th", "w"}, {"x", "", '2'}}), "accepted");
}

TEST_F(TarGz, RefusesWhatIsNoFile) {
  for (const char type : {'1', '2', '3', '4', '6'}) {
    expect_contains(unpack({{"config.json", "{}"}, {"weights.th", "", type}}),
                    "\"weights.th\" is a link or a device");
    expect_contains(unpack_with({"weights.th", "", type, "", "a/../x"}),
                    "\"weights.th\" is a link or a device");
  }
  // A file may be called as a link is listed.
  for (const char* const path : {"weights.th -> x", "weights.th link to x"}) {
    EXPECT_EQ(unpack_with({path, "x"}), "accepted") << path;
    EXPECT_EQ(read_file(out_ / "weights.th"), "w");
  }
}

TEST_F(TarGz, TakesNoOptionsOfTheUsersTar) {
  setenv("TAR_OPTIONS", "--exclude=weights.th", 1);
  EXPECT_EQ(unpack({{"config.json", "{}"}, {"weights.th", "w"}}), "accepted");
  unsetenv("TAR_OPTIONS");
}

TEST_F(TarGz, RefusesMissingAndRepeatedFiles) {
  EXPECT_EQ(unpack({{"config.json", "{}"}, {"model/weights.th", "w"}}),
            error_lines("the archive holds no weights.th", folder_.file("model.tar.gz"),
                        "give the model.tar.gz that AllenNLP wrote"));
  expect_contains(unpack_with({"./config.json", "{}"}), "\"config.json\" occurs twice");
  expect_contains(unpack_with({"weights.th", "", '5'}), "accepted");  // a folder, and passed over
}

TEST_F(TarGz, RefusesBombs) {
  const auto unpack_weights = [&](size_t megabytes) {
    return unpack({{"config.json", "{}"}, {"weights.th", std::string(megabytes << 20, '\0')}});
  };
  expect_contains(unpack_weights(40), "over sixteen times");
  EXPECT_EQ(unpack_weights(8), "accepted");
  // The limit is one of all entries, wanted or not, and of all layers.
  expect_contains(unpack_with({"vocabulary/zeros", std::string(size_t{40} << 20, '\0')}),
                  "over sixteen times");
  const std::vector<Member> fine = {{"config.json", "{}"}, {"weights.th", "w"}};
  std::vector<Member> named = fine;  // 64 entries of one long name
  named.push_back({"pax", "1048590 path=" + std::string(size_t{1} << 20, 'p') + "\n", 'g'});
  named.insert(named.end(), 64, {"x", ""});
  expect_contains(unpack(named), "over sixteen times");
  expect_contains(unpack_packed(pack(pack(tar(fine)))),
                  "damaged or truncated, or no .tar.gz archive: tar: ");
}

TEST_F(TarGz, RefusesDamageEverywhere) {
  std::mt19937 random(3);
  std::string noise(4000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  const std::string packed = pack(tar({{"config.json", "{}"}, {"weights.th", noise}}));
  EXPECT_EQ(unpack_packed(packed), "accepted");
  for (size_t size : {size_t{0}, size_t{1}, size_t{17}, packed.size() / 2, packed.size() - 9,
                      packed.size() - 1}) {
    EXPECT_NE(unpack_packed(packed.substr(0, size)), "accepted") << size;
  }
  constexpr size_t kGzipHeader = 10;  // holds times and systems, which mean nothing
  for (int i = 0; i < 100; ++i) {
    std::string flipped = packed;
    const size_t at = kGzipHeader + random() % (packed.size() - kGzipHeader);
    flipped[at] ^= static_cast<char>(1 + random() % 255);
    EXPECT_NE(unpack_packed(flipped), "accepted") << at;
  }
  expect_contains(unpack_packed(tar({{"config.json", "{}"}})), "not packed by gzip");
  for (const std::string& bytes : {std::string("no tar at all"), std::string(512, 'x'),
                                   tar_member({"config.json", "{}"}).substr(0, 700)}) {
    expect_contains(unpack_packed(pack(bytes)),
                    "damaged or truncated, or no .tar.gz archive: tar: ");
  }
}

}  // namespace rubric::tar_gz_test
