#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "messages.h"
#include "models/weights/pickles.h"
#include "models/weights/torch_file.h"

namespace rubric::models::unpickler_test {

using namespace std::string_literals;

std::string small_tensor() {
  return tensor(storage("FloatStorage", "0", 6), 0, {2, 3}, {3, 1});
}

std::string refusal_of_pickle(const std::string& pickle) {
  return input_error([&] { unpickle_state_dict(pickle, "model.bin"); });
}

void expect_refused(const std::string& pickle, const std::string& part) {
  expect_contains(refusal_of_pickle(pickle), part);
}

// --- what torch.save writes ---

TEST(Unpickler, ReadsDictionariesOfTensors) {
  const std::string pickle = kProto2 + "}(" + text("w") + small_tensor() + text("b") +
                             tensor(storage("BFloat16Storage", "1", 9), 2, {3}, {2}) + "u" + kStop;
  const std::vector<PickledTensor> tensors = unpickle_state_dict(pickle, "model.bin");
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "w");
  EXPECT_EQ(tensors[0].storage_key, "0");
  EXPECT_EQ(tensors[0].type, at::kFloat);
  EXPECT_EQ(tensors[0].storage_elements, 6);
  EXPECT_EQ(tensors[0].sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(tensors[0].strides, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(tensors[1].name, "b");
  EXPECT_EQ(tensors[1].type, at::kBFloat16);
  EXPECT_EQ(tensors[1].offset, 2);
}

TEST(Unpickler, ReadsOrderedDictsWithMetadataAndParameters) {
  const std::string metadata =
      "}" + text("_metadata") + ordered_dict() + text("") + "}" + text("version") + "K\x01ss" + "s";
  const std::string parameter = global("torch._utils", "_rebuild_parameter") +
                                tuple({small_tensor(), "\x88", ordered_dict()}) + "R";
  const std::string pickle =
      kProto2 + ordered_dict() + "(" + text("w") + parameter + "u" + metadata + "b" + kStop;
  const std::vector<PickledTensor> tensors = unpickle_state_dict(pickle, "model.bin");
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "w");
}

// torch.save({'a': torch.nn.Parameter(torch.ones(2, 3))}, pickle_protocol=4)
TEST(Unpickler, ReadsProtocolFour) {
  const auto short_text = [](const std::string& value) {
    return "\x8c" + to_little_endian(value.size(), 1) + value + "\x94";
  };
  const std::string pickle =
      "\x80\x04\x95"s + to_little_endian(229, 8) + "}\x94" + short_text("a") +
      short_text("torch._utils") + short_text("_rebuild_parameter") + "\x93\x94" + "h\x02" +
      short_text("_rebuild_tensor_v2") + "\x93\x94" + "((" + short_text("storage") +
      short_text("torch") + short_text("FloatStorage") + "\x93\x94" + short_text("0") +
      short_text("cpu") + "K\x06t\x94Q" + "K"s + '\0' + "K\x02K\x03\x86\x94" +
      "K\x03K\x01\x86\x94" + "\x89" + short_text("collections") + short_text("OrderedDict") +
      "\x93\x94)R\x94t\x94R\x94" + "\x88h\x12)R\x94\x87\x94R\x94s.";
  const std::vector<PickledTensor> tensors = unpickle_state_dict(pickle, "model.bin");
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[0].storage_elements, 6);
  EXPECT_EQ(tensors[0].sizes, (std::vector<int64_t>{2, 3}));
}

// --- code ---

TEST(Unpickler, RefusesToRunAnything) {
  expect_refused(kProto2 + global("os", "system") + tuple({text("touch owned")}) + "R" + kStop,
                 "refuses to run \"os.system\"");
  expect_refused("\x80\x04"s + text("posix") + text("system") + "\x93" + tuple({text("id")}) + "R.",
                 "refuses to run \"posix.system\"");
  expect_refused(kProto2 + global("builtins", "eval") + kStop, "refuses to run \"builtins.eval\"");
  expect_refused(kProto2 + global("torch", "load") + kStop, "refuses to run \"torch.load\"");
  expect_refused(kProto2 + global("torch._utils", "os.system") + kStop, "refuses to run");
  expect_refused(kProto2 + global("torch", "FloatStorage") + ")R.", "refuses to run");
  expect_refused(kProto2 + global("collections", "OrderedDict") + tuple({text("a")}) + "R.",
                 "refuses to run");
  expect_refused(kProto2 + text("os.system") + ")R.", "expected a function");
  expect_refused(kProto2 + "(" + text("a") + "ios\nsystem\n.", "opcode 105");  // INST
  expect_refused(kProto2 + global("collections", "OrderedDict") + ")\x81.",
                 "opcode 129");  // NEWOBJ
}

TEST(Unpickler, CutsHostileNamesInMessages) {
  EXPECT_LT(refusal_of_pickle(kProto2 + global(std::string(1'000'000, 'm'), "f") + kStop).size(),
            1000U);
}

// --- lengths, memory, nesting ---

TEST(Unpickler, RefusesLengthsBeyondTheEnd) {
  expect_refused("", "cut short");
  expect_refused(kProto2, "cut short");
  expect_refused(kProto2 + "X\xff\xff\xff\xff" + "a", "cut short");
  expect_refused(kProto2 + "\x8d" + std::string(8, '\xff') + "a", "cut short");
  expect_refused(kProto2 + "cos", "cut short");
  expect_refused(kProto2 + "\x8a\xff" + std::string(255, '\x01') + ".", "64 bits");
}

