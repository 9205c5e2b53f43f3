internal import Foundation
internal import HearingAudio

/// Performs one drop operation, which adds a piece to a library.
struct DropWork: Sendable {
  let exchange: PieceExchange
  let metadata: PieceMetadata
  let renderer: PieceRenderer
  let progress: DropProgress

  /// The progress of an audio file, 0…1, after the file has been copied and before the copy is
  /// checked.
  private static let copyFraction = 0.5

  /// Adds the whole piece to the library. If an error occurs, the library contains no part of the
  /// piece.
  func run() async throws(DropError) -> Piece {
    try stopIfCancelled()
    let staging: PieceStaging
    do {
      staging = try await exchange.library.beginDrop(for: exchange.configuration)
    } catch {
      throw .library(error)
    }
    let record: PieceRecord
    do throws(DropError) {
      record = try await fill(staging)
      try stopIfCancelled()
    } catch {
      await exchange.library.abandonDrop(staging, for: exchange.configuration)
      throw error
    }
    progress.reportPublishing(isDone: false)
    do {
      try await exchange.library.completeDrop(staging, record, for: exchange.configuration)
    } catch {
      throw .library(error)
    }
    progress.reportPublishing(isDone: true)
    return Piece(
      record: record, library: exchange.library, configuration: exchange.configuration)
  }

  /// Writes all parts of the piece to the hidden folder of the drop operation.
  private func fill(_ staging: PieceStaging) async throws(DropError) -> PieceRecord {
    let content = try await deliver(.mixStem) { try await renderer.mixStem() }
    let (stem, length) = try put(content, .mixStem, staging)
    let metadata = try checked(length, stem.format)
    var files: [PiecePart: URL] = [.mixStem: stem.url]
    var formats: [PiecePart: PieceAudioFormat] = [.mixStem: stem.format]
    let preview = try await putPreview(staging, stem: stem.url)
    files[.preview] = preview?.url
    formats[.preview] = preview?.format
    let cover = try await putCover(staging)
    files[.coverImage] = cover.map { staging.file(.coverImage, coverFormat: $0) }
    var attachmentType: MediaType?
    if let deliverAttachment = renderer.attachment,
      let attachment = try await deliver(.attachment, deliverAttachment)
    {
      try put(attachment, at: staging.file(.attachment))
      files[.attachment] = staging.file(.attachment)
      attachmentType = attachment.type
    }
    var byteCounts: [PiecePart: Int64] = [:]
    var digests: [PiecePart: PieceDigest] = [:]
    for (part, file) in files {
      byteCounts[part] = try byteCount(of: file)
      digests[part] = try digest(of: file)
    }
    return PieceRecord(
      identifier: staging.identifier, metadata: metadata,
      applicationIdentifier: exchange.configuration.applicationIdentifier, droppedAt: Date(),
      byteCounts: byteCounts, digests: digests, soundFormats: formats, coverFormat: cover,
      attachmentType: attachmentType)
  }

  /// Compares the length in the metadata with the length of the mix stem, in microseconds. If the
  /// metadata contain no length, the function adds the length of the mix stem. If the length of the
  /// mix stem is unknown, the function reports a warning.
  private func checked(
    _ length: Int64?, _ format: PieceAudioFormat
  ) throws(DropError) -> PieceMetadata {
    guard let length else {
      renderer.dropWarning?(.mixStem, .lengthNotStated(format))
      return metadata
    }
    if let stated = metadata.length {
      do { try PieceContent.Invalid.check(length, expected: stated) } catch {
        throw .content(.mixStem, error)
      }
      return metadata
    }
    do { return try metadata.replacingLength(length) } catch { throw .metadata(error) }
  }

  /// The size in bytes of a part's file.
  private func byteCount(of file: URL) throws(DropError) -> Int64 {
    guard let byteCount = FileKind(file).regularFileByteCount else {
      throw .library(.file(.notFound(path: file.path)))
    }
    return byteCount
  }

  private func digest(of file: URL) throws(DropError) -> PieceDigest {
    do { return try PieceDigest(of: file) } catch { throw .library(.file(error)) }
  }

  /// Calls the renderer's closure `ask`, which delivers a part of the piece.
  private func deliver<Content: Sendable>(
    _ part: PiecePart, _ ask: @Sendable () async throws -> Content
  ) async throws(DropError) -> Content {
    try stopIfCancelled()
    progress.report(part, 0)
    let content: Content
    do {
      content = try await ask()
    } catch {
      try stopIfCancelled()
      throw .notDelivered(part, reason: "\(error)")
    }
    try stopIfCancelled()
    return content
  }

