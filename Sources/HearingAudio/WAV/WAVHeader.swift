/// What stands before the sound in a WAV file.
struct WAVHeader: Equatable {
  let format: WAVFormat
  let validBitsPerSample: Int

  /// The place of the first sample, in bytes from the beginning.
  let dataOffset: Int

  /// The size of the sound in bytes as the header gives it; `nil` if the writer left it open.
  let dataByteCount: Int?
}
