// SPDX-License-Identifier: MIT

import ApusBytes

/// The context that a slice segment header depends on: its NAL unit and the parameter sets.
struct SliceContext {
  let header: NALUnitHeader
  let sets: SliceParameterSets
  let format: SequenceFormat
  /// Whether the order count is present in an IDR picture (F.7.3.6.1).
  let hasOrderCountInIDR: Bool

  init(
    _ header: NALUnitHeader, _ sets: SliceParameterSets, _ videos: [UInt8: VideoParameterSet],
    _ failure: (SyntaxError.Kind, StaticString, String) -> SyntaxError
  ) throws(SyntaxError) {
    self.header = header
    self.sets = sets
    // It does not matter in a stream with only one layer.
    let hasLayers = header.nuhLayerID > 0 || sets.sequence.isMultilayerExtension
    let video = hasLayers ? videos[sets.sequence.spsVideoParameterSetID] : nil
    guard let format = sets.sequence.format(from: video, layerID: header.nuhLayerID) else {
      throw failure(
        .unsupported, "sps_rep_format_idx", "refers to a video parameter set that was not seen")
    }
    self.format = format
    hasOrderCountInIDR =
      header.nuhLayerID > 0 && !(video?.lacksOrderCount(layerID: header.nuhLayerID) ?? false)
  }

  var pps: PictureParameterSet { sets.picture }
  var sps: SequenceParameterSet { sets.sequence }

  var ctbSize: Int { 1 << Int(sps.coding.ctbLog2Size) }
  var widthInCtbs: Int { (Int(format.picWidthInLumaSamples) + ctbSize - 1) / ctbSize }
  var heightInCtbs: Int { (Int(format.picHeightInLumaSamples) + ctbSize - 1) / ctbSize }

  /// The value `PicSizeInCtbsY`, bounded, because a product of two ue(v) values could overflow.
  var picSizeInCtbs: Int {
    let (size, overflow) = widthInCtbs.multipliedReportingOverflow(by: heightInCtbs)
    return overflow ? Int(UInt32.max) : min(size, Int(UInt32.max))
  }
}

extension SequenceParameterSet {
  /// Returns the picture format, which a set in a layer above 0 may inherit from the video parameter set.
  public func format(from video: VideoParameterSet?, layerID: UInt8) -> SequenceFormat? {
    guard isMultilayerExtension else { return format }
    return video?.format(ofLayer: layerID, index: updateRepFormatFlag ? spsRepFormatIdx : nil)
  }
}

extension VideoParameterSet {
  /// Returns the index of the layer with this `nuh_layer_id` (`LayerIdxInVps`).
  public func layerIndex(_ layerID: UInt8) -> Int? {
    vpsExtensionFlag
      ? vpsExtension.dimensions.layerIDs(maxLayersMinus1: Int(vpsMaxLayersMinus1))
        .firstIndex(of: Int(layerID))
      : layerID == 0 ? 0 : nil
  }

  /// Returns the format of a layer's pictures in `rep_format()`.
  ///
  /// - Parameter index: the index of the format, if the sequence parameter set states one.
  public func format(ofLayer layerID: UInt8, index: UInt8? = nil) -> SequenceFormat? {
    guard vpsExtensionFlag, let layer = layerIndex(layerID) else { return nil }
    let representation = vpsExtension.representation
    let explicit = layer - (vpsBaseLayerInternalFlag ? 1 : 0)
    let chosen: Int
    if let index {
      chosen = Int(index)
    } else if representation.repFormatIdxPresentFlag {
      guard representation.vpsRepFormatIdx.indices.contains(explicit) else { return nil }
      chosen = Int(representation.vpsRepFormatIdx[explicit])
    } else {
      chosen = min(layer, representation.formats.count - 1)
    }
    guard representation.formats.indices.contains(chosen) else { return nil }
    return SequenceFormat(representation.formats[chosen])
  }

  func lacksOrderCount(layerID: UInt8) -> Bool {
    guard vpsExtensionFlag, let layer = layerIndex(layerID), layer > 0 else { return false }
    let graph = LayerGraph(
      ids: vpsExtension.dimensions.layerIDs(maxLayersMinus1: Int(vpsMaxLayersMinus1)),
      dependencies: vpsExtension.directDependencyFlags)
    guard graph.directReferences(of: layer).isEmpty else { return false }
    let position = (1..<layer).count { graph.directReferences(of: $0).isEmpty }
    let flags = vpsExtension.pocLSBNotPresentFlags
    return flags.indices.contains(position) && flags[position]
  }
}

extension SequenceFormat {
  init(_ format: RepresentationFormat) {
    self.init()
    chromaFormatIDC = format.chromaFormatVPSIDC
    separateColourPlaneFlag = format.separateColourPlaneVPSFlag
    picWidthInLumaSamples = UInt32(format.picWidthVPSInLumaSamples)
    picHeightInLumaSamples = UInt32(format.picHeightVPSInLumaSamples)
    conformanceWindowFlag = format.conformanceWindowVPSFlag
    conformanceWindow.leftOffset = format.confWinVPSLeftOffset
    conformanceWindow.rightOffset = format.confWinVPSRightOffset
    conformanceWindow.topOffset = format.confWinVPSTopOffset
    conformanceWindow.bottomOffset = format.confWinVPSBottomOffset
    bitDepthLumaMinus8 = min(format.bitDepthVPSLumaMinus8, 8)
    bitDepthChromaMinus8 = min(format.bitDepthVPSChromaMinus8, 8)
  }
}
