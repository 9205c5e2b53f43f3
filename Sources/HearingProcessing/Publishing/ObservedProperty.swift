internal import Observation
internal import Synchronization

/// Makes one property observable with the `Observation` module.
///
/// An `ObservationRegistrar` needs a key path for each access and each change. Creating a key path
/// in a generic class is slow. To avoid these key paths, all properties use the same key path, and
/// each property has a separate registrar. Before the first call of `access()`, each change costs
/// only one atomic load.
package final class ObservedProperty: Observable, Sendable {
  private let registrar = Lock<ObservationRegistrar?>(nil)
  let wasRead = Atomic(false)

  private static let keyPath: any KeyPath<ObservedProperty, Void> & Sendable =
    \ObservedProperty.content

  private var content: Void { () }

  package init() {}

  /// True if the property was read. Observers may then depend on the property.
  var isWatched: Bool { wasRead.load(ordering: .acquiring) }

  /// Records that the property was read on this thread, for observation tracking.
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
  func didChange() {
    if isWatched { notifyRegistrar() }
  }

  func notifyRegistrar() {
    registrar.withLock { $0 }?.withMutation(of: self, keyPath: Self.keyPath) {}
  }
}
