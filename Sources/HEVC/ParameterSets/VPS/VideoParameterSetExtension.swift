// SPDX-License-Identifier: MIT

public import ApusBytes

/// The layers, views and their dependencies (`vps_extension()`): ITU-T H.265, F.7.3.2.1.1.
public struct VideoParameterSetExtension: Blank, Hashable, Sendable {
  public var profileTierLevel = ProfileTierLevel()
  public var dimensions = LayerDimensions()
  /// The flags `direct_dependency_flag[i][j]`, for layer i from 1 and each earlier layer j.
  public var directDependencyFlags: [[Bool]] = []
  public var numAddLayerSets: UInt16 = 0
  /// The values `highest_layer_idx_plus1[i][j]`, for independent layer j from 1.
  public var highestLayerIdxPlus1: [[UInt8]] = []
  public var vpsSubLayersMaxMinus1PresentFlag = false
  public var subLayersVPSMaxMinus1: [UInt8] = []
  public var maxTIDRefPresentFlag = false
  /// The values `max_tid_il_ref_pics_plus1[i][j]`, if layer j depends on layer i.
  public var maxTIDILRefPicsPlus1: [[UInt8]] = []
  public var defaultRefLayersActiveFlag = false
  public var additionalProfiles: [AdditionalProfile] = []
  public var vpsNumProfileTierLevelMinus1: UInt8 = 0
  public var outputLayerSets = OutputLayerSets()
  public var representation = RepresentationFormats()
  public var maxOneActiveRefLayerFlag = false
  public var vpsPOCLSBAlignedFlag = false
  /// The flag `poc_lsb_not_present_flag` for each layer from 1 that depends on none.
  public var pocLSBNotPresentFlags: [Bool] = []
  public var dpbSizes: [DecodedPictureBufferSizes] = []
  public var directDepTypeLenMinus2: UInt8 = 0
  public var directDependencyAllLayersFlag = false
  public var directDependencyAllLayersType: UInt32 = 0
  /// The values `direct_dependency_type[i][j]`, if layer i depends on layer j.
  public var directDependencyTypes: [[UInt32]] = []
  public var vpsNonVUIExtensionData: [UInt8] = []
  public var vpsVUIPresentFlag = false

  public init() {}

  /// The parts of the enclosing parameter set that the extension depends on.
  struct Base {
    var maxLayersMinus1: Int
    var isBaseLayerInternal: Bool
    var maxSubLayersMinus1: UInt8
    /// The layer IDs of each layer set.
    var layerSets: [[Int]]
  }

  /// A profile, tier and level in addition to those of the base layer.
  public struct AdditionalProfile: Blank, Hashable, Sendable {
    public var vpsProfilePresentFlag = false
    public var profileTierLevel = ProfileTierLevel()
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ base: Base) throws(SyntaxError) {
    let last = base.maxLayersMinus1
    if last > 0, base.isBaseLayerInternal {
      try v.group("profile_tier_level") { v throws(SyntaxError) in
        try profileTierLevel.syntax(
          &v, profilePresent: false, maxSubLayersMinus1: base.maxSubLayersMinus1)
      }
    }
    try dimensions.syntax(&v, maxLayersMinus1: last)
    try v.indexed("layers", &directDependencyFlags, count: last) {
      index, flags, v throws(SyntaxError) in
      try v.values(1, "direct_dependency_flag", &flags, count: index + 1)
    }
    let graph = LayerGraph(
      ids: dimensions.layerIDs(maxLayersMinus1: last), dependencies: directDependencyFlags)
    try additionalLayerSets(&v, graph)
    try v.flag("vps_sub_layers_max_minus1_present_flag", &vpsSubLayersMaxMinus1PresentFlag)
    if vpsSubLayersMaxMinus1PresentFlag {
      try v.values(3, "sub_layers_vps_max_minus1", &subLayersVPSMaxMinus1, count: last + 1)
    }
    try v.flag("max_tid_ref_present_flag", &maxTIDRefPresentFlag)
    if maxTIDRefPresentFlag {
      try v.indexed("layers", &maxTIDILRefPicsPlus1, count: last) {
        index, values, v throws(SyntaxError) in
        let count = (index + 1..<last + 1).count { graph.depends($0, on: index) }
        try v.values(3, "max_tid_il_ref_pics_plus1", &values, count: count)
      }
    }
    try v.flag("default_ref_layers_active_flag", &defaultRefLayersActiveFlag)
    try profiles(&v, base)
    let layerSets = base.layerSets + addedLayerSets(graph)
    try outputLayerSets.syntax(
      &v, layerSets: layerSets, ownLayerSets: base.layerSets.count, graph,
      profileCount: Int(vpsNumProfileTierLevelMinus1) + 1)
    try representation.syntax(&v, base)
    try v.flag("max_one_active_ref_layer_flag", &maxOneActiveRefLayerFlag)
    try v.flag("vps_poc_lsb_aligned_flag", &vpsPOCLSBAlignedFlag)
    let independent = (0..<last + 1).dropFirst().count { graph.directReferences(of: $0).isEmpty }
    try v.values(1, "poc_lsb_not_present_flag", &pocLSBNotPresentFlags, count: independent)
    try bufferSizes(&v, base, layerSets)
    try dependencyTypes(&v, base, graph)
    let count = try v.ueCount(
      "vps_non_vui_extension_length", vpsNonVUIExtensionData.count, in: 0...4096)
    try v.values(8, "vps_non_vui_extension_data_byte", &vpsNonVUIExtensionData, count: count)
    try v.flag("vps_vui_present_flag", &vpsVUIPresentFlag)
  }

