import XCTest

@testable import HearingFitting

final class CSVDocumentTests: XCTestCase {
  /// One million. Debug builds are slow, so they use a smaller number. It is also above the limit
  /// of the reader.
  private static var aMillion: Int {
    #if DEBUG
      return 20_000
    #else
      return 1_000_000
    #endif
  }

  private func read(_ text: String) throws(UnreadableDocument) -> HearingProfile {
    try CSVDocument(text).profile().profile
  }

  private func assertUnreadable(_ text: String, _ error: String, line: UInt = #line) {
    HearingFittingTests.assertUnreadable(saying: error, line: line) {
      () throws(UnreadableDocument) in try self.read(text)
    }
  }

  private let expected = (
    left: [250.0: 20.0, 1000: 22.5, 4000: 45], right: [250.0: 25.0, 1000: 30, 4000: 55]
  )

  func test_profile_inEveryNotation_isTheSame() throws {
    for text in [
      "frequency_hz,left_dbhl,right_dbhl\n250,20,25\n1000,22.5,30\n4000,45,55\n",
      "frequency_hz;left_dbhl;right_dbhl\r\n250;20;25\r\n1000;22,5;30\r\n4000;45;55",
      "Frequency (kHz)\tLeft ear [dB HL]\tRight ear [dB HL]\r0.25\t20\t25\r1\t22,5\t30\r4\t45\t55",
      "RIGHT_DBHL,FREQUENCY_HZ,LEFT_DBHL\n25,250,20\n30,1000,22.5\n55,4000,45",
      "sep=;\nHz;L;R\n\n250 Hz;20;25\n1 kHz;22.5;30\n4k;45;55;;\n;;\n",
      "# clinic\n\"Freq\",\"note\",\"Left\",\"Right\"\n250,\"a, \"\"b\"\"\",20,25\n 1000 ,,\"22.5\", 30\n"
        + "# retest\n4000,c,45,55",
      "frequency,left,right\n4000,45,\n250,20,25\n1000,22.5,30\n4000,,55\n250,20\n",
    ] {
      let profile = try read(text)
      XCTAssertEqual(profile.left, try Audiogram(expected.left), text)
      XCTAssertEqual(profile.right, try Audiogram(expected.right), text)
      XCTAssertNil(profile.measuredAt)
    }
  }

  func test_discomfortLevelsAndNoResponse_inClinicalNotation_areRead() throws {
    let profile = try read(
      """
      frequency_hz,left_dbhl,left_ucl_dbhl,right_dbhl,right_ucl_dbhl
      500,40,95,NR@110,
      2000,60,>105,NR 105,
      4000,>100,,110nr,
      """)
    XCTAssertEqual(profile.leftDiscomfort?.points.map(\.threshold), [95, 105])
    XCTAssertEqual(profile.leftDiscomfort?.points.map(\.isNoResponse), [false, true])
    XCTAssertNil(profile.rightDiscomfort)
    XCTAssertEqual(profile.right?.points.map(\.threshold), [110, 105, 110])
    XCTAssertEqual(profile.right?.points.map(\.isNoResponse), [true, true, true])
    XCTAssertEqual(try HearingProfile(json: profile.jsonData()), profile)
  }

  func test_noResponseWithoutLevel_getsAnAssumedLevelAndANote() throws {
    let found = try CSVDocument("frequency_hz,left_dbhl\n125,NR\n500,40\n4000,nr\n8000,NR")
      .profile()
    XCTAssertEqual(found.profile.left?.points.map(\.threshold), [70, 40, 110, 100])
    XCTAssertEqual(
      found.profile.left?.points.map(\.isNoResponse), [true, false, true, true])
    XCTAssertEqual(found.notes.count, 3)
    XCTAssertTrue(found.notes[1].contains("4000 Hz, left ear"), found.notes[1])
    XCTAssertTrue(found.notes[1].contains("110 dB HL"), found.notes[1])
    XCTAssertEqual(try CSVDocument("f,l\n500,NR@105").profile().notes, [])
  }

  func test_discomfortLevel_noResponseWithoutLevel_givesNoPoint() throws {
    let found = try CSVDocument("Hz,L,L UCL,R,R UCL\n250,65,NR,65,nr\n500,70,NR,70,95").profile()
    XCTAssertNil(found.profile.leftDiscomfort)
    XCTAssertEqual(found.profile.rightDiscomfort, try Audiogram([500: 95]))
    XCTAssertEqual(found.notes, [])
  }

