// SPDX-License-Identifier: MIT

extension SyntaxReader {
  /// One enclosing structure.
  public struct Step: Sendable {
    public var type: FourCC
    /// How many siblings of the same type came before.
    public var index: Int
    public var version: UInt8 = 0
    /// What the format knows of the structure; elements inside may mean something because of it.
    public var declaration: (any AnyObject & Sendable)?

    public init(type: FourCC, index: Int) {
      self.type = type
      self.index = index
    }
  }

  public var pathText: String { Self.text(of: path) }

  /// `moov/trak[1]/mdia`: an index is where siblings of the same type came before.
  public static func text(of path: [Step]) -> String {
    path.map { $0.index == 0 ? $0.type.description : "\($0.type)[\($0.index)]" }
      .joined(separator: "/")
  }

  /// What `leave` needs to go back to the enclosing structure.
  public struct Place {
    fileprivate var end: Int
  }

  /// Goes into a structure that ends at `end`.
  public mutating func enter(_ step: Step, end: Int) throws(SyntaxError) -> Place {
    guard path.count < limits.depth else {
      throw failure(.limit, "depth", "is beyond the limit of \(limits.depth)")
    }
    let place = Place(end: self.end)
    _ = siblings.add(step.type)
    siblings.enter()
    path.append(step)
    self.end = end
    return place
  }

  /// Goes back to the enclosing structure and on at `position`.
  public mutating func leave(to place: Place, at position: Int) {
    path.removeLast()
    siblings.leave()
    end = place.end
    self.position = position
    bitsLeft = 0
  }

  /// The place of the next structure of this type among those of its type.
  public func step(to type: FourCC) -> Step {
    Step(type: type, index: siblings.number(of: type))
  }

  public mutating func note(version: UInt8) {
    if !path.isEmpty { path[path.count - 1].version = version }
  }

  /// Takes all up to `end`, or all that is left of the structure.
  public mutating func takeRest(from start: Int? = nil, upTo end: Int? = nil) -> Extent {
    let end = end ?? self.end
    defer { position = end }
    return Extent(source, (start ?? position)..<end)
  }

  /// Fetches bytes that lie in the structure without going on.
  public mutating func load(_ range: Range<Int>) throws(SyntaxError) -> [UInt8] {
    try window.load(range)
  }
}
