// SPDX-License-Identifier: MIT

/// Returns `Ceil(Log2(count))`, the number of bits that distinguish `count` values.
package func bitsToTellApart(_ count: Int) -> Int {
  count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
}
