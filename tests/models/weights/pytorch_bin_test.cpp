#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include "messages.h"
#include "models/weights/pickles.h"
#include "models/weights/torch_file.h"
#include "models/weights/zips.h"
#include "temporary_folder.h"

namespace rubric::models::pytorch_bin_test {

const std::string kSixFloats("\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40",
                             24);

std::string refusal_of(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "pytorch_model.bin";
  std::ofstream(path, std::ios::binary) << bytes;  // far faster than an AtomicFile
  return input_error([&] { read_pytorch_bin(path); });
}

std::string refusal_of_view(const View& view) {
  return refusal_of(zip({{"data.pkl", pickle_of(view)}, {"data/0", kSixFloats}}));
}

TEST(PytorchBin, ReadsStridedViews) {
  const TemporaryFolder folder;
  const auto path =
      folder.write("pytorch_model.bin",
                   zip({{"data.pkl", pickle_of({6, 1, {2, 2}, {1, 3}})}, {"data/0", kSixFloats}}));
  const NamedTensors tensors = read_pytorch_bin(path);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].first, "w");
  const at::Tensor expected = at::arange(6).to(at::kFloat).as_strided({2, 2}, {1, 3}, 1);
  EXPECT_TRUE(at::equal(tensors[0].second, expected));
}

TEST(PytorchBin, ReadsEmptyTensorsAndScalars) {
  EXPECT_EQ(refusal_of_view({6, 5, {}, {}}), "accepted");
  EXPECT_EQ(refusal_of_view({6, 0, {0, 3}, {3, 1}}), "accepted");
  EXPECT_EQ(refusal_of(zip({{"data.pkl", pickle_of({0, 0, {0}, {1}})}, {"data/0", ""}})),
            "accepted");
}

TEST(PytorchBin, RefusesViewsThatLeaveTheirStorage) {
  const int64_t huge = int64_t{1} << 62;
  expect_contains(refusal_of_view({7, 0, {7}, {1}}), "another size than the pickle says");
  expect_contains(refusal_of_view({-1, 0, {1}, {1}}), "another size than the pickle says");
  expect_contains(refusal_of_view({huge, 0, {huge}, {1}}), "another size than the pickle says");
  expect_contains(refusal_of_view({6, 0, {7}, {1}}), "more elements");
  expect_contains(refusal_of_view({6, 0, {huge, huge}, {1, 1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 0, {0, huge, huge}, {1, 1, 1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 0, {-1}, {1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 0, {2}, {1, 1}}), "impossible shape");
  expect_contains(refusal_of_view({6, -1, {2}, {1}}), "impossible shape");
  expect_contains(refusal_of_view({6, 1, {6}, {1}}), "leaves its storage");
  expect_contains(refusal_of_view({6, 0, {2, 3}, {4, 1}}), "leaves its storage");
  expect_contains(refusal_of_view({6, huge, {2}, {huge}}), "overflowing strides");
  expect_contains(refusal_of_view({6, 0, {3}, {huge}}), "overflowing strides");
  expect_contains(refusal_of_view({6, 5, {2}, {-1}}), "negative");
  expect_contains(refusal_of_view({6, 0, {1000, 1000}, {0, 0}}), "more elements");
  expect_contains(refusal_of_view({6, 0, {7}, {1}}), "tensor \"w\"");
}

TEST(PytorchBin, RefusesMissingAndStrangeRecords) {
  expect_contains(refusal_of(zip({{"data/0", kSixFloats}})), "\"data.pkl\" is missing");
  expect_contains(refusal_of(zip({{"data.pkl", pickle_of({6, 0, {6}, {1}})}})),
                  "\"data/0\" is missing");
  expect_contains(refusal_of(zip({{"byteorder", "big"}, {"data.pkl", "}."}})), "big-endian");
}

TEST(PytorchBin, RefusesRecordsThatShareBytes) {
  const std::string zeros(4000, '\0');
  const View thousand = {1000, 0, {1000}, {1}};
  const std::string pickle =
      kProto2 + "}" + item("a", "0", thousand) + item("b", "1", thousand) + kStop;
  expect_contains(
      refusal_of(zip64_by_hand({{"data.pkl", pickle}, {"data/0", zeros}, {"data/1", zeros}})),
      "overlap");
}

TEST(PytorchBin, TiedTensorsShareTheirStorage) {
  const TemporaryFolder folder;
  const View six = {6, 0, {6}, {1}};
  const std::string pickle = kProto2 + "}" + item("a", "0", six) + item("b", "0", six) + kStop;
  const auto path =
      folder.write("pytorch_model.bin", zip({{"data.pkl", pickle}, {"data/0", kSixFloats}}));
  const NamedTensors tensors = read_pytorch_bin(path);
  EXPECT_EQ(tensors.at(0).second.data_ptr(), tensors.at(1).second.data_ptr());
}

TEST(PytorchBin, SurvivesTruncationsAndFlippedBits) {
  const std::string whole = zip({{"data.pkl", pickle_of({6, 0, {2, 3}, {3, 1}})},
                                 {"byteorder", "little"},
                                 {"data/0", kSixFloats}});
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    EXPECT_NE(refusal_of(whole.substr(0, random() % whole.size())), "accepted");
    std::string flipped = whole;
    flipped[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
    refusal_of(flipped);  // may be accepted: no format knows a changed weight
  }
}

}  // namespace rubric::models::pytorch_bin_test
