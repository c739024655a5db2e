// SPDX-License-Identifier: MIT

/// A transform block as the parser hands it to reconstruction: predict it, then add its residual.
struct TransformBlock {
  /// The place in samples of its plane.
  var x: UInt16 = 0
  var y: UInt16 = 0
  var log2: UInt8 = 0
  /// `cIdx`.
  var component: UInt8 = 0
  /// `IntraPredModeY` or `IntraPredModeC`.
  var mode: UInt8 = 0
  var tools = Tools()
  /// Its coefficients, scaled, or its PCM samples row by row.
  var firstCoefficient: Int32 = 0
  var coefficientCount: Int32 = 0
  /// The column and row beyond which all coefficients are 0.
  var lastColumn: UInt8 = 0
  var lastRow: UInt8 = 0
  /// `ResScaleVal`.
  var crossScale: Int8 = 0

  struct Tools: OptionSet {
    var rawValue: UInt8
    static let transformSkip = Tools(rawValue: 1)
    /// `cu_transquant_bypass_flag`.
    static let bypass = Tools(rawValue: 2)
    static let pcm = Tools(rawValue: 4)
    /// The residual is the difference to the sample before, down or right.
    static let implicitRDPCM = Tools(rawValue: 8)
    /// The block is turned by 180°.
    static let rotation = Tools(rawValue: 16)
    /// The prediction of a first or last row or column is not smoothed at its edge.
    static let keepsEdges = Tools(rawValue: 32)
    /// Its residual is kept, because chroma may follow it.
    static let keepsResidual = Tools(rawValue: 64)
  }
}

/// A coefficient of a transform block: row × side + column.
struct Coefficient {
  var place: UInt16 = 0
  var value: Int16 = 0
}

/// What the header of a slice says to its coding tree blocks.
struct SliceState {
  /// Its place in `PictureMaps.slices`.
  var index = 0
  var qp = 0
  var cbQPOffset = 0
  var crQPOffset = 0
  var hasLumaOffsets = false
  var hasChromaOffsets = false
  var hasChromaQPOffsets = false
}

/// What is filtered how in the coding tree blocks of a slice.
struct SliceFilterSettings {
  /// `SliceAddrRs`.
  var address = 0
  var isDeblockingDisabled = false
  /// The offsets of β and tC, already twice what the header says.
  var betaOffset = 0
  var tcOffset = 0
  /// `slice_loop_filter_across_slices_enabled_flag`.
  var filtersAcross = false
}

/// Sample adaptive offsets of a coding tree block: ITU-T H.265, 7.4.9.3.
struct SampleAdaptiveOffsets {
  enum Kind: UInt8 {
    case none, band, edge
  }

  struct Component {
    var kind = Kind.none
    var band: UInt8 = 0
    /// `SaoEoClass`.
    var edgeClass: UInt8 = 0
    /// `SaoOffsetVal` 1 to 4.
    var offsets = SIMD4<Int16>.zero
  }

  var components = InlineArray<3, Component>(repeating: Component())
}
