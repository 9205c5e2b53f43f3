import Foundation

/// Writes Apple Health exports of any size. They have the same irregularities as exports of
/// iPhones: the document type lacks a ">", and there are control characters, entities and nested
/// lists.
struct HealthExportGenerator {
  /// The beginning of an export. As in exports of iOS 16, the document type is not well-formed.
  static let prologue = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 12 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Workout|Audiogram|VisionPrescription)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!-- Note: what the listener's <Audiogram> "holds" isn't what this says. -->
    <!ELEMENT Audiogram EMPTY>
    <!ATTLIST Audiogram
      startDate     CDATA #REQUIRED
    >
    <!ATTLIST VisionPrescription
      type             CDATA #REQUIRED
      brand            CDATA #IMPLIED
    <!ELEMENT RightEye EMPTY>
    ]>
    <HealthData locale="en_GB">
     <ExportDate value="2025-05-01 09:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>

    """

  static let epilogue = "</HealthData>\n"

  /// Records of about one kilobyte. They contain heart rates and a workout.
  private static let records = """
     <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="A &amp; B’s Watch" sourceVersion="10.1" device="&lt;&lt;HKDevice: 0x30238d9c0&gt;, name:Apple Watch, model:Watch, hardware:Watch6,2, software:10.1&gt;" unit="count/min" creationDate="2024-01-01 10:00:00 +0100" startDate="2024-01-01 10:00:00 +0100" endDate="2024-01-01 10:00:00 +0100" value="72">
      <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
     </Record>
     <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="x\u{0B}y" unit="ms" value="45.1">
      <HeartRateVariabilityMetadataList>
       <InstantaneousBeatsPerMinute bpm="97" time="4:17:18.57 pm"/>
       <InstantaneousBeatsPerMinute bpm='99' time='4:17:19.12 "pm" > midday'/>
      </HeartRateVariabilityMetadataList>
     </Record>
     <!-- <Audiogram startDate="2099-01-01 00:00:00 +0000"> -->
     <Workout workoutActivityType="HKWorkoutActivityTypeWalking" duration="31.5" durationUnit="min"><![CDATA[<Audiogram>]]></Workout>

    """

  /// An audiogram in the format of Apple Health. The function adds `shift` dB to every threshold.
  static func audiogram(startDate: String, shift: Int = 0) -> String {
    var text = """
       <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Hearing\u{0B}" creationDate="\(startDate)" startDate="\(startDate)" endDate="\(startDate)">
        <MetadataEntry key="HKExternalUUID" value="A&lt;1&gt;"/>

      """
    for (frequency, left, right) in [(250, 20, 25), (1000, 30, 35), (4000, 50, 55)] {
      text += """
          <SensitivityPoint frequencyValue="\(frequency)" frequencyUnit="Hz" leftEarValue="\(left + shift)" leftEarUnit="dBHL" leftEarMasked="NO" rightEarValue="\(right + shift)" rightEarUnit="dBHL" rightEarMasked="YES" rightEarClampingRangeLowerBound="0"/>

        """
    }
    return text + " </Audiogram>\n"
  }

  /// Writes an export of at least `megabytes` MB. It contains three audiograms: near the beginning,
  /// in the middle and at the end. The audiogram in the middle is the newest (2024-06-01).
  ///
  /// - Returns: The number of bytes written.
  static func write(megabytes: Int, to url: URL) throws -> Int {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    var written = 0
    func write(_ text: Data) throws {
      try file.write(contentsOf: text)
      written += text.count
    }
    var block = ""
    while block.utf8.count < 1_000_000 { block += records }
    let blockData = Data(block.utf8)
    try write(Data(prologue.utf8))
    try write(Data(audiogram(startDate: "2021-03-01 10:00:00 +0100").utf8))
    for megabyte in 0..<max(1, megabytes) {
      if megabyte == megabytes / 2 {
        try write(Data(audiogram(startDate: "2024-06-01 23:30:00 -0700", shift: 5).utf8))
      }
      try write(blockData)
    }
    try write(Data(audiogram(startDate: "2022-02-03 10:00:00 +0100", shift: 1).utf8))
    try write(Data(epilogue.utf8))
    return written
  }
}
