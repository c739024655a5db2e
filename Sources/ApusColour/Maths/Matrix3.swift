// SPDX-License-Identifier: MIT

/// Three rows of three numbers, applied to columns.
public struct Matrix3: Hashable, Sendable {
  /// The rows, the first one on top.
  public var rows: [SIMD3<Double>]

  /// The matrix that changes nothing.
  public static let identity = Matrix3([1, 0, 0], [0, 1, 0], [0, 0, 1])

  public init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    rows = [first, second, third]
  }

  /// Creates a matrix with these numbers on its diagonal, and 0 elsewhere.
  public init(diagonal: SIMD3<Double>) {
    self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
  }

  /// The number in a row and a column, both counted from 0.
  public subscript(row: Int, column: Int) -> Double { rows[row][column] }

  /// Returns a column, counted from 0.
  public func column(_ index: Int) -> SIMD3<Double> {
    [rows[0][index], rows[1][index], rows[2][index]]
  }

  /// The matrix with rows and columns exchanged.
  public var transposed: Matrix3 { Matrix3(column(0), column(1), column(2)) }

  public static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    [
      (matrix.rows[0] * vector).sum(), (matrix.rows[1] * vector).sum(),
      (matrix.rows[2] * vector).sum(),
    ]
  }

  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(left * right.column(0), left * right.column(1), left * right.column(2)).transposed
  }

  /// The inverse; `nil` if the matrix is singular.
  public var inverse: Matrix3? {
    let cofactors = Matrix3(
      cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])
    ).transposed
    let determinant = (rows[0] * cofactors.column(0)).sum()
    guard determinant.magnitude > 1e-12 else { return nil }
    return Matrix3(
      cofactors.rows[0] / determinant, cofactors.rows[1] / determinant,
      cofactors.rows[2] / determinant)
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}

/// A matrix with an offset that is added after it.
struct Affine3: Hashable, Sendable {
  var matrix: Matrix3
  var offset: SIMD3<Double>

  init(_ matrix: Matrix3, offset: SIMD3<Double> = .zero) {
    self.matrix = matrix
    self.offset = offset
  }

  func then(_ next: Affine3) -> Affine3 {
    Affine3(next.matrix * matrix, offset: next.matrix * offset + next.offset)
  }
}
