/* SPDX-License-Identifier: MIT */
/* Asserts that a call which sets an error_info has succeeded: ASSERT_OK(series_open(&output, dir, -1, &error)). */
#ifndef JAGER_TESTS_ASSERT_OK_H
#define JAGER_TESTS_ASSERT_OK_H

#include "base/error.h"

#include "unit_test.h"

static error_info error;

#define ASSERT_OK(call) ck_assert_msg(call, "%s", error.text)

#endif
