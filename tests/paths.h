// Where things are while tests run. Only one file is compiled with these paths, so that the
// compiler's cache serves every checkout.
#pragma once

namespace rubric {

const char* fixtures_folder();  // tests/fixtures
const char* source_folder();    // the checkout
const char* programs_folder();  // that of rubric and its commands
const char* minilm_folder();
const char* mpnet_folder();    // there after scripts/setup --mpnet
const char* fetched_folder();  // .deps, where scripts/setup puts models

}  // namespace rubric
