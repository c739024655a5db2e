// SPDX-License-Identifier: MIT

internal import Synchronization

/// The most recent plans of a file, because a picture is planned again with each of its companions, which take its
/// orientation. At most two are kept, because a hostile file has many large ones.
final class RecentPlans: Sendable {
  private let plans = Mutex<[(item: UInt32, plan: PicturePlan)]>([])

  func plan(ofItem id: UInt32) -> PicturePlan? {
    plans.withLock { plans in
      guard let index = plans.firstIndex(where: { $0.item == id }) else { return nil }
      plans.append(plans.remove(at: index))
      return plans.last?.plan
    }
  }

  func add(_ plan: PicturePlan, ofItem id: UInt32) {
    plans.withLock { plans in
      if plans.count > 1 { plans.removeFirst() }
      plans.append((id, plan))
    }
  }
}
