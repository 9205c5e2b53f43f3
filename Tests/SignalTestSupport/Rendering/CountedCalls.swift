import Foundation
package import HearingDSP
package import RealTimeProbe

/// Counts the calls that a render thread must not make, such as allocations and locks.
///
/// This module is optimized. An unoptimized function would itself count references to the
/// processor.
package enum CountedCalls {
  /// The calls while `processor` renders `frameCount` frames in blocks of `block` frames. Each
  /// block is rendered twice: planar and interleaved.
  @inline(never)
  package static func rendering(
    _ processor: BandGainProcessor, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ frames: UnsafeMutablePointer<Float>, frameCount: Int, block: Int
  ) -> RealTimeProbeCounts {
    real_time_probe_start()
    var done = 0
    while done < frameCount {
      let count = min(block, frameCount - done)
      processor.process(channels, frameCount: count)
      processor.processInterleaved(frames, frameCount: count)
      done += count
    }
    return real_time_probe_stop()
  }

  /// The calls while `processor` is reset.
  @inline(never)
  package static func resetting(_ processor: BandGainProcessor) -> RealTimeProbeCounts {
    real_time_probe_start()
    processor.reset()
    return real_time_probe_stop()
  }
}

/// Makes calls that a render thread must not make, and counts them.
package final class ForbiddenCalls {
  private final class Something {}
  private var held: Something?

  package init() {}

  @inline(never)
  private func hold(_ something: Something?) {
    held = something
  }

  /// Writes a property in a way that the optimiser cannot remove.
  @inline(never)
  @_optimize(none)
  private func use(_ path: ReferenceWritableKeyPath<ForbiddenCalls, Something?>) {
    self[keyPath: path] = nil
  }

  /// Allocates and deallocates memory.
  package func memory() -> RealTimeProbeCounts {
    real_time_probe_start()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    memory.storeBytes(of: 1, as: Int.self)
    memory.deallocate()
    return real_time_probe_stop()
  }

  /// Locks and unlocks a lock.
  package func lock() -> RealTimeProbeCounts {
    let lock = NSLock()
    real_time_probe_start()
    lock.lock()
    lock.unlock()
    return real_time_probe_stop()
  }

  /// Retains and releases an object.
  package func references() -> RealTimeProbeCounts {
    let kept = Something()
    real_time_probe_start()
    hold(kept)
    hold(nil)
    return real_time_probe_stop()
  }

  /// Creates an array.
  package func object() -> (counts: RealTimeProbeCounts, array: [Int]) {
    real_time_probe_start()
    let array = (0..<Int.random(in: 3...4)).map { $0 }
    return (real_time_probe_stop(), array)
  }

  /// Writes a property with a check of exclusive access.
  package func access() -> RealTimeProbeCounts {
    real_time_probe_start()
    hold(Something())
    use(\.held)
    return real_time_probe_stop()
  }
}