TEST(Unpickler, BoundsTheStackTheMemoAndTheLength) {
  expect_refused(std::string(1'000'000, '('), "too many values on the stack");
  expect_refused(std::string(1'000'000, '}'), "too many values");
  expect_refused("N" + std::string(1'000'000, '\x94'), "too many values in the memo");
  expect_refused(std::string((16U << 20) + 1, 'N'), "over 16 MB");
  // A memo key costs nothing however large it is, and a repeated string is not copied.
  EXPECT_EQ(refusal_of_pickle("}r\xff\xff\xff\xff."), "accepted");
  std::string repeated = text(std::string(1'000'000, 'a')) + "q" + '\0';
  for (int i = 0; i < 500'000; ++i) repeated += "h"s + '\0';
  expect_refused(repeated + ".", "expected a dictionary");
  expect_refused("h\x07.", "no entry 7");
}

TEST(Unpickler, SurvivesDeepNestingAndCycles) {
  expect_refused(")" + std::string(400'000, '\x85') + ".", "expected a dictionary");
  expect_refused("}q"s + '\0' + text("self") + "h" + '\0' + "s.", "\"self\" is not a tensor");
}

TEST(Unpickler, RefusesABrokenStack) {
  expect_refused("}s.", "stack is empty");
  expect_refused(".", "stack is empty");
  expect_refused("(.", "stack is empty");
  expect_refused("t.", "no mark");
  expect_refused("}(" + text("a") + "u.", "without a value");
  expect_refused(text("a") + text("b") + "NNs.", "expected a dictionary");
  expect_refused("NNb.", "expected a dictionary");
  expect_refused("NR.", "expected a tuple");
  expect_refused("]\x94.", "opcode 93");  // EMPTY_LIST
}

// --- checkpoints of PyTorch Lightning ---

std::string checkpoint(const std::string& settings) {
  return "}(" + text("epoch") + "K\x03" + text("state_dict") + "}" + text("w") + small_tensor() +
         "s" + text("hyper_parameters") + settings + "u.";
}

TEST(Unpickler, ReadsTheWeightsAndSettingsOfACheckpoint) {
  const std::string half = "G\x3f\xe0"s + std::string(6, '\0');
  Json settings;
  const std::vector<PickledTensor> tensors = unpickle_state_dict(
      checkpoint("}(" + text("a") + half + text("b") + "](" + integer(-2) +
                 "\x88NeK\x01"
                 "a" +
                 text("c") + small_tensor() + text("d") + tuple({text("x")}) + "u"),
      "model.ckpt", &settings);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "w");
  EXPECT_EQ(settings.dump(), R"({"a": 0.5, "b": [-2, true, null, 1], "c": null, "d": ["x"]})");
}

TEST(Unpickler, RefusesOtherCheckpoints) {
  const auto refusal = [](const std::string& pickle) {
    return input_error([&] {
      Json settings;
      unpickle_state_dict(pickle, "model.ckpt", &settings);
    });
  };
  expect_contains(refusal("}."), "no checkpoint of PyTorch Lightning");
  expect_contains(refusal("}" + text("state_dict") + "]s."), "expected a dictionary of tensors");
  expect_contains(refusal(checkpoint(global("argparse", "Namespace") + ")R")),
                  "refuses to run \"argparse.Namespace\"");
  expect_contains(refusal(checkpoint("}K\x01K\x02s")), "expected a setting's name");
  // A list that holds itself, and lists of the same lists.
  expect_contains(refusal(checkpoint("]q\x01h\x01"s + "a")), "too many settings");
  std::string lists = "]";
  for (char i = 1; i < 12; ++i)
    lists += std::string("q") + i + "h" + i + "h" + i + "\x87";  // TUPLE3
  expect_contains(refusal(checkpoint(lists)), "too many settings");
}

// --- what is no state dict ---

TEST(Unpickler, RefusesOtherContents) {
  expect_refused(kProto2 + small_tensor() + kStop, "expected a dictionary of tensors");
  expect_refused("}" + text("epoch") + "K\x03s.", "\"epoch\" is not a tensor");
  expect_refused("}K\x03" + small_tensor() + "s.", "expected a string");
  expect_refused("}(" + text("w") + small_tensor() + text("w") + small_tensor() + "u.",
                 "\"w\" occurs twice");
}

TEST(Unpickler, RefusesBadStoragesAndTensors) {
  const auto entry = [](const std::string& value) { return "}" + text("w") + value + "s."; };
  expect_refused(entry("NQ"), "expected a tuple");
  expect_refused(entry(tuple({text("storage")}) + "Q"), "five parts");
  expect_refused(entry(tuple({text("module"), "N", "N", "N", "N"}) + "Q"), "five parts");
  expect_refused(entry(storage("QInt8Storage", "0", 1)), "refuses to run \"torch.QInt8Storage\"");
  expect_refused(entry(storage("FloatStorage", std::string(101, '1'), 1)), "not a storage");
  expect_refused(entry(tuple({text("storage"), global("collections", "OrderedDict"), text("0"),
                              text("cpu"), integer(1)}) +
                       "Q"),
                 "not a storage");
  const std::string rebuild = global("torch._utils", "_rebuild_tensor_v2");
  expect_refused(entry(rebuild + ")R"), "unknown form");
  expect_refused(entry(rebuild + tuple({"N", "N", "N", "N", "N", "N"}) + "R"),
                 "expected a storage");
  const std::vector<int64_t> many(65, 1);
  expect_refused(entry(tensor(storage("FloatStorage", "0", 1), 0, many, many)), "dimensions");
}

}  // namespace rubric::models::unpickler_test
