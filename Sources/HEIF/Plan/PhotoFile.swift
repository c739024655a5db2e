// SPDX-License-Identifier: MIT

public import ISOBMFF

/// The pictures of one file: those of its item graph, or the frames of its picture track.
public struct PhotoFile: Sendable {
  public let tree: BoxTree
  public let graph: ItemGraph
  public let limits: PlanLimits

  public init(_ tree: BoxTree, limits: PlanLimits = PlanLimits()) {
    self.tree = tree
    self.limits = limits
    graph = ItemGraph(tree)
  }
}
