#include "core/files/gzip.h"

#include <cstring>
#include <utility>

#include <zlib.h>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric {

GzipReader::GzipReader(const std::filesystem::path& path, std::string what_to_do)
    : path_(path.string()), what_to_do_(std::move(what_to_do)) {
  constexpr unsigned kBuffer = 1 << 20;
  packed_size_ = MappedFile(path).bytes().size();  // what is no plain file is refused
  file_.reset(gzopen(path_.c_str(), "rb"));
  if (file_ == nullptr) fail("cannot open");
  gzbuffer(file_.get(), kBuffer);
  if (gzdirect(file_.get()) != 0) fail("not packed by gzip");
}

void GzipReader::Close::operator()(gzFile_s* file) const {
  gzclose_r(file);
}

size_t GzipReader::read(char* into, size_t size) {
  const int count = gzread(file_.get(), into, static_cast<unsigned>(size));
  check();
  return static_cast<size_t>(count);
}

bool GzipReader::next_line(std::string_view& line) {
  constexpr int kMostBytes = 1 << 14;
  line_.resize(kMostBytes);
  const bool is_line = gzgets(file_.get(), line_.data(), kMostBytes) != nullptr;
  check();
  if (!is_line) return false;
  line = {line_.data(), std::strlen(line_.data())};
  ++line_number_;
  if (!line.ends_with('\n') && gzeof(file_.get()) == 0) fail("a line is too long");
  return true;
}

void GzipReader::fail(const std::string& what) const {
  const std::string line = line_number_ > 0 ? ":" + std::to_string(line_number_) : "";
  throw InputError(what, path_ + line, what_to_do_);
}

void GzipReader::check() const {
  int problem = Z_OK;
  gzerror(file_.get(), &problem);
  if (problem != Z_OK && problem != Z_STREAM_END) fail("the gzip file is damaged or cut short");
}

}  // namespace rubric
