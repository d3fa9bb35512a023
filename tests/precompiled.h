// What every light test includes, compiled once.
#pragma once

#include <gtest/gtest.h>

#include "core/precompiled.h"
