internal import Foundation
public import HearingFitting

extension ReportPage {
  /// A page that explains a fitting to the listener, with pictures, tables and definitions of
  /// terms.
  ///
  ///     var report = ReportPage.fitting(profile: profile, preset: preset)
  ///     report.sections.append(ReportSection(title: "Measured", blocks: [.table(table)]))
  ///     try report.data.write(to: url)           // a file whose name ends in .html
  ///
  /// The page lists missing data, estimated data, and findings that a professional should examine.
  /// The gains on the page include the fine tuning. The page is not a diagnosis. An app may add its
  /// own sections.
  ///
  /// - Parameters:
  ///   - profile: The hearing profile of the listener.
  ///   - preset: The preset that was computed from the profile.
  ///   - estimatedEars: The ears with estimated thresholds. If the value is nil, the method of the
  ///     profile determines the ears. For the method `.estimate`, both ears are estimated. For any
  ///     other method, no ear is estimated.
  ///   - title: The title of the page. The text is escaped. Therefore a text from an untrusted
  ///     source is safe.
  ///   - notes: Sentences about the measurement, such as `ImportedProfile.notes`.
  public static func fitting(
    profile: HearingProfile, preset: Preset, estimatedEars: Set<Ear>? = nil,
    title: String = "Your hearing and its fitting", notes: [String] = []
  ) -> ReportPage {
    let estimatedEars = profile.estimatedEars(unless: estimatedEars)
    let tuned = preset.fineTuned
    let parts: [ReportSection?] = [
      .summary(of: profile, estimatedEars: estimatedEars, preset: tuned),
      .hearing(profile, estimatedEars: estimatedEars), .audibility(of: profile, preset: tuned),
      .measurement(of: profile), .gain(tuned, profile: profile), .loudness(tuned),
    ]
    return ReportPage(
      title: title, introduction: measurement(of: profile, notes: notes),
      sections: explained(parts.compactMap { $0 }, preset: preset), footer: fittingFooter)
  }

  /// A page that explains a preset, with its fine tuning. The page needs no hearing profile.
  ///
  /// - Parameters:
  ///   - preset: The listener's preset.
  ///   - title: The title of the page. The text is escaped. Therefore a text from an untrusted
  ///     source is safe.
  public static func fitting(
    preset: Preset, title: String = "A preset and its effect"
  ) -> ReportPage {
    let tuned = preset.fineTuned
    let parts: [ReportSection?] = [.gain(tuned, profile: nil), .loudness(tuned)]
    return ReportPage(
      title: title,
      introduction: "Made from a preset alone; the listener's audiogram is not known.",
      sections: explained(parts.compactMap { $0 }, preset: preset), footer: fittingFooter)
  }

  private static let fittingFooter =
    "This page describes settings for sound processing. It is not a diagnosis and does not replace "
    + "an examination by a professional."

  /// Appends two sections to `sections`: the definitions of the terms on the page, and the rule
  /// with the limits of the fitting.
  private static func explained(_ sections: [ReportSection], preset: Preset) -> [ReportSection] {
    let basis = ReportSection.basis(of: preset)
    return sections + [.glossary(in: sections + [basis]), basis]
  }

  /// A sentence about the origin of the profile's thresholds, and then the sentences in `notes`.
  static func measurement(of profile: HearingProfile, notes: [String]) -> String {
    let notes = notes.isEmpty ? "" : " Notes: \(notes.joined(separator: "; "))."
    if let standard = Audiogram.standards.first(where: {
      $0.audiogram == profile.left && $0.audiogram == profile.right
    }) {
      return "Standard audiogram \(standard.name) for both ears (Bisgaard, Vlaming & Dahlquist "
        + "2010), not a listener's own.\(notes)"
    }
    let how: String
    switch profile.method {
    case .estimate?: how = "Estimated from age and sex, not measured"
    case .pureToneAudiometry?: how = "Measured by pure-tone audiometry"
    case .selfTest?: how = "Measured by the listener in a self-test"
    case .simulation?:
      how = "Simulated: a program answered the hearing test, not a person"
    case let method?: how = "Measured by: \(method.rawValue)"
    case nil: how = "The method of measurement is not known"
    }
    let date = profile.measuredAt.map { ", \($0.englishDay) (UTC)." } ?? "; the date is not known."
    return how + date + notes
  }
}
