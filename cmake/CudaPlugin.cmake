# librubric_cuda.so, which the program opens when a run asks for GPUs (src/distributed/cuda.h); it is
# built where CUDA's and NCCL's headers are: those of a CUDA toolkit and of NCCL's package, or those
# that scripts/setup --cuda brings. No compiler of NVIDIA's is needed.

get_filename_component(nvidia "${torch_lib}/../../nvidia" ABSOLUTE)
find_path(CUDA_HEADERS cusparse.h
  HINTS "${nvidia}/cu13/include" "$ENV{CUDA_HOME}/include" PATHS /usr/local/cuda/include)
find_path(NCCL_HEADERS nccl.h HINTS "${nvidia}/nccl/include" PATHS /usr/local/cuda/include)
# What scripts/setup --cuda brings is looked for when it has been there.
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_SOURCE_DIR}/.deps/installed")
if(NOT CUDA_HEADERS OR NOT NCCL_HEADERS OR NOT EXISTS "${torch_lib}/libtorch_cuda.so")
  message(STATUS "Without GPUs: CUDA's and NCCL's headers, or libtorch's CUDA libraries, are not here")
  return()
endif()
file(STRINGS "${CUDA_HEADERS}/cuda_runtime_api.h" headers_version REGEX "define CUDART_VERSION +[0-9]+")
file(STRINGS "${torch_lib}/../version.py" torch_version REGEX "^cuda.* = '[0-9]+")
string(REGEX REPLACE ".*CUDART_VERSION +([0-9]+)[0-9][0-9][0-9].*" "\\1" headers_major "${headers_version}")
string(REGEX REPLACE ".*'([0-9]+).*" "\\1" torch_major "${torch_version}")
if(NOT headers_major STREQUAL torch_major)
  message(STATUS "Without GPUs: ${CUDA_HEADERS} has CUDA ${headers_major}, libtorch CUDA ${torch_major}")
  return()
endif()
message(STATUS "With GPUs: CUDA ${headers_major} of ${CUDA_HEADERS}")

add_library(rubric_cuda MODULE src/distributed/cuda_plugin.cpp)
set_target_properties(rubric_cuda PROPERTIES CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")  # looked for beside the program
target_compile_definitions(rubric_cuda PRIVATE USE_DISTRIBUTED USE_C10D_NCCL)
target_include_directories(rubric_cuda PRIVATE src include)
target_include_directories(rubric_cuda SYSTEM PRIVATE "${CUDA_HEADERS}" "${NCCL_HEADERS}")
# Nothing in it calls libtorch_cuda by name where only that registers what CUDA tensors do.
target_link_libraries(rubric_cuda PRIVATE libtorch
  -Wl,--no-as-needed "${torch_lib}/libtorch_cuda.so" "${torch_lib}/libc10_cuda.so" -Wl,--as-needed)
add_dependencies(rubric_neural_shared rubric_cuda)  # so that it is never used with a plug-in of another build
install(TARGETS rubric_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR})
