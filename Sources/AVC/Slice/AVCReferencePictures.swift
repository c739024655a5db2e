// SPDX-License-Identifier: MIT

public import ApusBytes

/// The change of the order of one list of reference pictures (in `ref_pic_list_modification()`): ITU-T H.264, 7.3.3.1.
public struct AVCListModification: Blank, Hashable, Sendable {
  public var refPicListModificationFlag = false
  /// The changes, of which the last ends the list.
  public var operations: [Operation] = []

  public init() {}

  /// One change, or the end of the list.
  public struct Operation: SyntaxStructure, Hashable {
    public var modificationOfPicNumsIDC: UInt8 = 3
    public var absDiffPicNumMinus1: UInt32 = 0
    public var longTermPicNum: UInt32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.ue("modification_of_pic_nums_idc", &modificationOfPicNumsIDC, in: 0...3)
      switch modificationOfPicNumsIDC {
      case 0, 1: try v.ue("abs_diff_pic_num_minus1", &absDiffPicNumMinus1)
      case 2: try v.ue("long_term_pic_num", &longTermPicNum)
      default: break
      }
    }
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ flag: StaticString) throws(SyntaxError) {
    try v.flag(flag, &refPicListModificationFlag)
    guard refPicListModificationFlag else { return }
    try v.operations("modification_of_pic_nums_idc", &operations) {
      $0.modificationOfPicNumsIDC == 3
    }
  }
}

/// The marking of reference pictures after this one (`dec_ref_pic_marking()`): ITU-T H.264, 7.3.3.3.
public struct AVCReferenceMarking: Blank, Hashable, Sendable {
  public var noOutputOfPriorPicsFlag = false
  public var longTermReferenceFlag = false
  public var adaptiveRefPicMarkingModeFlag = false
  /// The operations, of which the last ends the list.
  public var operations: [Operation] = []

  public init() {}

  /// One operation, or the end of the list.
  public struct Operation: SyntaxStructure, Hashable {
    public var memoryManagementControlOperation: UInt8 = 0
    public var differenceOfPicNumsMinus1: UInt32 = 0
    public var longTermPicNum: UInt32 = 0
    public var longTermFrameIdx: UInt32 = 0
    public var maxLongTermFrameIdxPlus1: UInt32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      let name: StaticString = "memory_management_control_operation"
      try v.ue(name, &memoryManagementControlOperation, in: 0...6)
      let operation = memoryManagementControlOperation
      if operation == 1 || operation == 3 {
        try v.ue("difference_of_pic_nums_minus1", &differenceOfPicNumsMinus1)
      }
      if operation == 2 { try v.ue("long_term_pic_num", &longTermPicNum) }
      if operation == 3 || operation == 6 { try v.ue("long_term_frame_idx", &longTermFrameIdx) }
      if operation == 4 {
        try v.ue("max_long_term_frame_idx_plus1", &maxLongTermFrameIdxPlus1)
      }
    }
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, isIDR: Bool) throws(SyntaxError) {
    if isIDR {
      try v.flag("no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag)
      return try v.flag("long_term_reference_flag", &longTermReferenceFlag)
    }
    try v.flag("adaptive_ref_pic_marking_mode_flag", &adaptiveRefPicMarkingModeFlag)
    guard adaptiveRefPicMarkingModeFlag else { return }
    try v.operations("memory_management_control_operation", &operations) {
      $0.memoryManagementControlOperation == 0
    }
  }
}

extension SyntaxVisitor {
  /// Visits operations up to one that ends the list.
  fileprivate mutating func operations<Operation: SyntaxStructure>(
    _ name: StaticString, _ operations: inout [Operation], until isEnd: (Operation) -> Bool
  ) throws(SyntaxError) {
    if isReading { operations = [] }
    var index = 0
    while true {
      guard isReading ? index <= 66 : index < operations.count else {
        if isReading { throw failure(.invalid, name, "occurs more than 66 times") }
        return
      }
      var operation = isReading ? Operation() : operations[index]
      try operation.syntax(&self)
      if isReading { operations.append(operation) }
      if isEnd(operation) { return }
      index += 1
    }
  }
}
