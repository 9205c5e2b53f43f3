package import HearingBuffers

/// The channels of a block in memory that another object owns: one row of samples per channel.
///
/// Debug builds trap on a frame outside the block. Do not use it after the memory is freed.
@safe
package struct ChannelRows: BitwiseCopyable {
  /// One pointer per channel, for functions that accept pointers.
  package let pointers: UnsafePointer<UnsafeMutablePointer<Float>>
  package let channelCount: Int
  package let frameCount: Int

  /// Unsafe: `pointers` must be `channelCount` pointers to `frameCount` samples each.
  @unsafe
  package init(
    _ pointers: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    unsafe self.pointers = pointers
    self.channelCount = channelCount
    self.frameCount = frameCount
  }

  /// The samples of one channel.
  package subscript(channel: Int) -> Row<Float> {
    precondition(channel >= 0 && channel < channelCount, "channel \(channel) of \(channelCount)")
    return unsafe Row(pointers[channel], count: frameCount)
  }

  /// Copies frames of another block with at least as many channels.
  package func copy(_ source: ChannelRows, from first: Int, to start: Int = 0, count: Int) {
    for channel in 0..<channelCount {
      self[channel].from(start).copy(source[channel].from(first), count: count)
    }
  }

  /// Replaces frames by silence.
  package func silence(from first: Int = 0, count: Int) {
    for channel in 0..<channelCount { self[channel].from(first).fill(0, count: count) }
  }
}

/// A table of pointers to rows of samples, as renderers, sources and sinks expect it.
///
///     let part = table.part(of: rows, from: 512, count: 256)
///
/// Only the initializer allocates, so the render side can point the table to other rows.
@safe
package struct ChannelTable: ~Copyable {
  private let pointers: OwnedRow<UnsafeMutablePointer<Float>>

  /// Creates a table for `channelCount` channels. Set all channels before using the rows.
  package init(channelCount: Int) {
    unsafe pointers = unsafe .filled(Row.empty.pointer, count: channelCount)
  }

  /// Points a channel to a row of samples.
  package func set(_ channel: Int, _ samples: Row<Float>) {
    unsafe pointers[channel] = unsafe samples.pointer
  }

  /// The rows to which the table points, each with `frameCount` samples.
  package func rows(frameCount: Int) -> ChannelRows {
    unsafe ChannelRows(
      UnsafePointer(pointers.row.pointer), channelCount: pointers.count, frameCount: frameCount)
  }

  /// Points the table to `count` frames of a block, starting at frame `first`. The result is valid
  /// until the table changes. The block must have as many channels as the table.
  package func part(of rows: ChannelRows, from first: Int, count: Int) -> ChannelRows {
    for channel in 0..<rows.channelCount {
      set(channel, rows[channel].part(from: first, count: count))
    }
    return self.rows(frameCount: count)
  }
}
