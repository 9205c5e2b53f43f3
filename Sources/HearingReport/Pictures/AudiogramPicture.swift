public import HearingFitting

/// A picture of an audiogram, in the form that clinics use.
///
///     let picture = AudiogramPicture(HearingProfile(left: .n2, right: .s1))
///     try picture.svg.data.write(to: url)
///
/// On the horizontal axis, frequency increases to the right on a logarithmic scale from 125 Hz to 8
/// kHz. The axis is longer if there are points outside this range. On the vertical axis, hearing
/// level increases downwards from -10 to 120 dB HL. One octave is as long as 20 dB.
///
/// The right ear has red circles and a solid line. The left ear has blue crosses and a dashed line.
/// Masked points are triangles (right) and squares (left). A no-response point has an arrow and is
/// not joined by a line. The background shows the grades of hearing loss of the World Health
/// Organization (2021). Symbols and lines follow ANSI S3.21 and ASHA's guidelines (1990).
///
/// If an ear is unknown, the picture does not show it. The legend then says that this ear was not
/// measured.
///
/// The picture does not show bone conduction or loudness levels, because profiles do not contain
/// them.
public struct AudiogramPicture: Sendable, Equatable {
  /// The hearing profile of the listener.
  public var profile: HearingProfile
  /// The ears whose thresholds are estimates. The legend marks these ears.
  public var estimatedEars: Set<Ear>
  /// The title of the picture. If the title is longer than one line, it is cut off.
  public var title: String

  /// Creates a picture of a profile.
  ///
  /// - Parameters:
  ///   - profile: The hearing profile of the listener.
  ///   - estimatedEars: The ears whose thresholds are estimates. If nil, the
  ///     thresholds of all ears are estimates if the profile's method is `.estimate`, and those of
  ///     neither ear are estimates if the profile has another method.
  ///   - title: The title of the picture.
  public init(
    _ profile: HearingProfile, estimatedEars: Set<Ear>? = nil, title: String = "Audiogram"
  ) {
    self.profile = profile
    self.estimatedEars = profile.estimatedEars(unless: estimatedEars)
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      guard let audiogram = profile[ear] else { return "\(ear.title): not measured." }
      let points = audiogram.points.map { point in
        "\(point.frequency.readable()) Hz \(point.threshold.readable())"
          + (point.isMasked ? " masked" : "") + (point.isNoResponse ? " no response" : "")
      }
      let kind = estimatedEars.contains(ear) ? "estimated thresholds" : "thresholds"
      return "\(ear.title), \(kind) in dB HL: \(points.joined(separator: ", "))."
    }
  }
}
