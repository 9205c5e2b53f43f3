import Foundation
import HearingFitting
import XCTest

@testable import HearingReport

final class ReportPageFittingTests: XCTestCase {
  private func report(
    _ profile: HearingProfile, techLevel: Int = 3
  ) throws -> (report: ReportPage, page: ParsedElement) {
    let report = ReportPage.fitting(
      profile: profile, preset: try Fitting.techLevel(techLevel).preset(for: profile))
    return (report, try ParsedElement.parse(report.html))
  }

  func test_page_meetsTheAccessibilityRules() throws {
    for profile in [
      HearingProfile(left: .n3, right: .s2), HearingProfile(left: .n7), HearingProfile(),
    ] {
      let page = try report(profile).page
      XCTAssertEqual(page.attributes["lang"], "en")
      XCTAssertEqual(page.all("h1").count, 1)
      XCTAssertEqual(page.all("main").count, 1)
      XCTAssertFalse(try XCTUnwrap(page.first("title")).text.isEmpty)
      for table in page.all("table") {
        XCTAssertFalse(try XCTUnwrap(table.first("caption")).text.isEmpty)
        XCTAssertTrue(table.all("th").allSatisfy { $0.attributes["scope"] != nil })
        let widths = table.all("tr").dropFirst().map { $0.children.count }
        XCTAssertFalse(widths.isEmpty)
      }
      for section in page.all("section") {
        let heading = try XCTUnwrap(section.first("h2"))
        XCTAssertEqual(section.attributes["aria-labelledby"], heading.attributes["id"])
      }
      for picture in page.all("svg") {
        XCTAssertEqual(picture.attributes["role"], "img")
        for reference in ["aria-labelledby", "aria-describedby"] {
          let id = try XCTUnwrap(picture.attributes[reference])
          XCTAssertTrue(picture.all.contains { $0.attributes["id"] == id })
        }
      }
      let ids = page.all.compactMap { $0.attributes["id"] }
      XCTAssertEqual(Set(ids).count, ids.count, "ids are unique")
    }
  }

  func test_page_hasNoScriptsOrExternalResources() throws {
    let (report, page) = try report(HearingProfile(left: .n3, right: .s2))
    let outside: Set<String> = [
      "script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use",
    ]
    for element in page.all {
      XCTAssertFalse(outside.contains(element.name), element.name)
      for name in element.attributes.keys {
        XCTAssertFalse(name.hasPrefix("on"), name)
        XCTAssertFalse(["src", "href", "xlink:href", "style"].contains(name), name)
      }
    }
    XCTAssertFalse(report.html.contains("url("))
    XCTAssertFalse(report.html.contains("@import"))
  }

  func test_page_hasPrintAndDarkStyles() throws {
    let html = try report(HearingProfile(left: .n3)).report.html
    XCTAssertTrue(html.hasPrefix("<!DOCTYPE html>"))
    XCTAssertTrue(html.contains("@media print"))
    XCTAssertTrue(html.contains("@media screen and (prefers-color-scheme:dark)"))
    XCTAssertTrue(html.contains("overflow-wrap:break-word"), "long words do not widen the page")
  }

  func test_tables_containThresholdsAndGains() throws {
    let profile = HearingProfile(left: .n3, right: .s2)
    let page = try report(profile).page
    let rows = page.all("table").map { table in
      table.all("tr").map { row in row.children.map(\.text) }
    }
    XCTAssertEqual(rows.count, 2)
    XCTAssertTrue(rows[0].contains(["2000 Hz", "55", "50"]))
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let gains = [Ear.right, .left].flatMap { ear in
      [50.0, 65, 80].map { preset[ear]?.gain(at: 2000, inputLevel: $0).tabular() ?? "" }
    }
    XCTAssertTrue(rows[1].contains(["2000 Hz"] + gains), "\(rows[1])")
    XCTAssertEqual(rows[1].count, 12, "two rows of headings, ten frequencies")
  }

  func test_gains_includeTheFineTuning() throws {
    let profile = HearingProfile(left: .n3, right: .n3)
    let plain = try Fitting.techLevel(3).preset(for: profile)
    var tuned = plain
    tuned.fineTuning = try FineTuning(loudness: -1, brightness: -0.5)
    let gain = try XCTUnwrap(tuned.fineTuned.left).gain(at: 2000, inputLevel: 65)
    XCTAssertLessThan(gain, try XCTUnwrap(plain.left).gain(at: 2000, inputLevel: 65) - 6)
    for page in [
      ReportPage.fitting(profile: profile, preset: tuned), ReportPage.fitting(preset: tuned),
    ] {
      let row = try XCTUnwrap(
        ParsedElement.parse(page.html).all("tr").last { $0.first("th")?.text == "2000 Hz" })
      XCTAssertEqual(row.all("td")[1].text, gain.tabular())
      XCTAssertTrue(page.html.contains(tuned.id), "the identity of the preset of the listener")
      XCTAssertTrue(page.html.contains("Left ear, 2000 Hz, 65 dB SPL: \(gain.readable()) dB"))
    }
    let audiogram = try XCTUnwrap(profile.left)
    let index = audiogram.speechIntelligibilityIndex(through: try XCTUnwrap(tuned.fineTuned.left))
    XCTAssertNotEqual(
      AudibilityPicture.percent(index),
      AudibilityPicture.percent(
        audiogram.speechIntelligibilityIndex(through: try XCTUnwrap(plain.left))))
    let html = ReportPage.fitting(profile: profile, preset: tuned).html
    XCTAssertTrue(html.contains("and \(AudibilityPicture.percent(index)) with processing"))
  }