  private func putPreview(
    _ staging: PieceStaging, stem: URL
  ) async throws(DropError) -> SoundFile? {
    switch renderer.preview {
    case .mixStem:
      return nil
    case .rendered(let ask):
      guard let content = try await deliver(.preview, ask) else { return nil }
      return try put(content, .preview, staging).file
    case .personalised(let preview):
      try stopIfCancelled()
      let file = staging.file(.preview)
      do throws(RenderingError) {
        try preview.render(
          stem, to: file, loop: metadata.loop,
          progress: { progress.report(.preview, $0) })
      } catch .cancelled {
        throw .cancelled
      } catch .file(let error) {
        throw .library(.file(error))
      } catch {
        throw .personalisation(error)
      }
      return SoundFile(url: file, format: .wav)
    }
  }

  /// Copies an audio file and checks the copy.
  ///
  /// - Returns: The copy, and the length of the audio in microseconds. The length is nil if the
  ///   file does not contain the length.
  private func put(
    _ content: PieceContent, _ part: PiecePart, _ staging: PieceStaging
  ) throws(DropError) -> (file: SoundFile, length: Int64?) {
    let head = try bytes(of: content, part, limit: SoundFile.headByteCount)
    let format = SoundFile.format(of: head)
    let file = SoundFile(url: staging.file(part, format: format), format: format)
    try copy(content, part, to: file.url, scale: Self.copyFraction)
    let length: Int64?
    do {
      length = try file.check()
    } catch let error as PieceContent.Invalid {
      throw .content(part, error)
    } catch {
      throw .cancelled
    }
    progress.report(part, 1)
    return (file, length)
  }

  private func bytes(
    of content: PieceContent, _ part: PiecePart, limit: Int
  ) throws(DropError) -> [UInt8] {
    do {
      return try content.bytes(limit: limit)
    } catch {
      throw .unreadableContent(part, error)
    }
  }

  /// Writes the cover image. If the cover image has the wrong dimensions, the function calls the
  /// application's closure that scales the image.
  ///
  /// - Returns: The format of the cover image, or nil if the piece has no cover image.
  private func putCover(_ staging: PieceStaging) async throws(DropError) -> ImageFormat? {
    guard let ask = renderer.coverImage, let content = try await deliver(.coverImage, ask) else {
      return nil
    }
    do throws(DropError) {
      return try putCover(content, staging)
    } catch .content(.coverImage, .wrongSize(let width, let height)) {
      if let scale = renderer.scaleCoverImage {
        guard let scaled = try await deliver(.coverImage, { try await scale(content) }) else {
          return nil
        }
        return try putCover(scaled, staging)
      }
      renderer.dropWarning?(.coverImage, .wrongSize(width: width, height: height))
      progress.report(.coverImage, 1)
      return nil
    }
  }

  private func putCover(
    _ content: PieceContent, _ staging: PieceStaging
  ) throws(DropError) -> ImageFormat {
    let bytes = try bytes(of: content, .coverImage, limit: CoverImage.byteLimit + 1)
    let cover: CoverImage
    do {
      cover = try CoverImage(bytes)
    } catch {
      throw .content(.coverImage, error)
    }
    do {
      try FileCopy.write(bytes, to: staging.file(.coverImage, coverFormat: cover.format))
    } catch {
      throw .library(.file(error))
    }
    progress.report(.coverImage, 1)
    return cover.format
  }

  private func put(_ attachment: PieceAttachment, at file: URL) throws(DropError) {
    try checkSize(attachment.content.byteCount)
    try copy(attachment.content, .attachment, to: file, scale: 1)
    // Checks the size of the copy, because the original file may have grown since the first check.
    try checkSize(FileKind(file).regularFileByteCount)
    progress.report(.attachment, 1)
  }

  private func checkSize(_ byteCount: Int64?) throws(DropError) {
    guard let byteCount, byteCount > PieceAttachment.byteLimit else { return }
    throw .content(
      .attachment, .tooLarge(byteCount: byteCount, limit: PieceAttachment.byteLimit))
  }

  private func copy(
    _ content: PieceContent, _ part: PiecePart, to file: URL, scale: Double
  ) throws(DropError) {
    do {
      try content.write(
        to: file, with: FileCopy(progress: { progress.report(part, scale * $0) }))
    } catch let error as FileAccessError {
      if case .file(let source) = content,
        error.path == source.path || error.path == source.absoluteString
      {
        throw .unreadableContent(part, error)
      }
      throw .library(.file(error))
    } catch {
      throw .cancelled
    }
  }

  private func stopIfCancelled() throws(DropError) {
    if Task.isCancelled { throw .cancelled }
  }
}
