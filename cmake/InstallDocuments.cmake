# Writes manual pages, and completion where the shells of a system look, by the program that is built.
# Set before: program, links (the commands that are programs, too), man_folder, data_folder.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
message(STATUS "Installing: ${prefix}/${man_folder}/rubric*.1")
execute_process(COMMAND "${program}" list --man "${prefix}/${man_folder}" COMMAND_ERROR_IS_FATAL ANY)

function(write_completion shell folder name)
  set(folder "${prefix}/${data_folder}/${folder}")
  message(STATUS "Installing: ${folder}/${name}")
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${program}" completion ${shell} OUTPUT_FILE "${folder}/${name}"
    COMMAND_ERROR_IS_FATAL ANY)
  # Bash and fish look for a file of the command's name.
  foreach(link IN LISTS ARGN)
    file(CREATE_LINK "${name}" "${folder}/${link}" SYMBOLIC)
  endforeach()
endfunction()

set(fish_links ${links})
list(TRANSFORM fish_links APPEND .fish)
write_completion(bash bash-completion/completions rubric ${links})
write_completion(fish fish/vendor_completions.d rubric.fish ${fish_links})
write_completion(zsh zsh/site-functions _rubric)