  func test_limitedThreshold_isExplainedWithoutARange() throws {
    let left = try Audiogram(points: [
      .init(frequency: 500, threshold: 40), .init(frequency: 1000, threshold: 85, isClamped: true),
    ])
    let text = try report(HearingProfile(left: left)).page.wholeText
    XCTAssertTrue(text.contains("85, limited"))
    XCTAssertTrue(text.contains("The true threshold may lie beyond it"), text)
    XCTAssertFalse(text.contains("outside −10 to 120 dB HL"))
  }

  func test_text_statesTheBasisOfTheFitting() throws {
    let text = try report(HearingProfile(left: .n3, right: .n3)).page.wholeText
    for words in [
      "sensorineural", "All sound levels on this page are nominal", "104.8 dB SPL",
      "free field", "2 cm³ coupler", "limit 117", "5 dB below discomfort",
      "Comfortable speech",
      "What the words mean", "46.3 dB HL, average", "Moderate",
    ] {
      XCTAssertTrue(text.contains(words), words)
    }
  }

  func test_advice_namesTheFindings() throws {
    let silent = try Audiogram(points: [
      .init(frequency: 500, threshold: 20),
      .init(frequency: 4000, threshold: 110, isNoResponse: true),
    ])
    for (profile, words) in [
      (HearingProfile(left: .n3, right: .n3, method: .estimate), "These thresholds were not"),
      (HearingProfile(left: .n3), "Right ear: not measured"),
      (HearingProfile(), "Neither ear was measured"),
      (HearingProfile(left: .n1, right: .n6), "The two ears differ by up to 75 dB"),
      (HearingProfile(left: silent, right: .n1), "Left ear: 1000, 2000 Hz not measured"),
      (
        HearingProfile(left: silent, right: .n1),
        "At some frequencies the loudest tone of the test was not heard"
      ),
    ] {
      let page = try report(profile).page
      let advice = page.all("div").filter { $0.has(class: "advice") }.map(\.wholeText).joined()
      XCTAssertTrue(advice.contains(words), "\(words) not in: \(advice)")
    }
    let page = try report(HearingProfile(left: .n3, right: .n3)).page
    XCTAssertFalse(page.all("div").contains { $0.has(class: "advice") })
  }

  func test_textAboutNoResponse_statesTheAssumedThreshold() throws {
    let silent = try Audiogram(points: [
      .init(frequency: 500, threshold: 20),
      .init(frequency: 4000, threshold: 110, isNoResponse: true),
    ])
    let text = try report(HearingProfile(left: silent, right: .n1)).page.wholeText
    let words =
      "Left ear, no response: the fitting assumes a threshold of 115 dB HL at 4000 Hz "
      + "(tested up to 110)."
    XCTAssertTrue(text.contains(words), text)
    XCTAssertFalse(text.contains("Right ear, no response"))
  }

  func test_grade_isStatedOnlyIfBothEarsAreMeasuredOrBothAreEstimated() throws {
    let profile = HearingProfile(left: .n6, right: .n1)
    let preset = try Fitting.techLevel(3).preset(for: profile)
    for (ears, isGraded) in [(Set<Ear>(), true), ([.right], false), ([.left, .right], true)] {
      let report = ReportPage.fitting(profile: profile, preset: preset, estimatedEars: ears)
      XCTAssertEqual(report.html.contains("Grade of hearing loss"), isGraded, "\(ears)")
    }
    XCTAssertFalse(try self.report(HearingProfile(left: .n6)).report.html.contains("Grade of hear"))
  }

  func test_grade_isTheGradeOfTheBetterEar() throws {
    for (left, right, words) in [
      (Audiogram.n6, Audiogram.n1, "Normal: conversation is easy in quiet and little affected"),
      (.n1, .n6, "Normal: conversation is easy in quiet and little affected"),
      (.n5, .n3, "Moderate: conversation can be difficult in quiet"),
      (.n4, .n6, "Moderately severe: conversation is difficult"),
      (.n6, .n6, "Profound: conversation is not heard"),
    ] {
      let page = try report(HearingProfile(left: left, right: right)).page
      let grades = page.all("div").filter {
        $0.children.first?.text.hasPrefix("Grade of hearing loss") == true
      }
      XCTAssertEqual(grades.count, 1)
      let meaning = try XCTUnwrap(grades.first?.first("dd")).text
      XCTAssertTrue(meaning.hasPrefix(words), meaning)
    }
  }