  private mutating func additionalLayerSets<V: SyntaxVisitor>(_ v: inout V, _ graph: LayerGraph)
    throws(SyntaxError)
  {
    let trees = graph.trees
    guard trees.count > 1 else { return }
    try v.ue("num_add_layer_sets", &numAddLayerSets, in: 0...1023)
    try v.list("add_layer_sets", &highestLayerIdxPlus1, count: Int(numAddLayerSets)) {
      values, v throws(SyntaxError) in
      try v.indexed("highest_layer_idx_plus1", &values, count: trees.count - 1) {
        index, value, v throws(SyntaxError) in
        let bits = bitsToTellApart(trees[index + 1].count + 1)
        try v.u(bits, "highest_layer_idx_plus1", &value)
        guard value <= trees[index + 1].count else {
          throw v.failure(.invalid, "highest_layer_idx_plus1", "is \(value), beyond its partition")
        }
      }
    }
  }

  /// Returns the layer IDs of the added layer sets: (F-9).
  private func addedLayerSets(_ graph: LayerGraph) -> [[Int]] {
    let trees = graph.trees
    return highestLayerIdxPlus1.map { highest in
      zip(trees.dropFirst(), highest).flatMap { tree, count in
        tree.prefix(Int(count)).map { graph.ids[$0] }
      }
    }
  }

  private mutating func profiles<V: SyntaxVisitor>(_ v: inout V, _ base: Base)
    throws(SyntaxError)
  {
    try v.ue("vps_num_profile_tier_level_minus1", &vpsNumProfileTierLevelMinus1, in: 0...63)
    let first = base.isBaseLayerInternal ? 2 : 1
    let count = max(0, Int(vpsNumProfileTierLevelMinus1) + 1 - first)
    try v.list("profile_tier_levels", &additionalProfiles, count: count) {
      item, v throws(SyntaxError) in
      try v.flag("vps_profile_present_flag", &item.vpsProfilePresentFlag)
      let present = item.vpsProfilePresentFlag
      try v.group("profile_tier_level") { v throws(SyntaxError) in
        try item.profileTierLevel.syntax(
          &v, profilePresent: present, maxSubLayersMinus1: base.maxSubLayersMinus1)
      }
    }
  }

  private mutating func bufferSizes<V: SyntaxVisitor>(
    _ v: inout V, _ base: Base, _ layerSets: [[Int]]
  ) throws(SyntaxError) {
    let sets = outputLayerSets.layerSetIndices(
      count: layerSets.count, ownLayerSets: base.layerSets.count)
    let maxima = subLayersVPSMaxMinus1
    let ids = dimensions.layerIDs(maxLayersMinus1: base.maxLayersMinus1)
    try v.indexed("dpb_size", &dpbSizes, count: max(0, sets.count - 1)) {
      index, size, v throws(SyntaxError) in
      let layers = layerSets[sets[index + 1]]
      // `MaxSubLayersInLayerSetMinus1`.
      let highest = layers.compactMap { ids.firstIndex(of: $0) }
        .map { maxima.indices.contains($0) ? maxima[$0] : base.maxSubLayersMinus1 }.max()
      let present = layers.map { $0 != 0 || base.isBaseLayerInternal }
      try size.syntax(&v, maxSubLayersMinus1: highest ?? 0, isPresent: present)
    }
  }

  private mutating func dependencyTypes<V: SyntaxVisitor>(
    _ v: inout V, _ base: Base, _ graph: LayerGraph
  ) throws(SyntaxError) {
    try v.ue("direct_dep_type_len_minus2", &directDepTypeLenMinus2, in: 0...30)
    let bits = Int(directDepTypeLenMinus2) + 2
    try v.flag("direct_dependency_all_layers_flag", &directDependencyAllLayersFlag)
    if directDependencyAllLayersFlag {
      return try v.u(bits, "direct_dependency_all_layers_type", &directDependencyAllLayersType)
    }
    let first = base.isBaseLayerInternal ? 1 : 2
    let count = max(0, base.maxLayersMinus1 + 1 - first)
    try v.indexed("layers", &directDependencyTypes, count: count) {
      index, types, v throws(SyntaxError) in
      let layer = index + first
      let references = graph.directReferences(of: layer).count { $0 >= first - 1 }
      try v.values(bits, "direct_dependency_type", &types, count: references)
    }
  }
}
