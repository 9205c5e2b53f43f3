internal import Foundation
internal import Observation
internal import Synchronization

/// Makes one property observable with the `Observation` module.
///
/// An `ObservationRegistrar` needs a key path for each access and each change. Creating a key path
/// in a generic class is slow. Therefore all properties use one common key path, and each property
/// has its own registrar. Until the first call of `access()`, each change of the property costs
/// only one atomic load.
package final class ObservedProperty: Observable, Sendable {
  private let registrar = Lock<ObservationRegistrar?>(nil)
  let wasRead = Atomic(false)
  /// True while a second notification of the observers waits for the main actor.
  private let isRepeating = Atomic(false)

  private static let keyPath: any KeyPath<ObservedProperty, Void> & Sendable =
    \ObservedProperty.content

  private var content: Void { () }

  package init() {}

  /// True if the property has been read. A property that was never read has no observers.
  var isWatched: Bool { wasRead.load(ordering: .acquiring) }

  /// Notifies the `Observation` module that this thread has read the property.
  func access() {
    let registrar = registrar.withLock { registrar in
      let known = registrar ?? ObservationRegistrar()
      registrar = known
      return known
    }
    wasRead.store(true, ordering: .releasing)
    registrar.access(self, keyPath: Self.keyPath)
  }

  /// Notifies observers. Call this method after the new value is stored.
  ///
  /// SwiftUI reads the value on the main actor, and then registers its observer. If another thread
  /// changes the value between the read and the registration, the observer is not notified.
  /// Therefore a change by another thread notifies the observers a second time, on the main actor.
  func didChange() {
    guard isWatched else { return }
    notifyRegistrar()
    guard !Thread.isMainThread, !isRepeating.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    Task { @MainActor in
      isRepeating.store(false, ordering: .sequentiallyConsistent)
      notifyRegistrar()
    }
  }

  func notifyRegistrar() {
    registrar.withLock { $0 }?.withMutation(of: self, keyPath: Self.keyPath) {}
  }
}
