// SPDX-License-Identifier: MIT
#pragma once

#include <spng.h>
#include <zlib.h>
