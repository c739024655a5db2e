// SPDX-License-Identifier: MIT

extension SyntaxReader {
  /// An enclosing structure.
  public struct Step: Sendable {
    /// The type of the structure.
    public var type: FourCC
    /// The number of preceding siblings of the same type.
    public var index: Int
    /// The version of the structure, once its declaration has visited it; 0 for structures without versions.
    public var version: UInt8 = 0
    /// The handler of the media that the structure belongs to, once it was read; `nil` elsewhere.
    public var handler: FourCC?
    /// The format's declaration of the structure, which may affect the meaning of its elements.
    public var declaration: (any AnyObject & Sendable)?

    public init(type: FourCC, index: Int) {
      self.type = type
      self.index = index
    }
  }

  /// The path of the current structure, such as `moov/trak[1]/mdia`.
  public var pathText: String { Self.text(of: path) }

  /// Returns a path such as `moov/trak[1]/mdia`, with an index where there are preceding siblings of the same type.
  public static func text(of path: [Step]) -> String {
    path.map { $0.index == 0 ? $0.type.description : "\($0.type)[\($0.index)]" }
      .joined(separator: "/")
  }

  /// The state that `leave` needs to return to the enclosing structure.
  public struct Place {
    fileprivate var end: Int
  }

  /// Enters a structure that ends at `end`.
  public mutating func enter(_ step: Step, end: Int) throws(SyntaxError) -> Place {
    guard path.count < limits.depth else {
      throw failure(.limit, "depth", "is beyond the limit of \(limits.depth)")
    }
    let place = Place(end: self.end)
    _ = siblings.add(step.type)
    siblings.enter()
    path.append(step)
    if step.handler == nil, path.count > 1 {
      path[path.count - 1].handler = path[path.count - 2].handler
    }
    self.end = end
    return place
  }

  /// Returns to the enclosing structure, and continues at `position`.
  public mutating func leave(to place: Place, at position: Int) {
    path.removeLast()
    siblings.leave()
    end = place.end
    self.position = position
    bitsLeft = 0
  }

  /// Returns the step to the next structure of a type, with its index among those.
  public func step(to type: FourCC) -> Step {
    Step(type: type, index: siblings.number(of: type))
  }

  /// Records the version of the current structure for its children.
  public mutating func note(version: UInt8) {
    if !path.isEmpty { path[path.count - 1].version = version }
  }

  /// Records the handler of the enclosing structure for the structures that follow in it.
  public mutating func note(handler: FourCC) {
    if path.count > 1 { path[path.count - 2].handler = handler }
  }

  /// Consumes everything up to `end`, or to the end of the structure.
  public mutating func takeRest(from start: Int? = nil, upTo end: Int? = nil) -> Extent {
    let end = end ?? self.end
    defer { position = end }
    return Extent(source, (start ?? position)..<end)
  }

  /// Reads bytes within the structure without moving the position.
  public mutating func load(_ range: Range<Int>) throws(SyntaxError) -> [UInt8] {
    try window.load(range)
  }
}
