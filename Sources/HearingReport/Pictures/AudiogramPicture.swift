public import HearingFitting

/// An audiogram in the form that clinics use.
///
///     let picture = AudiogramPicture(HearingProfile(left: .n2, right: .s1))
///     try picture.svg.data.write(to: url)
///
/// Frequency increases to the right on a logarithmic axis from 125 Hz to 8 kHz. The axis is longer
/// if there are points outside this range. Hearing level increases downwards from -10 to 120 dB HL.
/// One octave has the same length as 20 dB.
///
/// The right ear has red circles and a solid line. The left ear has blue crosses and a dashed line.
/// Masked points are triangles (right) and squares (left). A no-response point has an arrow and is
/// not joined by a line. The background shows the grades of hearing loss of the World Health
/// Organization (2021). Symbols and lines follow ANSI S3.21 and ASHA's guidelines (1990).
///
/// An unknown ear is not drawn. The legend states that it was not measured.
///
/// The picture does not show bone conduction or loudness levels, because profiles do not contain
/// them.
public struct AudiogramPicture: Sendable, Equatable {
  /// The listener.
  public var profile: HearingProfile
  /// The ears with estimated thresholds. The legend marks these ears.
  public var estimatedEars: Set<Ear>
  /// The heading of the picture. It is truncated to one line.
  public var title: String

  /// Creates a picture of a profile.
  ///
  /// - Parameters:
  ///   - profile: The listener.
  ///   - estimatedEars: The ears with estimated thresholds. Nil means all ears if the profile's
  ///     method is `.estimate`, and no ears otherwise.
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
