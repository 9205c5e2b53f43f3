import Foundation

/// A picture of the levels of audio as a function of time and frequency, before and after
/// processing.
///
///     let picture = SpectrogramPicture(
///       edges: [100, 1000, 8000], secondsPerColumn: 0.5,
///       before: [[-30, -45], [-32, -41]], after: [[-31, -60], [-33, -58]])
///     try picture.svg.data.write(to: url)
///
/// Time increases to the right. Frequency increases upwards on a logarithmic axis. A stronger
/// colour means a higher level, in steps of 5 dB. Levels that are more than 60 dB below the maximum
/// of both panels are not drawn.
///
/// The picture consists of rectangles. A page can show at most a few hundred columns.
public struct SpectrogramPicture: Sendable, Equatable {
  /// The edges of the bands in Hz, in ascending order and above 0. There is one edge more than
  /// there are bands.
  public let edges: [Double]
  /// The time that a column covers, in seconds.
  public let secondsPerColumn: Double
  /// The level in dB of each band before processing, `[column][band]`. The level of silence is −∞.
  public let before: [[Double]]
  /// The level in dB of each band after processing, `[column][band]`. The level of silence is −∞.
  public let after: [[Double]]
  /// The title of the picture. If the title is longer than one line, it is cut off.
  public var title: String
  /// The time spans in seconds in which the audio was muted intentionally. The picture marks these
  /// time spans, because they are not an effect of the processing.
  public var muted: [Range<Double>]

  /// Creates a picture of levels in dB, indexed by `[column][band]`.
  public init(
    edges: [Double], secondsPerColumn: Double, before: [[Double]], after: [[Double]],
    title: String = "Before and after", muted: [Range<Double>] = []
  ) {
    precondition(
      edges.count >= 2 && edges.allSatisfy { $0 > 0 && $0.isFinite }
        && zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "bands between \(edges) Hz")
    precondition(
      secondsPerColumn > 0 && secondsPerColumn.isFinite, "columns of \(secondsPerColumn) s")
    for column in before + after {
      precondition(
        column.count == edges.count - 1, "\(column.count) levels for \(edges.count - 1) bands")
    }
    self.edges = edges
    self.secondsPerColumn = secondsPerColumn
    self.before = before
    self.after = after
    self.title = title
    self.muted = muted
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    let seconds = Double(max(before.count, after.count)) * secondsPerColumn
    let (low, high) = (edges[0].readable(places: 0), edges[edges.count - 1].readable(places: 0))
    return "\(seconds.readable()) s of sound, \(low) to \(high) Hz. Mean level before "
      + "\(Self.meanLevel(of: before)), after \(Self.meanLevel(of: after))."
  }

  /// The mean level of all columns, as text.
  private static func meanLevel(of columns: [[Double]]) -> String {
    let power = columns.joined().filter(\.isFinite).reduce(0) { $0 + pow(10, $1 / 10) }
    guard power > 0, power.isFinite else { return "silent" }
    return "\((10 * log10(power / Double(columns.count))).readable()) dB"
  }
}
