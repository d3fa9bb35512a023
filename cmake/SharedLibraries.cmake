# librubric.so, all light code and the commands, and librubric-neural.so, which adds what needs libtorch.
# The program is made of the two, and other programs link them (include/rubric). There is one copy of
# every light symbol: librubric-neural.so takes it from librubric.so.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The library of all objects of the static libraries `PARTS`, linked with `LIBRARIES`.
function(add_shared_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "EXPORT;OUTPUT" "PARTS;LIBRARIES")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "// All of it is in the parts.\n")
  add_library(${name} SHARED "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  set_target_properties(${name} PROPERTIES OUTPUT_NAME "${library_OUTPUT}" EXPORT_NAME "${library_EXPORT}"
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib" LINK_DEPENDS_NO_SHARED ON)
  set(exports "${CMAKE_SOURCE_DIR}/cmake/exports.map")
  set_property(TARGET ${name} PROPERTY LINK_DEPENDS "${exports}")
  foreach(part IN LISTS library_PARTS)
    target_link_libraries(${name} PRIVATE "-Wl,--whole-archive,$<TARGET_FILE:${part}>,--no-whole-archive")
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:${part}>")
  endforeach()
  target_link_libraries(${name} PRIVATE ${library_LIBRARIES})
  # Calls of its own functions are bound here. Constants are not: a descriptor in a header has one
  # address in a program, whichever library is found first.
  target_link_options(${name} PRIVATE "LINKER:--version-script,${exports}" LINKER:-Bsymbolic-functions)
  if(NOT RUBRIC_SANITIZE)  # whose functions are in the program
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  target_include_directories(${name} INTERFACE
    "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(${name} INTERFACE cxx_std_20)
  add_dependencies(programs ${name})
  install(TARGETS ${name} EXPORT rubric-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT library NAMELINK_COMPONENT library)
endfunction()

add_shared_library(rubric_shared EXPORT rubric OUTPUT rubric PARTS rubric_light rubric_light_commands
  LIBRARIES ${light_libraries} Boost::program_options ${CMAKE_DL_LIBS})
file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(places "$ORIGIN/../lib" "$ORIGIN/${libraries}")  # of the build and the Python package, of an installation
list(REMOVE_DUPLICATES places)
set_target_properties(rubric PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${places}")
if(TARGET rubric_neural_commands)
  add_shared_library(rubric_neural_shared EXPORT neural OUTPUT rubric-neural
    PARTS rubric_weights rubric_neural_parts rubric_neural_commands
    LIBRARIES libtorch Boost::program_options ${CMAKE_DL_LIBS})
  target_link_libraries(rubric_neural_shared PUBLIC rubric_shared)
  # So that a librubric.so which lacks a symbol is noticed when this is opened.
  target_link_options(rubric_neural_shared PRIVATE LINKER:-z,now)
  set_target_properties(rubric_neural_shared PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
endif()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/rubric")
install(EXPORT rubric-targets NAMESPACE rubric:: DESTINATION "${package}" COMPONENT library)
install(DIRECTORY include/rubric DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
configure_package_config_file(cmake/rubric-config.cmake.in rubric-config.cmake
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file(rubric-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/rubric-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/rubric-config-version.cmake" DESTINATION "${package}" COMPONENT library)