  func test_frequenciesInTheHeaderRow_areRead() throws {
    for text in [
      "ear,250,1000,4000\nleft,20,22.5,45\nright,25,30,55\n",
      ";4000;250;1000\r\nR;55;25;30\r\nL;45;20;22,5",
      "Frequency (kHz)\t0.25\t1\t4\t\nLeft ear\t20\t22,5\t45\nnote\ta\tb\tc\nRight\t25\t30\t55",
      "Ear (kHz),0.25,1,4\nleft,20,22.5,45\nright,25,30,55\n",
      "Mark,250,1000,4000\nleft,20,22.5,45\nright,25,30,55\n",
      "Links/Rechts;250;1000;4000\nL;20;22,5;45\nR;25;30;55\n",
    ] {
      let profile = try? read(text)
      XCTAssertEqual(profile?.left, try Audiogram(expected.left), text)
      XCTAssertEqual(profile?.right, try Audiogram(expected.right), text)
    }
    XCTAssertEqual(
      try read("Hz,500,4000\nright,NR@105,>90\nright_ucl,100,").rightDiscomfort,
      try Audiogram([500: 100]))
    assertUnreadable(
      "ear,250,1000\n\nleft,20,loud", #"line 3, cell 3: "loud" is not a threshold"#)
    assertUnreadable(
      "ear,250,1000\n20,30",
      "not an Apple Health export, HL7 FHIR, CSV or hearing profile: line 1 has frequencies; the "
        + "first column needs left and right")
  }

  func test_headersAndCellsOfClinics_areRead() throws {
    for header in [
      "Frequenz (Hz),Rechts,Links", "Hz,rechts,links", "Hz,RE,LE", "Hz,Right AC,Left AC",
      "Hz,R AC,L AC", "Freq,Right ear,L ear", "f,R ear AC threshold (dB HL),LE threshold",
    ] {
      let profile = try read(header + "\n250,25 dB,20\n1000,30dB HL,22.5\n4000,55,45 dbhl")
      XCTAssertEqual(profile.left, try Audiogram(expected.left), header)
      XCTAssertEqual(profile.right, try Audiogram(expected.right), header)
    }
    let found = try CSVDocument(
      "Hz,R AC,R BC,L AC,LE UCL\n500,40,35,\u{2013}5,n/a\n1000,-,-,DNT,90 dB"
    ).profile()
    XCTAssertEqual(found.profile.right, try Audiogram([500: 40]))
    XCTAssertEqual(found.profile.left, try Audiogram([500: -5]))
    XCTAssertEqual(found.profile.leftDiscomfort, try Audiogram([1000: 90]))
    XCTAssertEqual(found.notes, [#"columns that are not read: "R BC""#])
    assertUnreadable("Hz,L\n500,45 dB SPL", #"line 2, cell 2: "45 dB SPL" is not a threshold"#)
  }

  func test_rowsOfSeveralDays_orInAnotherUnit_areRejected() throws {
    let found = try CSVDocument("Date,Hz,Left,Unit\n2024-01-02,500,40,dB HL\n2024-01-02,1000,45,")
      .profile()
    XCTAssertEqual(found.profile.left, try Audiogram([500: 40, 1000: 45]))
    XCTAssertEqual(found.notes, [#"columns that are not read: "Date""#])
    assertUnreadable(
      "Datum;Hz;L\n2.1.2024;500;40\n3.5.2025;1000;45",
      #"line 3, cell 1: "3.5.2025" is another date; a table has one audiogram"#)
    assertUnreadable(
      "Hz,Left,unit\n500,40,dB\n1000,45,dB SPL", #"line 3, cell 3: "dB SPL" is not dB HL"#)
  }

  func test_tableWithoutHeader_isReadWithANote() throws {
    let found = try CSVDocument("250,20,25\n1000,22.5,30\n4000,45,55\n").profile()
    XCTAssertEqual(found.profile.left, try Audiogram(expected.left))
    XCTAssertEqual(found.profile.right, try Audiogram(expected.right))
    XCTAssertEqual(
      found.notes, ["no header: read as frequency in Hz, left ear and right ear in dB HL"])
    XCTAssertNil(try read("500;20\n1000;25").right)
    XCTAssertEqual(
      try CSVDocument("frequency_hz,left_dbhl\n250,20").profile().notes, [])
  }

  func test_profile_emptyCells_giveNoThresholds() throws {
    let profile = try read("frequency_hz,left_dbhl,right_dbhl\n250,,20\n500,,\n1000")
    XCTAssertNil(profile.left)
    XCTAssertEqual(profile.right, try Audiogram([250: 20]))
    XCTAssertNil(try read("f,l\n250,20").right)
  }

  func test_profile_flagColumns_setMaskedAndNoResponse() throws {
    let profile = try read(
      """
      frequency_hz,left_dbhl,left_masked,right_dbhl,right_no_response
      250,>110,yes,<-10,
      500,≥ 105,0,110 NR,no
      1000,125,,90,x
      """)
    XCTAssertEqual(
      profile.left?.points,
      [
        .init(frequency: 250, threshold: 110, isMasked: true, isNoResponse: true),
        .init(frequency: 500, threshold: 105, isNoResponse: true),
        .init(frequency: 1000, threshold: 120, isClamped: true),
      ])
    XCTAssertEqual(
      profile.right?.points,
      [
        .init(frequency: 250, threshold: -10, isClamped: true),
        .init(frequency: 500, threshold: 110, isNoResponse: true),
        .init(frequency: 1000, threshold: 90, isNoResponse: true),
      ])
  }

  func test_profile_invalidCell_failsAndNamesLineAndCell() {
    let header = "frequency_hz,left_dbhl,right_dbhl\n"
    assertUnreadable(header + "250,20,nan", #"line 2, cell 3: "nan" is not a threshold"#)
    assertUnreadable(header + "250,20,inf", #"line 2, cell 3: "inf" is not a threshold"#)
    assertUnreadable(
      header + "\n0x100,20,",
      #"line 3, cell 1: "0x100" is not a frequency from 100 to 20000 Hz"#)
    assertUnreadable(header + ",20,", "line 2: a threshold without a frequency")
    assertUnreadable(
      header + "250,22,5,20",
      #"line 2, cell 4: "20" is outside the 3 columns of the header"#)
    assertUnreadable(
      header + "250,140,",
      "line 2, cell 2: threshold 140 dB HL at 250 Hz is outside -10 to 120 dB HL "
        + "(imports accept -20 to 130 dB HL)")
    assertUnreadable(
      "frequency_hz;left_dbhl\n1.000;20",
      #"line 2, cell 1: "1.000" is not a frequency from 100 to 20000 Hz"#)
    assertUnreadable(
      header + "250,20,\n500,20,\n250,25,",
      "line 4, cell 2: 250 Hz of the left ear occurs twice: 25 dB HL here, 20 dB HL at line 2, cell 2"
    )
    assertUnreadable(header + "250,\"20,", "line 2: an unclosed quotation mark")
    assertUnreadable(
      "f,l,left_masked\n250,20,perhaps", #"line 2, cell 3: "perhaps" is neither yes nor no"#)
  }

  func test_profile_wrongHeader_failsAndNamesTheRequiredColumns() {
    let start = "not an Apple Health export, HL7 FHIR, CSV or hearing profile: "
    assertUnreadable(
      "25,20,25\n",
      start
        + #"line 1 starts with "25,20,25"; a table needs the columns frequency_hz and left_dbhl "#
        + "or right_dbhl")
    assertUnreadable(
      "\nfrequency_hz,left_db_spl",
      start
        + #"line 2 starts with "frequency_hz,left_db_spl"; a table needs the columns frequency_hz "#
        + "and left_dbhl or right_dbhl")
    assertUnreadable("# nothing\n", start + "it is empty")
    assertUnreadable("f,left,left_dbhl\n1,2,3", "line 1: a column occurs twice")
    assertUnreadable("hz,khz,left\n1,2,3", "line 1: a column occurs twice")
    assertUnreadable("frequency_hz,left_dbhl\n", "the table contains no threshold")
  }

  func test_profile_1000ColumnsAnd10_000Points_areRead_andOneMoreIsRejected() throws {
    let commas = String(repeating: ",", count: 998)
    XCTAssertEqual(try read("f,l\(commas)\n250,20\(commas)").left, try Audiogram([250: 20]))
    assertUnreadable("f,l\(commas),\n250,20", "line 1: more than 1000 cells are not read")
    assertUnreadable("f,l\n250,20\(commas),", "line 2: more than 1000 cells are not read")
    let rows = (0..<10_001).map { "\(100 + $0),20\n" }
    let header = "frequency_hz,left_dbhl\n"
    XCTAssertEqual(try read(header + rows.dropLast().joined()).left?.points.count, 10_000)
    assertUnreadable(
      header + rows.joined(), "line 10002, cell 2: more than 10000 points are not read")
  }

  func test_profile_tooManyColumns_areRejected() {
    let commas = String(repeating: ",", count: Self.aMillion)
    assertUnreadable("f,l\(commas)\n250,20", "line 1: more than 1000 cells are not read")
    assertUnreadable("f,l\n250,20\(commas)", "line 2: more than 1000 cells are not read")
  }

  func test_profile_tooManyPoints_areRejected() {
    let rows = (0..<Self.aMillion).map { "\(100 + $0 / 100).\(100 + $0 % 100),20" }
    assertUnreadable(
      "frequency_hz,left_dbhl\n" + rows.joined(separator: "\n"),
      "line 10002, cell 2: more than 10000 points are not read")
  }

  func test_unknownColumnsAndClampedThresholds_areNamedInTheNotes() throws {
    let found = try CSVDocument("f,left,left_bc,right_bc\n500,130,40,45\n1000,-20,40,45").profile()
    XCTAssertEqual(
      found.notes,
      [
        "columns that are not read: \"left_bc\", \"right_bc\"",
        "500 Hz, left ear: 130 dB HL is changed to 120 dB HL",
        "1000 Hz, left ear: -20 dB HL is changed to -10 dB HL",
      ])
  }
}
