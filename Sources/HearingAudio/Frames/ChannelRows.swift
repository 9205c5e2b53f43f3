package import HearingBuffers

/// A view of planar samples with one row per channel. Another object owns the memory.
///
/// In a debug build, an access outside the rows stops the program. Do not use the view after the
/// other object has freed the memory.
@safe
package struct ChannelRows: BitwiseCopyable {
  /// A list with one pointer per channel, for functions that accept pointers.
  ///
  /// Unsafe: the initializer's caller guarantees `channelCount` pointers. Each pointer refers to
  /// `frameCount` samples.
  package let pointers: UnsafePointer<UnsafeMutablePointer<Float>>
  package let channelCount: Int
  package let frameCount: Int

  /// The samples of one channel.
  package subscript(channel: Int) -> Row<Float> {
    precondition(channel >= 0 && channel < channelCount, "channel \(channel) of \(channelCount)")
    // Unsafe: the channel exists, and the initializer's caller guarantees the channel's samples.
    return unsafe Row(pointers[channel], count: frameCount)
  }

  /// Sets `count` frames to 0, starting at frame `first`.
  package func silence(from first: Int = 0, count: Int) {
    for channel in 0..<channelCount { self[channel].from(first).fill(0, count: count) }
  }
}

/// A table of pointers to rows of samples, for functions that accept one pointer per channel.
///
///     let part = table.part(of: rows, from: 512, count: 256)
///
/// Initially, the pointers refer to samples that the table owns. The render thread may change the
/// pointers, because a change allocates no memory.
@safe
package struct ChannelTable: ~Copyable {
  private let samples: OwnedRow<Float>
  private let pointers: OwnedRow<UnsafeMutablePointer<Float>>

  /// Creates a table with memory for `capacity` frames of `channelCount` channels. All samples are
  /// 0. If `capacity` is 0, call `set` for every channel before you use the rows.
  package init(channelCount: Int, capacity: Int = 0) {
    // Each row starts at a multiple of 64 bytes. Therefore loading a vector of samples never
    // crosses a cache line.
    let stride = (capacity + 15) & ~15
    samples = .filled(0, count: stride * channelCount + 15)
    // Unsafe: only the address is read, not the samples.
    let first = unsafe -(Int(bitPattern: samples.row.pointer) / MemoryLayout<Float>.stride) & 15
    // Unsafe: the table owns the samples to which the pointers refer.
    unsafe pointers = OwnedRow(count: channelCount) { [samples = samples.row] channel in
      unsafe samples.from(first + channel * stride).pointer
    }
  }

  /// Sets the pointer of a channel to a row of samples.
  package func set(_ channel: Int, _ samples: Row<Float>) {
    // Unsafe: this method only stores the address. `rows(frameCount:)` states the conditions for
    // reading the samples.
    unsafe pointers[channel] = unsafe samples.pointer
  }

  /// A view of the first `frameCount` samples of each row to which the table points. Every row must
  /// have at least `frameCount` samples. Retain the table while you use the view.
  package func rows(frameCount: Int) -> ChannelRows {
    // Unsafe: the table has `pointers.count` pointers, and the caller guarantees the samples of
    // every row.
    unsafe ChannelRows(
      pointers: UnsafePointer(pointers.row.pointer), channelCount: pointers.count,
      frameCount: frameCount)
  }

  /// Makes the table point to `count` frames of `rows`, starting at frame `first`. Returns a view
  /// of these frames. The view is valid until the table changes. `rows` must have as many channels
  /// as the table.
  package func part(of rows: ChannelRows, from first: Int, count: Int) -> ChannelRows {
    for channel in 0..<rows.channelCount {
      set(channel, rows[channel].part(from: first, count: count))
    }
    return self.rows(frameCount: count)
  }
}
