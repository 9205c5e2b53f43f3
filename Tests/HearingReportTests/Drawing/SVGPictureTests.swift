import HearingFitting
import XCTest

@testable import HearingReport

final class SVGPictureTests: XCTestCase {
  private let hostile = "<script>alert(1)</script> & \"quoted\" ]]> \u{0} \u{202E}"

  func test_document_hasTitleAndDescriptionForScreenReaders() throws {
    let picture = AudiogramPicture(HearingProfile(left: .n2), title: "Audiogram of <A>").svg
    let root = try ParsedElement.parse(picture.text)
    XCTAssertEqual(root.attributes["role"], "img")
    let title = try XCTUnwrap(root.children.first { $0.name == "title" })
    let summary = try XCTUnwrap(root.children.first { $0.name == "desc" })
    XCTAssertEqual(root.attributes["aria-labelledby"], title.attributes["id"])
    XCTAssertEqual(root.attributes["aria-describedby"], summary.attributes["id"])
    XCTAssertEqual(title.text, "Audiogram of <A>")
    XCTAssertTrue(summary.text.contains("1000 Hz 25"))
    XCTAssertTrue(summary.text.contains("Right ear: not measured"))
  }

  func test_document_followsTheColourSchemeAndHasNoExternalReferences() throws {
    for picture in [
      AudiogramPicture(HearingProfile(left: .n2, right: .s3)).svg,
      InsertionGainPicture(Preset(left: nil, right: nil)).svg,
    ] {
      XCTAssertTrue(picture.text.contains("prefers-color-scheme:dark"))
      for outside in ["href", "url(", "@import", "<script", "<image", "<foreignObject"] {
        XCTAssertFalse(picture.text.contains(outside), outside)
      }
      let addresses = picture.text.components(separatedBy: "http").count - 1
      XCTAssertEqual(addresses, 1, "the name of the SVG namespace only")
    }
  }

  func test_untrustedTitle_isEscaped() throws {
    let picture = AudiogramPicture(HearingProfile(), title: hostile).svg
    let root = try ParsedElement.parse(picture.text)
    XCTAssertTrue(root.all("script").isEmpty)
    XCTAssertTrue(root.children[0].text.contains("<script>alert(1)</script>"))
  }

  func test_longTitle_staysWithinThePicture() throws {
    let title = String(repeating: "Audiogram of a person with a very long name ", count: 20)
    for layout in [PictureLayout.wide, .narrow] {
      let picture = try ParsedPicture(
        AudiogramPicture(HearingProfile(), title: title).svg, isNarrow: layout.isNarrow)
      XCTAssertLessThanOrEqual(try XCTUnwrap(picture.texts.first).right, layout.width)
      XCTAssertEqual(picture.root.children[0].text, title)
    }
  }

  func test_styleSheets_containNoMarkupCharacters() {
    for sheet in [PictureStyle.sheet, PageStyle.sheet] {
      XCTAssertFalse(sheet.contains(where: { "<>&".contains($0) }))
    }
  }

  func test_everyStyleClassInAPicture_isInTheStyleSheet() throws {
    let preset = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .s2))
    let pictures = [
      AudiogramPicture(HearingProfile(left: .n3, right: .s2)).svg,
      InsertionGainPicture(preset).svg, InputOutputPicture(preset).svg,
    ]
    for element in try pictures.flatMap({ try ParsedElement.parse($0.text).all }) {
      for style in (element.attributes["class"] ?? "").split(separator: " ")
      where !["hearing-picture", "hp-point", "hp-arrow"].contains(style) {
        XCTAssertTrue(PictureStyle.sheet.contains(".\(style)"), "\(style)")
      }
    }
  }
}
