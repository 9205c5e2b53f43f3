public import Foundation
public import HearingFitting

/// A page that explains a fitting to the listener: pictures, tables, and what the words mean.
///
///     var report = FittingReport(profile: profile, preset: preset)
///     report.sections.append(ReportSection(title: "Measured", blocks: [.table(table)]))
///     try report.data.write(to: url)           // a file that ends in .html
///
/// One HTML document in English, complete in itself: no scripts, nothing loaded from elsewhere. It
/// follows the reader's light or dark colour scheme, can be printed, and works with a screen
/// reader. Equal inputs make equal pages.
///
/// The page says what a professional would: where data are missing, estimated or point to a cause
/// that should be looked for. It is no diagnosis and does not replace one.
public struct FittingReport: Sendable, Equatable {
  /// The heading of the page; it may hold anything.
  public var title: String
  /// The parts of the page, in order: those that every report has, until others are added.
  public var sections: [ReportSection]

  private let measurement: String

  /// A report on what was measured and on the preset that was made from it.
  ///
  /// - Parameters:
  ///   - profile: The listener.
  ///   - preset: What was made for the listener.
  ///   - estimatedEars: Whose thresholds stand in for a measurement; nil: all if the profile's
  ///     method is `.estimate`, else none.
  ///   - title: The heading of the page.
  public init(
    profile: HearingProfile, preset: Preset, estimatedEars: Set<Ear>? = nil,
    title: String = "Your hearing and its fitting"
  ) {
    let estimatedEars = profile.estimatedEars(unless: estimatedEars)
    self.title = title
    measurement = Self.measurement(of: profile)
    let parts: [ReportSection?] = [
      .summary(of: profile, estimatedEars: estimatedEars, preset: preset),
      .hearing(profile, estimatedEars: estimatedEars),
      .measurement(of: profile),
      .gain(preset),
      .loudness(preset),
      .words,
      .grounds(of: preset),
    ]
    sections = parts.compactMap { $0 }
  }

  /// A report on a preset alone, where what was measured of the listener's hearing is not known.
  ///
  /// - Parameters:
  ///   - preset: What was made for the listener.
  ///   - title: The heading of the page.
  public init(preset: Preset, title: String = "A setting and what it does") {
    self.title = title
    measurement = "Made from a setting; what was measured of the listener's hearing is not known."
    let parts: [ReportSection?] = [
      .gain(preset), .loudness(preset), .words, .grounds(of: preset),
    ]
    sections = parts.compactMap { $0 }
  }

  /// The page.
  public var html: String {
    let head = MarkupElement(
      "head", [:],
      [
        MarkupElement("meta", ["charset": "utf-8"]),
        MarkupElement(
          "meta",
          [
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'; style-src 'unsafe-inline'",
          ]),
        MarkupElement(
          "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        MarkupElement("title", text: title),
        MarkupElement("style", text: PageStyle.sheet + "\n" + PictureStyle.sheet),
      ])
    let header = MarkupElement(
      "header", [:], [MarkupElement("h1", text: title), MarkupElement("p", text: measurement)])
    let main = MarkupElement(
      "main", [:],
      sections.enumerated().map { $0.element.markup(id: "section-\($0.offset + 1)") })
    let footer = MarkupElement(
      "footer", [:],
      [
        MarkupElement(
          "p",
          text: "This page describes a setting for sound processing. It is not a diagnosis and "
            + "does not replace an examination by a professional.")
      ])
    let body = MarkupElement("body", [:], [header, main, footer])
    let page = MarkupElement(
      "html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"], [head, body])
    return "<!DOCTYPE html>\n" + page.written + "\n"
  }

  /// The page in UTF-8.
  public var data: Data { Data(html.utf8) }

  private static func measurement(of profile: HearingProfile) -> String {
    let how: String
    switch profile.method {
    case .estimate?: how = "Estimated from age and sex, not measured"
    case .pureToneAudiometry?: how = "Measured by pure-tone audiometry"
    case .selfTest?: how = "Measured by the listener, with a self-test"
    case let method?: how = "Measured by: \(method.rawValue)"
    case nil: how = "How it was measured is not known"
    }
    guard let date = profile.measuredAt else { return how + "; the date is not known." }
    return how + ", \(date.englishDay) (UTC)."
  }
}
