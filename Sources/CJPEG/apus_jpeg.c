// SPDX-License-Identifier: MIT
#include "apus_jpeg.h"
