extension TestOptions {
  /// How to set the volume without a calibration, on three lines.
  static let volume = [
    "Without a calibration, set the volume so that speech is comfortable, and leave it there.",
    "Levels are then nominal, and usually show a greater loss than there is: a lower volume makes",
    "the loss look greater, a higher volume makes the tones louder.",
  ]

  /// The text that `--help` prints.
  static let help = """
    Measures hearing with headphones, for a person or for a simulated listener.

      hearing-test --simulate N3|FILE [options]
      hearing-test --play COMMAND --keys [options]

      --simulate N3|FILE    a simulated listener takes the test at once: a standard audiogram
                            (N1 to N7, S1 to S3) or a file with an audiogram
      --play COMMAND        a person takes the test: COMMAND gets stereo 32-bit float PCM at
                            48000 Hz on its standard input, for example
                            "aplay -t raw -f FLOAT_LE -r 48000 -c 2" or
                            "play -q -t raw -e floating-point -b 32 -r 48000 -c 2 -"
      --keys                the person presses the space bar when a tone is heard; p pauses,
                            q stops
      --method METHOD       bayesian (default), hughson-westlake, modified-hughson-westlake
      --tone SHAPE          pulsed (default), steady, or warbled, which no tinnitus sounds like; near a
                            frequency at which presses in silence repeat, tones are warbled anyway
      --first-ear EAR       right (default) or left: the better one, if it is known
      --frequencies LIST    such as 500,1000,2000,4000; default: 125 to 8000 Hz, eleven in all
      --save STATE.json     write the state after every answer
      --resume STATE.json   go on where a test stopped, and keep its state there; it knows its
                            method, ears, frequencies and calibration
      --out PROFILE.json    write the result, for hearing-fit and hearing-render
      --report PAGE.html    write a page that explains the result and its fitting
      --calibration FILE    the headphone's calibration as JSON, see below; without one levels are
                            nominal
      --fit-uncalibrated    allow a report with a fitting without a calibration
      --latency MS          how long the player takes until a sample is heard; default: 300
      --digits FOLDER       test speech in noise instead, with recordings 0.wav to 9.wav in
                            FOLDER; none are shipped
      --seed N              what chance depends on; default: 1
      --quiet               print no progress
      --help                print this help
      --version             print the version

    A calibration states, for each frequency in Hz, the level in dB SPL of a sine of full scale and
    that of 0 dB HL (ISO 389), both in the coupler, such as:
      {"format": "hearing-calibration", "version": 1, "name": "HDA 200 at 80 %", "points": [
        {"frequency": 125, "fullScaleLevel": 112, "referenceThreshold": 30.5},
        {"frequency": 250, "fullScaleLevel": 112, "referenceThreshold": 18},
        {"frequency": 500, "fullScaleLevel": 112, "referenceThreshold": 11},
        {"frequency": 750, "fullScaleLevel": 112, "referenceThreshold": 6},
        {"frequency": 1000, "fullScaleLevel": 112, "referenceThreshold": 5.5},
        {"frequency": 1500, "fullScaleLevel": 112, "referenceThreshold": 5.5},
        {"frequency": 2000, "fullScaleLevel": 112, "referenceThreshold": 4.5},
        {"frequency": 3000, "fullScaleLevel": 112, "referenceThreshold": 2.5},
        {"frequency": 4000, "fullScaleLevel": 112, "referenceThreshold": 9.5},
        {"frequency": 6000, "fullScaleLevel": 112, "referenceThreshold": 17},
        {"frequency": 8000, "fullScaleLevel": 112, "referenceThreshold": 17.5}]}

    The result is no diagnosis. No tone is above 85 dB HL or 100 dB SPL, if the calibration is
    right.

    \(volume.joined(separator: "\n"))

    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 73 and 74 output cannot be written, the
    player ended or a signal stopped the test.

    """
}
