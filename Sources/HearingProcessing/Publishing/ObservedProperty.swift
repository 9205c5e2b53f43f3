public import Observation
public import Synchronization

/// One property as the `Observation` module knows it.
///
/// The registrar wants a key path for each access and each change. Writing one afresh in a generic
/// class is slow, so that all properties share one, and each has a registrar of its own to be told
/// apart by. As long as nobody has read the property through `access()`, a change costs nothing.
@usableFromInline
package final class ObservedProperty: Observable, Sendable {
  private let registrar = Lock<ObservationRegistrar?>(nil)
  @usableFromInline let wasRead = Atomic(false)

  private static let keyPath: any KeyPath<ObservedProperty, Void> & Sendable =
    \ObservedProperty.content

  private var content: Void { () }

  @usableFromInline
  package init() {}

  /// Whether anybody may depend on the property.
  @inlinable
  var isWatched: Bool { wasRead.load(ordering: .acquiring) }

  /// The property was read: whoever tracks on this thread depends on it.
  @usableFromInline
  func access() {
    let registrar = registrar.withLock { registrar in
      let known = registrar ?? ObservationRegistrar()
      registrar = known
      return known
    }
    wasRead.store(true, ordering: .releasing)
    registrar.access(self, keyPath: Self.keyPath)
  }

  /// The property has its new value already.
  @inlinable
  func didChange() {
    if isWatched { tellRegistrar() }
  }

  @usableFromInline
  func tellRegistrar() {
    registrar.withLock { $0 }?.withMutation(of: self, keyPath: Self.keyPath) {}
  }
}
