#include "core/beside.h"

#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"

namespace rubric::beside_test {

Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

TEST(Beside, WorksInTheCallersContext) {
  const ContextScope scope(with_threads(3));
  auto threads = beside([] { return current_context().threads; });
  EXPECT_EQ(threads.get(), 3);
}

TEST(Beside, HasAThreadOfItsOwn) {
  const ContextScope scope(with_threads(2));
  auto id = beside([] { return std::this_thread::get_id(); });
  EXPECT_NE(id.get(), std::this_thread::get_id());
}

TEST(Beside, OneThreadDoesItAtOnce) {
  const ContextScope scope(with_threads(1));
  std::thread::id id;
  auto done = beside([&] { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
  done.get();
}

TEST(Beside, AnErrorIsThrownWhereTheResultIsAskedFor) {
  for (const int threads : {1, 2}) {
    const ContextScope scope(with_threads(threads));
    auto failed = beside([]() -> int { throw InputError("wrong"); });
    EXPECT_THROW(failed.get(), InputError);
  }
}

}  // namespace rubric::beside_test
