#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <hdf5.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/text/utf8.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

constexpr size_t kSealSize = 512;  // the smallest user block of an HDF5 file

// Owns an HDF5 identifier. A negative identifier means that the library call failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const std::string& problem) : id_(id), close_(close) {
    if (id < 0) throw Error(problem);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

// Lets HDF5 work only in memory: when it writes a file itself and the disk is full, it crashes at
// exit; when it reads one, the file may change after its seal was checked.
hid_t access_memory() {
  constexpr size_t kIncrement = size_t{1} << 20;  // bytes by which the image grows
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0) H5Pset_fapl_core(access, kIncrement, false);
  return access;
}

// The seal that precedes the HDF5 image, in its user block: HDF5 itself neither detects changed
// data nor survives every damaged file.
std::string seal_of(std::string_view image) {
  std::string seal = "rubric token store\nsha256 " + sha256(image) + "\n";
  seal.resize(kSealSize, '\0');
  return seal;
}

template <class Value>
hid_t memory_type();
template <>
hid_t memory_type<int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t memory_type<char>() {
  return H5T_NATIVE_SCHAR;  // as stored, so that no byte is converted whatever the sign of char
}

template <class Value>
void write_values(hid_t file, const char* name, hid_t stored_as, const std::vector<Value>& values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "HDF5: no data space");
  const Handle data(H5Dcreate2(file, name, stored_as, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose, "HDF5: cannot create a data set");
  if (H5Dwrite(data, memory_type<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    throw Error(std::string("HDF5: cannot write ") + name);
  }
}

template <class Value>
std::vector<Value> read_values(hid_t file, const char* name, hid_t stored_as) {
  const Handle data(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose,
                    std::string("no data set ") + name);
  const Handle type(H5Dget_type(data), H5Tclose, "no data type");
  const Handle space(H5Dget_space(data), H5Sclose, "no data space");
  hsize_t size = 0, file_size = 0;
  if (H5Sget_simple_extent_ndims(space) != 1 ||
      H5Sget_simple_extent_dims(space, &size, nullptr) != 1 ||
      H5Fget_filesize(file, &file_size) < 0 || size > file_size ||  // nothing is compressed
      H5Tequal(type, stored_as) <= 0) {
    throw Error(std::string(name) + " has an impossible size or type");
  }
  std::vector<Value> values(size);
  if (H5Dread(data, memory_type<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    throw Error(std::string("cannot read ") + name);
  }
  return values;
}

// Writes strings as one text with the offset of each.
void write_strings(hid_t file, const std::string& name, const std::vector<std::string>& strings) {
  std::vector<char> text;
  std::vector<int64_t> offsets = {0};
  for (const std::string& string : strings) {
    text.insert(text.end(), string.begin(), string.end());
    offsets.push_back(static_cast<int64_t>(text.size()));
  }
  write_values(file, name.c_str(), H5T_STD_I8LE, text);
  write_values(file, (name + "_offsets").c_str(), H5T_STD_I64LE, offsets);
}

void require_offsets(const std::vector<int64_t>& offsets, size_t rows, size_t size) {
  if (offsets.size() != rows + 1 || offsets.front() != 0 ||
      offsets.back() != static_cast<int64_t>(size) ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    throw Error("the offsets do not fit the data");
  }
}

// Throws for values that a tokenizer never writes and that a model cannot use.
void require_values(const TokenizedAnswers& answers) {
  const auto is_0_or_1 = [](auto value) { return value == 0 || value == 1; };
  const auto& [ids, segments, offsets, features] = answers.tokens;
  if (std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end()) {
    throw Error("a row is empty");
  }
  if (std::any_of(ids.begin(), ids.end(), [](int64_t id) { return id < 0; })) {
    throw Error("a token is negative");
  }
  if (!std::all_of(segments.begin(), segments.end(), is_0_or_1) ||
      !std::all_of(answers.truncated.begin(), answers.truncated.end(), is_0_or_1) ||
      !std::ranges::all_of(answers.same_answer, is_0_or_1)) {
    throw Error("a mark is neither 0 nor 1");
  }
  if (!answers.same_answer.empty() && answers.same_answer.front() != 0) {
    throw Error("the first row belongs to no answer");
  }
  if (!std::ranges::all_of(features, [](float value) { return std::isfinite(value); })) {
    throw Error("a feature is not finite");
  }
  if (!std::all_of(answers.labels.begin(), answers.labels.end(),
                   [](double label) { return std::isfinite(label); })) {
    throw Error("a score is not finite");
  }
}

std::vector<std::string> read_strings(hid_t file, const std::string& name, size_t rows) {
  const auto text = read_values<char>(file, name.c_str(), H5T_STD_I8LE);
  const auto offsets = read_values<int64_t>(file, (name + "_offsets").c_str(), H5T_STD_I64LE);
  require_offsets(offsets, rows, text.size());
  std::vector<std::string> strings;
  for (size_t i = 0; i < rows; ++i) {
    strings.emplace_back(text.begin() + offsets[i], text.begin() + offsets[i + 1]);
    if (!is_valid_utf8(strings.back())) throw Error(name + " are not UTF-8");
  }
  return strings;
}

void write_contents(hid_t file, const TokenizedAnswers& answers, const std::string& source_sha256) {
  write_values(file, "tokens", H5T_STD_I32LE, answers.tokens.ids);
  write_values(file, "segments", H5T_STD_I8LE, answers.tokens.segments);
  write_values(file, "offsets", H5T_STD_I64LE, answers.tokens.offsets);
  write_values(file, "features", H5T_IEEE_F32LE, answers.tokens.features);
  write_values(file, "labels", H5T_IEEE_F64LE, answers.labels);
  write_values(file, "cut", H5T_STD_I8LE, answers.truncated);
  write_values(file, "same_answer", H5T_STD_I8LE, answers.same_answer);
  write_strings(file, "ids", answers.ids);
  write_strings(file, "constituents", answers.constituents);
  write_values(file, "counts", H5T_STD_I64LE,
               std::vector<int64_t>{kTokenStoreFormat, answers.rows()});
  write_strings(file, "source_sha256", {source_sha256});
}

TokenizedAnswers read_contents(hid_t file) {
  TokenizedAnswers answers;
  const auto counts = read_values<int64_t>(file, "counts", H5T_STD_I64LE);
  if (counts.size() != 2 || counts[0] != kTokenStoreFormat) throw Error("another version wrote it");
  answers.labels = read_values<double>(file, "labels", H5T_IEEE_F64LE);
  const size_t rows = answers.labels.size();
  answers.truncated = read_values<char>(file, "cut", H5T_STD_I8LE);
  answers.same_answer = read_values<char>(file, "same_answer", H5T_STD_I8LE);
  answers.tokens.ids = read_values<int64_t>(file, "tokens", H5T_STD_I32LE);
  answers.tokens.segments = read_values<int64_t>(file, "segments", H5T_STD_I8LE);
  answers.tokens.offsets = read_values<int64_t>(file, "offsets", H5T_STD_I64LE);
  answers.tokens.features = read_values<float>(file, "features", H5T_IEEE_F32LE);
  require_offsets(answers.tokens.offsets, rows, answers.tokens.ids.size());
  if (answers.tokens.segments.size() != answers.tokens.ids.size() ||
      answers.truncated.size() != rows || answers.same_answer.size() != rows ||
      (rows == 0 ? !answers.tokens.features.empty() : answers.tokens.features.size() % rows != 0) ||
      counts[1] != static_cast<int64_t>(rows)) {
    throw Error("the data sets do not fit each other");
  }
  require_values(answers);
  answers.ids = read_strings(file, "ids", rows);
  answers.constituents = read_strings(file, "constituents", rows);
  return answers;
}

std::string make_image(const TokenizedAnswers& answers, const std::string& source_sha256) {
  const Handle access(access_memory(), H5Pclose, "HDF5: no property list");
  const Handle file(H5Fcreate("token store", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose,
                    "HDF5: cannot create a file in memory");
  write_contents(file, answers, source_sha256);
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) throw Error("HDF5: cannot flush");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  std::string image(static_cast<size_t>(std::max<ssize_t>(size, 0)), '\0');
  if (size <= 0 || H5Fget_file_image(file, image.data(), image.size()) != size) {
    throw Error("HDF5: no image of the file");
  }
  return image;
}

TokenizedAnswers read_image(std::string image) {
  const Handle access(access_memory(), H5Pclose, "HDF5: no property list");
  if (H5Pset_file_image(access, image.data(), image.size()) < 0) throw Error("HDF5: no memory");
  const Handle file(H5Fopen("token store", H5F_ACC_RDONLY, access), H5Fclose,
                    "it is not an HDF5 file");
  return read_contents(file);
}

// One thread at a time calls HDF5, which need not be built for several. Meanwhile it prints no
// errors, because we report failures ourselves; afterwards it does again what this process had it
// do.
class Hdf5Calls {
 public:
  Hdf5Calls() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Calls() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Hdf5Calls(const Hdf5Calls&) = delete;
  Hdf5Calls& operator=(const Hdf5Calls&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }

  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace

void write_token_store(const std::filesystem::path& file, const TokenizedAnswers& answers,
                       const std::string& source_sha256) {
  const std::string image = [&] {
    const Hdf5Calls calls;
    return make_image(answers, source_sha256);
  }();
  AtomicFile out(file);
  out.write(seal_of(image));
  out.write(image);
  out.commit();
}

TokenizedAnswers read_token_store(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  const std::string_view seal = mapped.bytes().substr(0, kSealSize);
  try {
    std::string image(mapped.bytes().substr(seal.size()));
    if (seal != seal_of(image)) throw Error("it is damaged, or rubric did not write it");
    const Hdf5Calls calls;
    return read_image(std::move(image));
  } catch (const Error& error) {
    throw InputError(std::string("not a usable token store: ") + error.what(), file.string(),
                     "delete it; it is made again from its source");
  }
}

}  // namespace rubric::data
