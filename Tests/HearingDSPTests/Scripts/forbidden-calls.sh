#!/bin/sh
# The object code of the render path calls nothing outside this module: no allocation, no lock, no reference counting,
# no C library. Run from the package's folder.
set -eu

swift build -c release --target HearingDSP > /dev/null
objects=$(swift build -c release --show-bin-path)/HearingDSP.build

outside() {
  nm --undefined-only "$objects/$1.swift.o" | awk '{ print $NF }' | grep -v '10HearingDSP' || true
}

status=0
for name in Rendering ChannelPass SampleGuard Transition Compression Cascade LaneSkew DetectorBank; do
  calls=$(outside "$name")
  if [ -n "$calls" ]; then
    echo "$name calls outside the module:" >&2
    echo "$calls" >&2
    status=1
  fi
done

# The control side does allocate and count references: if that does not show, the check above sees nothing.
for call in swift_retain swift_slowAlloc; do
  if ! outside BandGainProcessor | grep -q "$call"; then
    echo "no $call found where there must be one: the check does not work" >&2
    status=1
  fi
done

[ "$status" -eq 0 ] && echo "the render path calls nothing outside the module"
exit "$status"
