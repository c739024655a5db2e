// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusThreads
internal import HEVC

/// Decodes the slices of one picture into samples of one width, and passes on the planes.
@safe final class PictureAssembly<Sample: FixedWidthInteger & UnsignedInteger & SendableMetatype> {
  private let lane = Lane(Reconstruction<Sample>())
  private lazy var wavefronts = WavefrontDecoding<Sample>()

  /// The use of coding tools in the last picture.
  private(set) var usage = ToolUsage()
  /// Whether its rows were decoded in parallel.
  private(set) var hasSharedRows = false
  /// The number of its rows that another thread filtered during reading.
  private(set) var relayedRows = 0

  private var reconstruction: Reconstruction<Sample> { lane.reconstruction }

  /// - Parameter workers: the workers that may take part.
  func decode(
    _ sample: CodedSample, _ parameters: CodingParameters, with workers: (any IdleWorkers)?,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    (hasSharedRows, relayedRows) = (false, 0)
    if let workers { hasSharedRows = decode(sample.slices, parameters, with: workers) }
    var reader = lane.reader.take() ?? SliceDataReader(parameters)
    var relay: BlockRelay<Sample>?
    if !hasSharedRows {
      do throws(MediaError) {
        begin(parameters, &reader)
        if let workers, parameters.layout.isRaster {
          relay = try read(sample.slices, parameters, &reader, with: workers)
        } else {
          let reconstruction = reconstruction
          try read(sample.slices, parameters, &reader) { reconstruction.add(&$0) }
        }
      } catch {
        lane.reader = consume reader
        throw error
      }
    }
    relayedRows = relay?.filteredRows ?? 0
    let offsets = relayedRows > 0 ? relay?.offsets : nil
    let filters = PictureFilters(
      parameters, reader.maps, reconstruction, offsets: offsets ?? reader.maps.hasOffsets,
      from: relayedRows)
    filters.run(with: workers)
    usage = reader.usage
    usage.strongSmoothing = reconstruction.strongSmoothing
    lane.reader = consume reader
    if let hash = sample.hash, unsafe !PictureHash(hash, parameters).fits(filters.planes) {
      throw MediaError(
        .corrupt,
        "cannot be decoded: its samples do not fit the hash that the stream carries of them")
    }
    try unsafe body(view(parameters, filters.planes))
  }

  private func begin(_ parameters: CodingParameters, _ reader: inout SliceDataReader) {
    reader.usage = ToolUsage()
    reader.beginPicture(parameters)
    reconstruction.begin(parameters)
  }

  /// Decodes rows in parallel. Returns `false` if the stream does not allow it or is damaged; in that case it has to be
  /// read from its beginning.
  private func decode(
    _ slices: [CodedSlice], _ parameters: CodingParameters, with workers: any IdleWorkers
  ) -> Bool {
    guard parameters.usesWavefronts else { return false }
    var reader = lane.reader.take() ?? SliceDataReader(parameters)
    begin(parameters, &reader)
    let rows = CodedRow.rows(of: slices, &reader)
    lane.reader = consume reader
    guard let rows else { return false }
    return wavefronts.decode(slices, rows, parameters, on: lane, with: workers)
  }

  /// Reads while another thread, if one is idle, reconstructs and filters.
  private func read(
    _ slices: [CodedSlice], _ parameters: CodingParameters, _ reader: inout SliceDataReader,
    with workers: any IdleWorkers
  ) throws(MediaError) -> BlockRelay<Sample> {
    var offsets = SIMD4<UInt8>.zero
    for slice in slices {
      if slice.header.sliceSAOLumaFlag { offsets[0] = 1 }
      if slice.header.sliceSAOChromaFlag { (offsets[1], offsets[2]) = (1, 1) }
    }
    let relay = BlockRelay(parameters, reconstruction, offsets: offsets)
    var result = Result<Void, MediaError>.success(())
    relay.share(with: workers) {
      do throws(MediaError) {
        try read(slices, parameters, &reader) { relay.add(&$0) }
        relay.end(isWhole: true)
      } catch {
        relay.end(isWhole: false)
        result = .failure(error)
      }
    }
    try result.get()
    return relay
  }

  /// - Parameter body: receives the data of a block after it was read.
  private func read(
    _ slices: [CodedSlice], _ parameters: CodingParameters, _ reader: inout SliceDataReader,
    _ body: (inout SliceDataReader) -> Void
  ) throws(MediaError) {
    let layout = parameters.layout
    var next = 0
    for slice in slices {
      let address =
        slice.header.firstSliceSegmentInPicFlag ? 0 : Int(slice.header.sliceSegmentAddress)
      guard address < layout.count, layout.codingOrder[address] == next else {
        throw MediaError(.incomplete, Self.gap(at: next, layout, parameters.ctbLog2))
      }
      next = try reader.read(
        slice.data.span, slice.header, entries: slice.entries, from: next, body)
    }
    guard next == layout.count else {
      throw MediaError(.incomplete, Self.gap(at: next, layout, parameters.ctbLog2))
    }
  }

  /// - Parameter block: the block's address in coding order.
  private static func gap(at block: Int, _ layout: CTBLayout, _ log2: Int) -> String {
    guard block < layout.count else { return "has a slice after its last block" }
    let (row, column) = layout.rasterAddresses[block].quotientAndRemainder(
      dividingBy: layout.columns)
    return
      "lacks part of its picture: no slice covers the block at column \(column << log2), "
      + "row \(row << log2)"
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
