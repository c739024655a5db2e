// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import Media

/// Decodes the slices of one picture into samples of one width, and hands the planes over.
@safe final class PictureAssembly<Sample: FixedWidthInteger & UnsignedInteger> {
  private let reconstruction = Reconstruction<Sample>()
  private var reader: SliceDataReader?

  /// What the tools of the last picture were used for.
  private(set) var usage = ToolUsage()

  func decode(
    _ sample: CodedSample, _ parameters: CodingParameters,
    _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    var reader = self.reader.take() ?? SliceDataReader(parameters)
    reader.usage = ToolUsage()
    reader.beginPicture(parameters)
    reconstruction.begin(parameters)
    do throws(PictureError) {
      try read(sample.slices, parameters, &reader)
    } catch {
      self.reader = consume reader
      throw error
    }
    let planes = unsafe filter(parameters, &reader)
    usage = reader.usage
    usage.strongSmoothing = reconstruction.strongSmoothing
    self.reader = consume reader
    if let hash = sample.hash, unsafe !PictureHash(hash, parameters).fits(planes) {
      throw PictureError(
        .corrupt,
        "cannot be decoded: its samples do not fit the hash that the stream carries of them")
    }
    try unsafe body(view(parameters, planes))
  }

  private func read(
    _ slices: [CodedSlice], _ parameters: CodingParameters, _ reader: inout SliceDataReader
  ) throws(PictureError) {
    let layout = parameters.layout
    var next = 0
    for slice in slices {
      let address =
        slice.header.firstSliceSegmentInPicFlag ? 0 : Int(slice.header.sliceSegmentAddress)
      guard address < layout.count, layout.codingOrder[address] == next else {
        throw PictureError(.incomplete, Self.gap(at: next, layout, parameters.ctbLog2))
      }
      let reconstruction = reconstruction
      next = try reader.read(
        slice.data.span, slice.header, entries: slice.entries, from: next
      ) { reader in
        reconstruction.add(reader)
      }
    }
    guard next == layout.count else {
      throw PictureError(.incomplete, Self.gap(at: next, layout, parameters.ctbLog2))
    }
  }

  /// - Parameter block: its address in coding order.
  private static func gap(at block: Int, _ layout: CTBLayout, _ log2: Int) -> String {
    guard block < layout.count else { return "has a slice behind its last block" }
    let (row, column) = layout.rasterAddresses[block].quotientAndRemainder(
      dividingBy: layout.columns)
    return
      "lacks part of its picture: no slice covers the block at column \(column << log2), "
      + "row \(row << log2)"
  }

  @unsafe private func filter(_ parameters: CodingParameters, _ reader: inout SliceDataReader)
    -> [PlaneMemory<Sample>]
  {
    let picture = reconstruction.picture
    if reader.maps.slices.contains(where: { !$0.isDeblockingDisabled }) {
      unsafe DeblockingFilter(parameters, reader.maps, picture.planes, reconstruction.grid).run()
    }
    var planes = unsafe picture.planes
    guard reader.maps.hasOffsets != .zero else { return unsafe planes }
    picture.beginOffsets(parameters)
    for component in unsafe planes.indices where reader.maps.hasOffsets[component] != 0 {
      let filtered = unsafe picture.filtered[component]
      unsafe OffsetFilter(parameters, reader.maps, component, planes[component], filtered).run()
      unsafe planes[component] = unsafe filtered
    }
    return unsafe planes
  }

  @unsafe private func view(_ parameters: CodingParameters, _ planes: [PlaneMemory<Sample>])
    -> PictureView
  {
    let window = parameters.window
    let format = PictureFormat(
      width: window.width, height: window.height,
      chroma: Chroma(rawValue: UInt8(parameters.chroma)) ?? .monochrome,
      bitDepth: parameters.bitDepth)
    var view = unsafe PictureView(format: format, planes: [])
    for index in unsafe planes.indices {
      let shiftX = index > 0 ? parameters.chromaShiftX : 0
      let shiftY = index > 0 ? parameters.chromaShiftY : 0
      let start = unsafe planes[index][window.x >> shiftX, window.y >> shiftY]
      unsafe view.planes.append(
        PictureView.Plane(
          base: UnsafeRawPointer(start),
          stride: planes[index].stride * MemoryLayout<Sample>.stride))
    }
    return unsafe view
  }
}
