# librubric.so, and librubric-neural.so with libtorch: what other programs link (include/rubric). Each
# is whole by itself, made of the objects of the programs, and shows only what include/rubric marks.

include(CMakePackageConfigHelpers)

function(add_shared_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "EXPORT" "PARTS")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "// All of it is in the parts.\n")
  add_library(${name} SHARED "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  set_target_properties(${name} PROPERTIES OUTPUT_NAME "${library_EXPORT}" EXPORT_NAME "${library_EXPORT}"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  foreach(part IN LISTS library_PARTS)
    target_link_libraries(${name} PRIVATE
      "-Wl,--whole-archive,$<TARGET_FILE:${part}>,--no-whole-archive" ${part})
  endforeach()
  target_include_directories(${name} INTERFACE
    "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(${name} INTERFACE cxx_std_20)
  add_dependencies(programs ${name})
  install(TARGETS ${name} EXPORT rubric-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT library NAMELINK_COMPONENT library)
endfunction()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/rubric")
install(DIRECTORY include/rubric DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
configure_package_config_file(cmake/rubric-config.cmake.in rubric-config.cmake
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file(rubric-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/rubric-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/rubric-config-version.cmake" DESTINATION "${package}" COMPONENT library)
