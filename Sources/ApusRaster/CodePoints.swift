// SPDX-License-Identifier: MIT

package import ApusBytes

/// The code points of a colour space: ITU-T H.273, 8; `cICP` of PNG (Third Edition), 11.3.2.6.
package struct CodePoints: SyntaxStructure {
  package static let size = 4
  package var primaries: UInt8 = 0
  package var transfer: UInt8 = 0
  package var matrix: UInt8 = 0
  package var fullRange: UInt8 = 1

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "colour_primaries", &primaries)
    try v.u(8, "transfer_function", &transfer)
    try v.u(8, "matrix_coefficients", &matrix)
    try v.u(8, "video_full_range_flag", &fullRange)
  }
}
