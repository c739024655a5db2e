// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