  func test_linearPreset_isCalledLinear() throws {
    let text = try report(HearingProfile(left: .n3, right: .n3), techLevel: 2).page.wholeText
    XCTAssertTrue(text.contains("This setting is linear"))
    XCTAssertTrue(text.contains("Byrne, Parkinson & Newall 1990"))
  }

  func test_everyRule_hasADescriptionWithItsSource() throws {
    for rule in PrescriptionRule.all {
      let description = try XCTUnwrap(RuleDescription(name: rule.name), rule.name)
      XCTAssertFalse(description.source.isEmpty)
    }
  }

  func test_untrustedText_isEscaped() throws {
    let hostile = "</p><script>alert('1')</script>&\u{1}"
    var preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3))
    preset.rule = hostile
    var report = ReportPage.fitting(
      profile: HearingProfile(left: .n3, method: MeasurementMethod(rawValue: hostile)),
      preset: preset, title: hostile)
    report.sections.append(
      ReportSection(
        title: hostile,
        blocks: [
          .paragraph(hostile), .advice([hostile]), .list([hostile]), .terms([hostile: hostile]),
          .table(
            ReportTable(
              caption: hostile, corner: hostile, groups: [(hostile, [hostile])],
              rows: [(hostile, [hostile])])),
        ]))
    let page = try ParsedElement.parse(report.html)
    XCTAssertTrue(page.all("script").isEmpty)
    XCTAssertGreaterThan(page.wholeText.components(separatedBy: "<script>").count, 10)
  }

  func test_insertedSections_keepTheirPosition() throws {
    let profile = HearingProfile(left: .n3)
    var report = try report(profile).report
    let count = report.sections.count
    report.sections.insert(
      ReportSection(
        title: "Measured",
        blocks: [.picture(AudiogramPicture(profile).svg, caption: "The same once more.")]), at: 1)
    let page = try ParsedElement.parse(report.html)
    XCTAssertEqual(page.all("h2").count, count + 1)
    XCTAssertEqual(page.all("h2")[1].text, "Measured")
    let ids = page.all.compactMap { $0.attributes["id"] }
    XCTAssertEqual(Set(ids).count, ids.count)
  }

  func test_page_statesDateAndMethodOfTheMeasurement() throws {
    let profile = HearingProfile(
      left: .n3, measuredAt: Date(timeIntervalSince1970: 1_741_944_413), method: .selfTest)
    let text = try report(profile).page.wholeText
    XCTAssertTrue(text.contains("in a self-test, 14 March 2025 (UTC)"))
  }

  func test_notesOnTheMeasurement_andTheNextSteps_areStated() throws {
    let profile = HearingProfile(left: .n3, right: .n3)
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let note = "the result is preliminary & was not confirmed"
    let page = ReportPage.fitting(profile: profile, preset: preset, notes: [note]).html
    XCTAssertTrue(page.contains("Notes: the result is preliminary &amp; was not confirmed."))
    XCTAssertTrue(page.contains("What to do next: start in a quiet place at a low volume"))
    XCTAssertFalse(
      ReportPage.fitting(profile: profile, preset: preset).html.contains("preliminary"))
    let clinical = ReportPage.clinical(profile: profile, preset: preset, notes: [note]).data
    XCTAssertTrue(String(decoding: clinical, as: UTF8.self).contains("preliminary &amp; was"))
  }

  func test_equalInputs_makeEqualPages() throws {
    let profile = HearingProfile(left: .n3, right: .s1)
    XCTAssertEqual(try report(profile).report.data, try report(profile).report.data)
  }

  func test_bandLevels_areNotDescribedAsConversationLevels() throws {
    let profile = HearingProfile(left: .n3)
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let html = ReportPage.fitting(profile: profile, preset: preset).html
    XCTAssertFalse(html.contains("average sounds (65 dB SPL, conversation)"))
    XCTAssertTrue(html.contains("50, 65 and 80 dB SPL in the band"))
    XCTAssertTrue(html.contains("about 42 dB SPL at 4000 Hz"))
    let speech = try XCTUnwrap(SpeechAudibility.thirdOctaves().first { $0.frequency == 4000 })
    XCTAssertEqual(speech.level, 42, accuracy: 3)
  }

  func test_averageWithANoResponsePoint_isReportedAsALowerBound() throws {
    let audiogram = try Audiogram(points: [
      .init(frequency: 500, threshold: 30), .init(frequency: 1000, threshold: 40),
      .init(frequency: 2000, threshold: 60),
      .init(frequency: 4000, threshold: 90, isNoResponse: true),
    ])
    let profile = HearingProfile(left: audiogram, right: .n3)
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let text = ReportPage.fitting(profile: profile, preset: preset).html
    XCTAssertTrue(text.contains("at least 55 dB HL, average"))
    XCTAssertFalse(text.contains("at least 46.3 dB HL"))
  }

  func test_simulatedTest_isDescribedAsSimulated() {
    let profile = HearingProfile(left: .n3, method: MeasurementMethod(rawValue: "simulation"))
    let text = ReportPage.measurement(of: profile, notes: [])
    XCTAssertTrue(text.hasPrefix("Simulated: a program answered the hearing test"), text)
  }
}
