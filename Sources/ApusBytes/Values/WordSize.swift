// SPDX-License-Identifier: MIT

#if !_pointerBitWidth(_64)
  #error("Apus needs a 64-bit system: sizes and offsets in files are stored as Int")
#endif
