// What every neural test includes, compiled once.
#pragma once

#include <ATen/core/grad_mode.h>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
