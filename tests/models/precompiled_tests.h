// What every neural test includes, compiled once.
#pragma once

#include <gtest/gtest.h>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
