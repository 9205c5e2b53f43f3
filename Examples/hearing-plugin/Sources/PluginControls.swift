import HearingBuffers
import HearingPluginRuntime
import Synchronization

/// The values of the controls, which the audio thread writes and the helper thread reads, and the
/// states of files, which the helper thread writes and the audio thread reads.
///
/// Each value is an atomic word. If the helper reads during a change, it may get both old and new
/// values; the change is then reported again.
struct PluginControls {
  private let words: Row<Atomic<UInt32>>
  /// Whether the helper was woken for a change that it has not read yet.
  private static let isReported = PortCount
  private static let hasStarted = PortCount + 1
  private static let wordCount = PortCount + 2

  /// Default values.
  init() {
    words = .allocated(count: Self.wordCount) { index in
      let isControl = (PortEnabled..<PortReduction).contains(index)
      return Atomic(isControl ? PluginPort.range(of: index).usual.bitPattern : 0)
    }
  }

  /// Frees the memory; no copy may be used afterwards.
  func deallocate() { words.deallocate(count: Self.wordCount) }

  /// The value at a port.
  @inline(__always)
  subscript(port: Int) -> Float {
    get { Float(bitPattern: words[port].load(ordering: .relaxed)) }
    nonmutating set { words[port].store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// Reports that values have changed.
  ///
  /// - Returns: Whether the helper must be woken; false if an earlier change has already woken it.
  func report() -> Bool {
    words[Self.isReported].exchange(1, ordering: .acquiringAndReleasing) == 0
  }

  /// Clears the report of changes. Call it before reading the values.
  func acknowledge() {
    _ = words[Self.isReported].exchange(0, ordering: .acquiringAndReleasing)
  }

  /// Whether the first block has been rendered. Before that, the helper must not use the listener.
  var isStarted: Bool {
    get { words[Self.hasStarted].load(ordering: .acquiring) == 1 }
    nonmutating set { words[Self.hasStarted].store(newValue ? 1 : 0, ordering: .releasing) }
  }
}
