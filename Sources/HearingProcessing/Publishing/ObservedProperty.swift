public import Observation

/// One property as the `Observation` module knows it.
///
/// The registrar wants a key path for each access and each change. Writing one afresh in a generic
/// class is slow, so that all properties share one, and each has a registrar of its own to be told
/// apart by.
@usableFromInline
package final class ObservedProperty: Observable, Sendable {
  @usableFromInline let registrar = ObservationRegistrar()

  private static let keyPath: any KeyPath<ObservedProperty, Void> & Sendable =
    \ObservedProperty.content

  private var content: Void { () }

  @usableFromInline
  package init() {}

  /// The property was read: whoever tracks on this thread depends on it.
  @usableFromInline
  func access() {
    registrar.access(self, keyPath: Self.keyPath)
  }

  /// The property has its new value already.
  @usableFromInline
  func didChange() {
    registrar.withMutation(of: self, keyPath: Self.keyPath) {}
  }
}
