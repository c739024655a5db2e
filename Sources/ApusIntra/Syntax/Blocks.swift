// SPDX-License-Identifier: MIT

/// A transform block that the parser passes to reconstruction, which predicts it and adds its residual.
struct TransformBlock {
  /// The column in samples of its plane.
  var x: UInt16 = 0
  var y: UInt16 = 0
  var log2: UInt8 = 0
  /// The value `cIdx`.
  var component: UInt8 = 0
  /// The mode `IntraPredModeY` or `IntraPredModeC`.
  var mode: UInt8 = 0
  var tools = Tools()
  /// The index of its first scaled coefficient, or of its PCM samples row by row.
  var firstCoefficient: Int32 = 0
  var coefficientCount: Int32 = 0
  /// The column beyond which all coefficients are 0.
  var lastColumn: UInt8 = 0
  var lastRow: UInt8 = 0
  /// The value `ResScaleVal`.
  var crossScale: Int8 = 0

  struct Tools: OptionSet {
    var rawValue: UInt8
    static let transformSkip = Tools(rawValue: 1)
    /// The block has `cu_transquant_bypass_flag`.
    static let bypass = Tools(rawValue: 2)
    static let pcm = Tools(rawValue: 4)
    /// The residual is the difference to the previous sample, down or right.
    static let implicitRDPCM = Tools(rawValue: 8)
    /// The block is rotated by 180°.
    static let rotation = Tools(rawValue: 16)
    /// The first row or column of the prediction is not smoothed at the edge.
    static let keepsEdges = Tools(rawValue: 32)
    /// The residual is kept, because chroma may use it.
    static let keepsResidual = Tools(rawValue: 64)
  }
}

/// A coefficient of a transform block: row × side + column.
struct Coefficient {
  var place: UInt16 = 0
  var value: Int16 = 0
}

/// The settings of a slice for its coding tree blocks.
struct SliceState {
  /// The index in `PictureMaps.slices`.
  var index = 0
  var qp = 0
  var cbQPOffset = 0
  var crQPOffset = 0
  var hasLumaOffsets = false
  var hasChromaOffsets = false
  var hasChromaQPOffsets = false
}

/// The filter settings for the coding tree blocks of a slice.
struct SliceFilterSettings {
  /// The value `SliceAddrRs`.
  var address = 0
  var isDeblockingDisabled = false
  /// The offset of β, already doubled.
  var betaOffset = 0
  var tcOffset = 0
  /// The flag `slice_loop_filter_across_slices_enabled_flag`.
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
    /// The value `SaoEoClass`.
    var edgeClass: UInt8 = 0
    /// The values `SaoOffsetVal` 1 to 4.
    var offsets = SIMD4<Int16>.zero
  }

  var components = InlineArray<3, Component>(repeating: Component())
}
