# How folders of src/ become libraries, and folders of tests/ programs.

# The .cpp files under the folders `ARGN` of src/, at any depth, into the list `variable`.
function(sources_of variable)
  list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/src/")
  list(TRANSFORM ARGN APPEND "/*.cpp")
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${ARGN})
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# With RUBRIC_UNITY the files of each folder are one translation unit: a new file disturbs its own
# folder's alone. A source with SKIP_UNITY_BUILD_INCLUSION stays by itself.
function(compile_folders_together target)
  if(NOT RUBRIC_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" ABSOLUTE)
    get_filename_component(folder "${folder}" DIRECTORY)
    file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Precompiled headers of light code, which spare a build time and hide a missing #include.
macro(precompile_light_headers)
  if(NOT RUBRIC_SYNTAX_ONLY)
    target_precompile_headers(${ARGN})
  endif()
endmacro()
