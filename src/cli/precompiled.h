// What most commands include, compiled once.
#pragma once

#include <boost/program_options.hpp>

#include "core/precompiled.h"
