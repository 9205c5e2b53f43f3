import HearingBuffers
import HearingPluginRuntime
import Synchronization

/// The values of all ports. The audio thread writes the controls, and the helper thread reads them.
/// The helper thread writes the states of the files, and the audio thread reads them.
///
/// Each value is an atomic word. If the audio thread changes several values while the helper thread
/// reads, the helper thread may read some old and some new values. In this case, the change is
/// reported again.
struct PluginControls {
  private let words: Row<Atomic<UInt32>>
  /// The index of a flag. The flag is set if the helper thread was woken for a change and has not
  /// read the values since then.
  private static let isReported = PortCount
  private static let hasStarted = PortCount + 1
  private static let wordCount = PortCount + 2

  /// Creates controls with default values.
  init() {
    words = .allocated(count: Self.wordCount) { index in
      let isControl = (PortEnabled..<PortReduction).contains(index)
      return Atomic(isControl ? PluginPort.range(of: index).usual.bitPattern : 0)
    }
  }

  /// Frees the memory. Afterwards, no copy of this value may be used.
  func deallocate() { words.deallocate(count: Self.wordCount) }

  /// The value at a port.
  @inline(__always)
  subscript(port: Int) -> Float {
    get { Float(bitPattern: words[port].load(ordering: .relaxed)) }
    nonmutating set { words[port].store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// Reports that values have changed.
  ///
  /// - Returns: True if the caller must wake the helper thread; false if an earlier change has
  ///   already woken it.
  func report() -> Bool {
    words[Self.isReported].exchange(1, ordering: .acquiringAndReleasing) == 0
  }

  /// Clears the report of changes. Call it before reading the values.
  func acknowledge() {
    _ = words[Self.isReported].exchange(0, ordering: .acquiringAndReleasing)
  }

  /// Whether the audio thread has applied the first settings. Until then, the helper thread must
  /// not use the `ListenerControl`.
  var isStarted: Bool {
    get { words[Self.hasStarted].load(ordering: .acquiring) == 1 }
    nonmutating set { words[Self.hasStarted].store(newValue ? 1 : 0, ordering: .releasing) }
  }
}
