#!/bin/sh
# Checks that the object code of the render path calls nothing outside its modules: no allocation,
# no lock, no reference counting, no C library. The check follows all calls from the entry points
# through the optimised object files. After that, the script adds an array and a class to a copy of
# the code. The same check must find both. Run the script from the package's folder.
#
#   forbidden-calls.sh [FOLDER]
#       Checks the release objects in FOLDER, or builds the modules if FOLDER is missing.
#   forbidden-calls.sh --unplanted FOLDER
#       Compiles nothing and adds nothing. The check must still find that the functions of the
#       control thread allocate memory and count references.
set -eu

planted=1
if [ "${1:-}" = --unplanted ]; then
  planted=0
  shift
fi

search="$(dirname "$0")/reachable-calls.py"
build=${1:-}
if [ -z "$build" ]; then
  swift build -c release --target HearingAudio > /dev/null
  build=$(swift build -c release --show-bin-path)
fi
python3 "$search" "$build/HearingBuffers.build" "$build/HearingDSP.build" "$build/HearingVoice.build" "$build/HearingAudio.build"

# HearingVoice must inline the small vector functions of HearingDSP. A call of such a function would
# cost more time than its computation.
if nm -u "$build"/HearingVoice.build/*.o | grep -E 's5SIMD4V10HearingDSP|6float4|9setFloat4'; then
  echo "HearingVoice calls small vector functions of HearingDSP: mark them @inlinable" >&2
  exit 1
fi

[ "$planted" = 1 ] || exit 0

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/objects"
cp -R Sources/HearingDSP "$copy"
# Removes the attributes, so that the copy compiles although it contains a fault.
find "$copy" -name '*.swift' -exec sed -i.original -e 's/@_noLocks @_noAllocation//' {} +
place="$copy/HearingDSP/Path/RenderKernel.swift"
awk '{ print } /guard frameCount > 0 else { return }/ && !done {
  print "    planted.append(Float(frameCount)); plantedObject = Planted()"; done = 1 }
  END { print "final class Planted {}"
    print "nonisolated(unsafe) var planted: [Float] = []"
    print "nonisolated(unsafe) var plantedObject: Planted?" }' "$place.original" \
  | sed 's/@_noLocks @_noAllocation//' > "$place"
"$(dirname "$0")/memory-module.sh" "$copy" -O
find "$copy/HearingDSP" -name '*.swift' -print0 | xargs -0 swiftc -O -wmo -swift-version 6 -parse-as-library -module-name HearingDSP -package-name hearingprocessing -I "$copy" \
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
  -enable-upcoming-feature MemberImportVisibility -c -o "$copy/objects/planted.o"
if python3 "$search" "$copy/objects" > "$copy/log" 2>&1; then
  echo "an array and a class planted in the render path are not found" >&2
  exit 1
fi
for call in swift_release swift_allocObject; do
  grep -q "process reaches $call" "$copy/log" \
    || { cat "$copy/log" >&2; echo "planted in the render path, but not found: $call" >&2; exit 1; }
done
echo "planted in the render path, and found"
