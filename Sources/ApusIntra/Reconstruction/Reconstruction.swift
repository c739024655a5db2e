// SPDX-License-Identifier: MIT

/// Reconstructs samples from parsed blocks, coding tree block by coding tree block, and owns the memory for them.
@safe final class Reconstruction<Sample: FixedWidthInteger & UnsignedInteger> {
  let picture: PictureMemory<Sample>
  let grid: BlockGrid
  private var tools = unsafe BlockTools<Sample>(bitDepth: 8)
  private var blocks: BlockReconstruction<Sample>?

  init() {
    picture = PictureMemory()
    grid = BlockGrid()
  }

  /// Creates a reconstruction for another thread that works on the same picture.
  init(beside other: Reconstruction) {
    picture = other.picture
    grid = other.grid
  }

  deinit { unsafe tools.deallocate() }

  /// The number of uses of strong smoothing in this picture.
  var strongSmoothing: Int {
    get { unsafe tools.strongSmoothing.pointee }
    set { unsafe tools.strongSmoothing.pointee = newValue }
  }

  func begin(_ parameters: CodingParameters) {
    picture.begin(parameters)
    grid.begin(columns: picture.columns >> 2, rows: picture.rows >> 2)
    prepare(parameters)
  }

  /// Begins a picture whose memory is allocated already.
  func prepare(_ parameters: CodingParameters) {
    if unsafe tools.bitDepth != parameters.bitDepth {
      unsafe tools.deallocate()
      unsafe tools = unsafe BlockTools(bitDepth: parameters.bitDepth)
    }
    unsafe tools.strongSmoothing.pointee = 0
    unsafe blocks = unsafe BlockReconstruction(parameters, picture.planes, grid, tools)
  }

  /// Reconstructs the blocks of the last coding tree block, which are taken from the reader.
  func add(_ reader: inout SliceDataReader) {
    add(
      reader.blocks.span.extracting(first: reader.blockCount), reader.coefficients.span,
      reader.run)
    (reader.blockCount, reader.coefficientCount) = (0, 0)
  }

  /// Reconstructs blocks of one run, whose coefficients are among those given.
  func add(_ blocks: Span<TransformBlock>, _ coefficients: Span<Coefficient>, _ run: UInt16) {
    guard let reconstruction = unsafe self.blocks else { return }
    for index in blocks.indices {
      let block = blocks[index]
      let first = Int(block.firstCoefficient)
      let own = coefficients.extracting(first..<first &+ Int(block.coefficientCount))
      unsafe reconstruction.add(block, own, run)
    }
  }
}

/// Scratch memory and tables of a worker, for one bit depth.
@unsafe struct BlockTools<Sample: FixedWidthInteger & UnsignedInteger> {
  let bitDepth: Int
  /// Whether wide kernels are used; see `Vector.wide`.
  let wide: Int32
  let prediction: IntraPrediction<Sample>
  let transform: InverseTransform
  /// The luma residual of a block, from which chroma may be predicted.
  let lumaResidual: UnsafeMutablePointer<Int16>
  /// The number of uses of strong smoothing.
  let strongSmoothing: UnsafeMutablePointer<Int>

  init(bitDepth: Int, wide: Int32 = Vector.wide) {
    unsafe self.bitDepth = bitDepth
    unsafe self.wide = wide
    unsafe prediction = unsafe IntraPrediction(bitDepth: bitDepth, wide: wide)
    unsafe transform = unsafe InverseTransform(bitDepth: bitDepth, wide: wide)
    unsafe lumaResidual = .allocate(capacity: 1024)
    unsafe lumaResidual.initialize(repeating: 0, count: 1024)
    unsafe strongSmoothing = .allocate(capacity: 1)
    unsafe strongSmoothing.initialize(to: 0)
  }

  func deallocate() {
    unsafe prediction.deallocate()
    unsafe transform.deallocate()
    unsafe lumaResidual.deallocate()
    unsafe strongSmoothing.deallocate()
  }
}
