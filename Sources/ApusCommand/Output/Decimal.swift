// SPDX-License-Identifier: MIT

/// Returns the number with one decimal.
func decimal(_ value: Double) -> String {
  guard value.isFinite, value < 1e12 else { return "∞" }
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
