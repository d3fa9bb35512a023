# libtorch as imported targets, from the folder of the `torch` wheel that scripts/setup installs.
#
# The wheel's own TorchConfig.cmake asks for a CUDA toolkit even where only the CPU is used.

if(NOT EXISTS "${RUBRIC_TORCH}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "libtorch is not at ${RUBRIC_TORCH}: run scripts/setup, or pass "
                      "-DRUBRIC_TORCH=<the folder `torch` of the torch wheel>")
endif()
file(STRINGS "${RUBRIC_TORCH}/version.py" torch_version REGEX "^__version__ = ")
string(REGEX REPLACE ".*'([^'+]+).*" "\\1" torch_version "${torch_version}")
if(NOT torch_version STREQUAL RUBRIC_TORCH_VERSION)
  if(RUBRIC_TORCH STREQUAL "${CMAKE_SOURCE_DIR}/.deps/torch")
    message(FATAL_ERROR "${RUBRIC_TORCH} is torch ${torch_version}, not ${RUBRIC_TORCH_VERSION}: run scripts/setup")
  endif()
  message(STATUS "With torch ${torch_version} of ${RUBRIC_TORCH}")
  set(RUBRIC_TORCH_VERSION "${torch_version}")
endif()

get_filename_component(torch_lib "${RUBRIC_TORCH}/lib" REALPATH)
add_library(libtorch INTERFACE)
target_include_directories(libtorch SYSTEM INTERFACE
  "${RUBRIC_TORCH}/include" "${RUBRIC_TORCH}/include/torch/csrc/api/include")
target_compile_definitions(libtorch INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
# at::parallel_for is a template: in what is compiled without OpenMP it runs on one thread, silently.
target_compile_options(libtorch INTERFACE -fopenmp)
target_link_libraries(libtorch INTERFACE
  "${torch_lib}/libtorch_cpu.so" "${torch_lib}/libc10.so" "${torch_lib}/libgomp.so.1")
# The CPU library names CUDA's runtime among its needs; the rpaths inside the wheel find it.
target_link_options(libtorch INTERFACE
  "LINKER:-rpath,${torch_lib}" LINKER:--enable-new-dtags LINKER:--allow-shlib-undefined)
