// Sendable because it can only be made from a value that is.
/// A reason to hold processing off: any value that can be told from another.
struct InterruptionReason: Hashable, @unchecked Sendable {
  let base: AnyHashable

  init(_ base: some Hashable & Sendable) {
    self.base = AnyHashable(base)
  }
}
