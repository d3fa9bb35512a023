// Work of many equal steps shared among threads.
#pragma once

#include <cstdint>
#include <functional>

namespace rubric {

// Calls work(first, end) for pieces that cover 0 … count-1, one on each core, and waits for all;
// on this thread alone where `operations`, roughly how many the whole takes, is too small to share.
// `work` throws nothing.
void share_work(size_t count, size_t operations,
                const std::function<void(size_t first, size_t end)>& work);

}  // namespace rubric
