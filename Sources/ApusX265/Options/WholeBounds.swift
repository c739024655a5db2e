// SPDX-License-Identifier: MIT

/// A range that may be open at one end.
protocol WholeBounds {
  var least: Int? { get }
  var greatest: Int? { get }
}

extension ClosedRange<Int>: WholeBounds {
  var least: Int? { lowerBound }
  var greatest: Int? { upperBound }
}

extension PartialRangeFrom<Int>: WholeBounds {
  var least: Int? { lowerBound }
  var greatest: Int? { nil }
}

extension PartialRangeThrough<Int>: WholeBounds {
  var least: Int? { nil }
  var greatest: Int? { upperBound }
}
