// What most neural commands include, compiled once.
#pragma once

#include "cli/precompiled.h"
#include "models/precompiled.h"
