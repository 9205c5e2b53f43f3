public import HearingFitting

/// An audiogram in the form that clinics use.
///
///     let picture = AudiogramPicture(HearingProfile(left: .n2, right: .s1))
///     try picture.svg.data.write(to: url)
///
/// Frequency increases to the right on a logarithmic axis from 125 Hz to 8 kHz (further if there
/// are points outside), hearing level downwards from -10 to 120 dB HL; an octave is as wide as
/// 20 dB are high. The right ear has red circles and a solid line, the left ear blue crosses and a
/// dashed line; masked points are triangles and squares. A no-response point has an arrow and is
/// not joined by a line. The background shows the grades of hearing loss of the World Health
/// Organization (2021). Symbols and lines follow ANSI S3.21 and ASHA's guidelines (1990).
///
/// An unknown ear is not drawn; the legend says so.
///
/// Not for bone conduction or loudness levels, which profiles do not contain.
public struct AudiogramPicture: Sendable, Equatable {
  /// The listener.
  public var profile: HearingProfile
  /// The ears with estimated thresholds; the legend marks them.
  public var estimatedEars: Set<Ear>
  /// The heading of the picture; truncated to one line.
  public var title: String

  /// A picture of a profile.
  ///
  /// - Parameters:
  ///   - profile: The listener.
  ///   - estimatedEars: The ears with estimated thresholds; nil: all if the profile's method is
  ///     `.estimate`, otherwise none.
  ///   - title: The heading of the picture.
  public init(
    _ profile: HearingProfile, estimatedEars: Set<Ear>? = nil, title: String = "Audiogram"
  ) {
    self.profile = profile
    self.estimatedEars = profile.estimatedEars(unless: estimatedEars)
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture {
    SVGPicture(title: title, summary: summary) { canvas in
      AudiogramDrawing(profile, estimatedEars: estimatedEars, layout: canvas.layout)
        .draw(on: &canvas)
    }
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      guard let audiogram = profile[ear] else { return "\(ear.title): not measured." }
      let points = audiogram.points.map { point in
        "\(point.frequency.readable()) Hz \(point.threshold.readable())"
          + (point.isMasked ? " masked" : "") + (point.isNoResponse ? " no response" : "")
      }
      let kind = estimatedEars.contains(ear) ? "estimated thresholds" : "thresholds"
      return "\(ear.title), \(kind) in dB HL: \(points.joined(separator: ", "))."
    }
    return ears.joined(separator: " ")
  }
}
