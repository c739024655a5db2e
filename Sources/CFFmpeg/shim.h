// SPDX-License-Identifier: MIT
#pragma once

#include <libavcodec/avcodec.h>
