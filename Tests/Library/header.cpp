// SPDX-License-Identifier: MIT
// The header is one of C++, too.

#include "apus.h"

int main() {
  apus_error *error = nullptr;
  apus_engine *engine = apus_engine_new(1, &error);
  apus_engine_free(engine);
  return error == nullptr && apus_version()[0] != 0 ? 0 : 1;
}
