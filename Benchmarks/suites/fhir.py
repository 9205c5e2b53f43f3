#!/usr/bin/env python3
"""Reads HL7 FHIR documents with the importer of this package.

    python3 Benchmarks/suites/fhir.py [--tests] [--examples FOLDER …]        from the package's folder

The models of fhir.resources (PyPI: fhir.resources 8.3) build and validate documents as R4B and as R5. Observation and
Bundle of R4B are those of R4.

- About 100 valid documents differ in form, codes, units, dates, status and references. The importer must read the
  stated thresholds, or refuse the document with the stated error.
- --tests builds the documents of this package's tests in a temporary package. The models validate those that the
  importer reads. Documents that are not valid are listed with the reason; this is no failure.
- --examples is a folder with JSON files; it can occur more than once. Checkouts of github.com/google/fhir (Apache-2.0;
  spec/hl7.fhir.r4.examples) and github.com/FHIR/fhir-test-cases (Apache-2.0; R4, R4B and R5) contain such files. The
  importer must read thresholds from each file or refuse it with a named error.

The importer fails if a signal ends it or if it needs 10 s for a file. The package Benchmarks must be built in release
mode, or SUITE_READER must be the path of SuiteReader.
"""
import argparse, collections, copy, glob, json, os, re, subprocess, sys, tempfile
# Replaces this script's folder in the search path. Otherwise, this file would hide the package
# fhir.
sys.path[0] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
from built import built
import fhir.resources as r5
import fhir.resources.R4B as r4
import pydantic

PACKAGE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TESTS = os.path.join(PACKAGE, "Tests", "HearingFittingTests")
VERSIONS = {"R4B": r4.get_fhir_model_class, "R5": r5.get_fhir_model_class}
failures = []


# What the importer reads

def read_all(program, paths):
    """The output lines of the importer for each file.

    If the importer crashes on a file or needs too much time, the only line contains the exit
    status.
    """
    results = {}
    for start in range(0, len(paths), 100):
        batch = paths[start:start + 100]
        status, output = run(program, batch, 120)
        if status == 0:
            results.update(split(output))
            continue
        for path in batch:
            status, output = run(program, [path], 10)
            results.update({path: [["ends", str(status)]]} if status else split(output))
    return results


def run(program, paths, seconds):
    """The exit status and the output of the importer."""
    command = ["timeout", str(seconds), program, "fhir", *paths]
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return process.returncode, process.stdout


def split(output):
    results = {}
    for line in output.decode().rstrip("\n").split("\n"):
        fields = line.split("\t")
        if fields[0] == "file":
            lines = results[fields[1]] = []
        else:
            lines.append(fields)
    return results


def summary(lines):
    """A summary of the output lines for a file.

    It consists of profiles such as "2024-05-06 L 1000 20, R 1000 25", separated by " | ". After an
    error, it is "error KIND PLACE: REASON".
    """
    profiles = []
    for kind, *fields in lines:
        if kind == "profile":
            profiles.append((fields[0], []))
        elif kind in ("left", "right"):
            frequency, threshold, flags = fields
            words = [kind[0].upper(), f"{float(frequency):g}", f"{float(threshold):g}", flags]
            profiles[-1][1].append(" ".join(words).strip())
        elif kind == "note":
            profiles[-1][1].append("note: " + fields[0])
        elif kind == "error":
            return f"error {fields[0]} {fields[1]}: {fields[2]}"
        else:
            return " ".join([kind, *fields])
    return " | ".join(f"{day} {', '.join(parts)}" for day, parts in profiles)


# Valid documents

LOINC, UCUM, SNOMED = "http://loinc.org", "http://unitsofmeasure.org", "http://snomed.info/sct"
MDC = "urn:iso:std:iso:11073:10101"
TERMINOLOGY = "http://terminology.hl7.org/CodeSystem/"
PHR = "http://hl7.org/fhir/uv/phr/CodeSystem/"
L1000, R1000, L500, R2000 = "89016-0", "89017-8", "89024-4", "89019-4"


def code(value, system=LOINC):
    return {"coding": [{"system": system, "code": value}]}


def db(value, unit="dB", **more):
    return {"value": value, "unit": unit, **more}


def component(loinc, quantity=None, **more):
    """A component with a quantity, or with a number in dB."""
    value = {} if quantity is None else {"valueQuantity": quantity if isinstance(quantity, dict) else db(quantity)}
    return {"code": code(loinc), **value, **more}


def observation(loinc, *components, **more):
    result = {"resourceType": "Observation", "status": "final", "code": code(loinc), "effectiveDateTime": "2024-05-06"}
    return {**result, **({"component": list(components)} if components else {}), **more}


def panel(*components, **more):
    return observation("89015-2", *components, **more)


def single(loinc, value, **more):
    return {**observation(loinc), **component(loinc, value), **more}


def bundle(*resources, type="collection", each={}, **more):
    entries = [
        {"fullUrl": f"urn:uuid:00000000-0000-0000-0000-{index:012}", "resource": resource, **each}
        for index, resource in enumerate(resources)]
    return {"resourceType": "Bundle", "type": type, "entry": entries, **more}


def personal(name, **more):
    """An Observation of the Personal Health Records implementation guide."""
    return {
        "resourceType": "Observation", "status": "final", "code": code(name, PHR + "observation-pghd-codes"),
        "category": [code("exam", TERMINOLOGY + "observation-category")], "subject": {"reference": "Patient/1"},
        "effectivePeriod": {"start": "2023-12-01T05:33:42Z", "end": "2023-12-01T05:35:22Z"}, **more}


def audiogram(*references, **more):
    return personal("Audiogram", hasMember=[{"reference": reference} for reference in references], **more)


def sensitivity(frequency, left=None, right=None, unit="Hz", extra=None, **more):
    """The thresholds at a frequency.

    `extra` is a LOINC code in addition to the code of the left ear.
    """
    components = []
    for name, value, its_unit in (
        ("frequency", frequency, unit), ("leftEarSensitivity", left, "dB"), ("rightEarSensitivity", right, "dB"),
    ):
        if value is not None:
            quantity = db(value, its_unit, system=UCUM, code=its_unit)
            components.append({"code": code(name, PHR + "hearing-sensitivity-codes"), "valueQuantity": quantity})
    if extra:
        components[1]["code"]["coding"].append({"system": LOINC, "code": extra})
    return personal("hearingSensitivity", component=components, **more)


def without_none(value):
    """The document without elements whose value is None."""
    if isinstance(value, dict):
        return {key: without_none(part) for key, part in value.items() if part is not None}
    return [without_none(part) for part in value] if isinstance(value, list) else value


NO_HEARING = "error noAudiogram : no observation in the HL7 FHIR document is about hearing"
NO_VALUES = "error noAudiogram : .*have no values"
PRELIMINARY = "note: the result is preliminary: it may change"
LEFT, BOTH = "2024-05-06 L 1000 20", "2024-05-06 L 1000 20, R 1000 25"
TWO = (component(L1000, 20), component(R1000, 25))
PATIENT = {"resourceType": "Patient", "id": "p", "name": [{"family": "Ğüneş"}], "birthDate": "1950"}
EXTENSION = [{"url": "http://example.org/masking", "valueBoolean": True}]


def exactly(text):
    return re.escape(text)


def documents():
    """Yields the name of each document, the document, and the expected summary.

    The expected summary is a regular expression that must match the whole summary.
    """
    yield from statuses()
    yield from values()
    yield from units_and_codes()
    yield from dates()
    yield from bundles()
    yield from members()
    yield from personal_records()
    yield from people()
    yield from other_elements()


def statuses():
    yield "panel", panel(*TWO), exactly(BOTH)
    for status in ("final", "amended", "corrected", "unknown"):
        yield f"status {status}", panel(*TWO, status=status), exactly(BOTH)
    for status in ("registered", "preliminary"):
        yield f"status {status}", panel(*TWO, status=status), exactly(f"{BOTH}, {PRELIMINARY}")
    for status in ("entered-in-error", "cancelled"):
        expected = "error noAudiogram : .*1 of 1 observations .* in error, cancelled or measured by bone conduction"
        yield f"status {status}", panel(*TWO, status=status), expected
    wrong = single(L1000, 99, status="entered-in-error")
    yield "one of two entered in error", bundle(wrong, single(L1000, 20)), exactly(LEFT)


def values():
    for comparator, flag in ((">", "no response"), (">=", "no response"), ("<", "clamped"), ("<=", "clamped")):
        document = panel(component(L1000, db(110, comparator=comparator)))
        yield f"comparator {comparator}", document, exactly(f"2024-05-06 L 1000 110 {flag}")
    document = panel(component(L1000, db(110, comparator="ad")))
    yield "comparator ad (R5)", document, exactly('error invalid component[0]: "ad" is not a known comparator')
    off_scale = [code(">", TERMINOLOGY + "v3-ObservationInterpretation")]
    document = panel(component(L1000, 110, interpretation=off_scale))
    yield "interpretation >", document, exactly("2024-05-06 L 1000 110 no response")
    absent = code("not-performed", TERMINOLOGY + "data-absent-reason")
    document = panel(component(L1000, 20), component(R1000, dataAbsentReason=absent))
    yield "one value absent", document, exactly(LEFT)
    yield "all values absent", panel(component(L1000, dataAbsentReason=absent)), NO_VALUES
    yield "the panel's own value absent", panel(*TWO, dataAbsentReason=absent), exactly(BOTH)
    document = panel({"code": code(L1000), "valueInteger": 20}, {"code": code(R1000), "valueInteger": 25})
    yield "integers", document, exactly(BOTH)
    document = panel(component(L1000, 22.5), component(R1000, -7.25))
    yield "decimals", document, exactly("2024-05-06 L 1000 22.5, R 1000 -7.25")
    document = panel(component(L1000, 120), component(L500, -10), component(R1000, 130), component(R2000, -20))
    expected = (
        "2024-05-06 L 500 -10, L 1000 120, R 1000 120 clamped, R 2000 -10 clamped, "
        "note: 1000 Hz, right ear: 130 dB HL is changed to 120 dB HL, "
        "note: 2000 Hz, right ear: -20 dB HL is changed to -10 dB HL")
    yield "thresholds at the limits", document, exactly(expected)
    document = panel(component(R1000, 20), component(L1000, 131))
    yield "threshold too high", document, r"error invalid component\[1\]: threshold 131 dB HL .*"
    document = panel(component(L1000, 20), component(L1000, 25))
    yield "threshold twice", document, r"error invalid component\[1\]: 1000 Hz of the left ear occurs twice.*"
    # A threshold with another type of value must not disappear without a message.
    for name, value in (
        ("text", {"valueString": "25 dB"}), ("range", {"valueRange": {"low": db(20), "high": db(30)}}),
        ("concept", {"valueCodeableConcept": {"text": "no response"}}),
    ):
        document = panel(component(L1000, 20), {"code": code(R1000), **value})
        yield f"a {name} beside a quantity", document, r"error invalid component\[1\].*|.*note: .*"


def units_and_codes():
    for name, quantity in (
        ("dB", db(20)), ("dB HL", db(20, "dB HL")), ("dB[HL]", db(20, "dB[HL]")), ("dBHL", db(20, "dBHL")),
        ("decibel", db(20, "decibel")), ("only a code", db(20, None, system=UCUM, code="dB")), ("none", db(20, None)),
        ("in words, with a code", db(20, "decibel hearing level", system=UCUM, code="dB")),
    ):
        yield f"unit {name}", panel(component(L1000, quantity)), exactly(LEFT)
    for name, quantity in (
        ("dB SPL", db(20, "dB SPL")), ("dB[SPL] as a code", db(20, None, system=UCUM, code="dB[SPL]")),
        ("dB with the code dB[SPL]", db(20, system=UCUM, code="dB[SPL]")), ("%", db(20, "%")), ("Hz", db(20, "Hz")),
    ):
        document = panel(component(L1000, quantity))
        yield f"unit {name}", document, r"error invalid component\[0\]: .* is not dB HL"

    def coded(*codings):
        return {"code": {"coding": list(codings), "text": "1 kHz"}, "valueQuantity": db(20)}

    loinc, snomed = {"system": LOINC, "code": L1000}, {"system": SNOMED, "code": "30693006"}
    full = {**loinc, "version": "2.77", "display": "Hearing threshold", "userSelected": True}
    yield "LOINC with version and display", panel(coded(full)), exactly(LEFT)
    yield "LOINC by OID", panel(coded({**loinc, "system": "urn:oid:2.16.840.1.113883.6.1"})), exactly(LEFT)
    yield "code without a system", panel(coded({"code": L1000})), exactly(LEFT)
    yield "SNOMED and LOINC", panel(coded(snomed, loinc)), exactly(LEFT)
    document = observation(None, coded({**loinc, "system": SNOMED}), code={"coding": [snomed]})
    yield "SNOMED alone", document, NO_HEARING
    yield "MDC alone", observation(None, code=code("150456", MDC), valueQuantity=db(20)), NO_HEARING
    yield "components with no panel code", observation(None, *TWO, code={"text": "audiometry"}), exactly(BOTH)
    height = {"code": code("8302-2"), "valueQuantity": db(170, "cm")}
    document = panel(*TWO, height, {"code": {"text": "mood"}, "valueString": "fine"})
    yield "other components", document, exactly(BOTH)


def dates():
    for written, day in (
        ("2024", "2024-01-01"), ("2024-05", "2024-05-01"), ("2024-05-06", "2024-05-06"),
        ("2024-05-06T23:30:00-11:00", "2024-05-06"), ("2024-05-06T00:10:00.123+14:00", "2024-05-06"),
        ("2024-02-29T10:00:00Z", "2024-02-29"), ("1899-12-31", "1899-12-31"),
    ):
        yield f"date {written}", panel(*TWO, effectiveDateTime=written), exactly(BOTH.replace("2024-05-06", day))
    instant, undated = "2024-05-06T10:00:00.123Z", exactly(BOTH.replace("2024-05-06", "undated"))
    for name, time, expected in (
        ("instant", {"effectiveInstant": instant}, exactly(BOTH)),
        ("period", {"effectivePeriod": {"start": "2024-05-06", "end": "2024-05-07"}}, exactly(BOTH)),
        ("period with only an end", {"effectivePeriod": {"end": "2024-05-06"}}, f"{undated}|{exactly(BOTH)}"),
        ("timing", {"effectiveTiming": {"event": [instant]}}, f"{undated}|{exactly(BOTH)}"),
        ("only issued", {"issued": instant}, exactly(BOTH)), ("no date", {}, undated),
    ):
        yield name, panel(*TWO, effectiveDateTime=None, **time), expected
    document = bundle(single(L1000, 20), single(L1000, 30, effectiveDateTime="2025-05-06"))
    yield "two days", document, exactly("2024-05-06 L 1000 20 | 2025-05-06 L 1000 30")


def bundles():
    yield "one threshold", single(L1000, 20), exactly(LEFT)
    yield "one threshold in sound pressure", single(L1000, db(20, "dB SPL")), "error invalid : .* is not dB HL"
    yield "thresholds in a bundle", bundle(PATIENT, single(L1000, 20), single(R1000, 25)), exactly(BOTH)
    request, response = {"method": "PUT", "url": "Observation/1"}, {"status": "200"}
    for kind, more in (
        ("searchset", {"search": {"mode": "match", "score": 1}}), ("transaction", {"request": request}),
        ("history", {"request": request, "response": response}), ("batch-response", {"response": response}),
    ):
        yield f"bundle of kind {kind}", bundle(panel(*TWO), type=kind, each=more), exactly(BOTH)
    composition = {
        "resourceType": "Composition", "status": "final", "type": {"text": "audiogram"}, "date": "2024-05-07",
        "title": "Audiogram", "author": [{"display": "clinic"}]}
    document = bundle(
        composition, PATIENT, panel(*TWO), type="document", timestamp="2024-05-07T00:00:00Z",
        identifier={"system": "urn:ietf:rfc:3986", "value": "urn:uuid:1"})
    yield "bundle of kind document", document, exactly(BOTH)
    versions = bundle(
        single(L1000, 20, id="a", meta={"versionId": "2"}), single(L1000, 60, id="a", meta={"versionId": "1"}),
        type="history", each={"request": request, "response": response})
    yield "two versions of a threshold", versions, r"error invalid entry\[1\].* occurs twice.*|" + exactly(LEFT)
    yield "bundle in a bundle", bundle(bundle(panel(*TWO))), exactly(BOTH)
    report = {"resourceType": "DiagnosticReport", "status": "final", "code": code("89015-2")}
    contained = [single(L1000, 20, id="a"), single(R1000, 25, id="b")]
    document = {**report, "contained": contained, "result": [{"reference": "#a"}, {"reference": "#b"}]}
    yield "report with contained thresholds", document, exactly(BOTH)
    document = bundle({**report, "result": [{"reference": "Observation/a"}]}, panel(*TWO, id="a"))
    yield "report in a bundle", document, exactly(BOTH)


def members():
    def parent(*references, **more):
        return panel(hasMember=[{"reference": reference} for reference in references], **more)

    left = single(L1000, 20, id="a", effectiveDateTime="2023")
    right = single(R1000, 25, id="b", effectiveDateTime="2022")
    document = bundle(parent("Observation/a", "Observation/b/_history/3"), left, right)
    yield "members by identity", document, exactly(BOTH)
    yield "members by URN", bundle(parent("urn:uuid:00000000-0000-0000-0000-000000000001"), left), exactly(LEFT)
    base = "https://example.org/fhir/Observation/"
    document = bundle(parent(base + "a", id="g"), left)
    for entry, name in zip(document["entry"], "ga"):
        entry["fullUrl"] = base + name
    yield "members by URL", document, exactly(LEFT)
    missing = [{"reference": "Observation/none"}, {"display": "none"}, {"identifier": {"value": "1"}}]
    expected = exactly(f"{BOTH}, note: members that are missing or not about hearing: 1")
    yield "members that are not there", bundle(panel(*TWO, hasMember=missing)), expected
    document = bundle(
        panel(component(R1000, 25), hasMember=[{"reference": "Observation/b"}], id="a"),
        panel(component(L1000, 20), hasMember=[{"reference": "Observation/a"}], id="b"))
    expected = "2024-05-06 R 1000 25 | 2024-05-06 L 1000 20"
    yield "panels within each other", document, f"{exactly(expected)}|{exactly(BOTH)}|error .*"
    yield "contained member", parent("#k", contained=[{**left, "id": "k"}]), exactly(LEFT)
    # The identity of a contained resource is unique only within its container.
    document = bundle(
        parent("#k", contained=[single(L1000, 20, id="k")]),
        parent("#k", contained=[single(L1000, 60, id="k")], effectiveDateTime="2025-05-06"))
    expected = "2024-05-06 L 1000 20 | 2025-05-06 L 1000 60"
    yield "contained members with the same identity", document, exactly(expected)
    # A relative reference is resolved against the server of the entry that contains it.
    document = bundle(
        parent("Observation/a", id="g"), single(L1000, 20, id="a"),
        parent("Observation/a", id="g", effectiveDateTime="2025-05-06"), single(L1000, 60, id="a"))
    for entry, server in zip(document["entry"], ("one", "one", "two", "two")):
        entry["fullUrl"] = f"https://{server}.example.org/Observation/{entry['resource']['id']}"
    yield "members with the same identity on two servers", document, exactly(expected)


def personal_records():
    parts = [
        sensitivity(500, 30, 35, id="a"), sensitivity(1000, 50, 20, id="b"), sensitivity(2000, 35, None, id="c"),
        sensitivity(4, 40, 45, unit="kHz", id="d")]
    expected = exactly("2023-12-01 L 500 30, L 1000 50, L 2000 35, L 4000 40, R 500 35, R 1000 20, R 4000 45")
    whole = audiogram(*(f"Observation/{identity}" for identity in "abcd"), id="g")
    yield "personal record", bundle(whole, *parts), expected
    yield "personal record, members first", bundle(*parts, whole), expected
    document = {**audiogram(*(f"#{identity}" for identity in "abcd")), "contained": parts}
    yield "personal record, contained", document, expected
    document = sensitivity(500, 30, 35, extra=L500)
    yield "personal record with LOINC beside its codes", document, exactly("2023-12-01 L 500 30, R 500 35")
    yield "personal record without thresholds", sensitivity(500), NO_VALUES
    yield "personal record below 100 Hz", sensitivity(50, 20), r"error invalid component\[1\]: frequency 50 Hz .*"


def people():
    def pair(first, second):
        return bundle(single(L1000, 20, subject=first), single(R1000, 25, subject=second))

    first, refused = {"reference": "Patient/1"}, r"error invalid entry\[1\]\.resource\.subject.*: .*"
    yield "one person", pair(first, {**first, "display": "A"}), exactly(BOTH)
    document = pair(first, {"reference": "https://example.org/fhir/Patient/1"})
    yield "one person, also by URL", document, f"{exactly(BOTH)}|{refused}"
    yield "two people", pair(first, {"reference": "Patient/2"}), refused
    yield "two people by identifier", pair({"identifier": {"value": "1"}}, {"identifier": {"value": "2"}}), refused
    document = bundle(*(
        single(loinc, 20, subject={"reference": "#p"}, contained=[{**PATIENT, "name": [{"family": name}]}])
        for loinc, name in ((L1000, "A"), (R1000, "B"))))
    yield "two contained people with the same identity", document, rf"{refused}|.* \| .*"


def other_elements():
    primitive = {"extension": EXTENSION}
    document = panel(
        component(L1000, db(20, extension=EXTENSION), extension=EXTENSION),
        component(R1000, {**db(25), "_unit": primitive}), extension=EXTENSION, _status=primitive,
        _effectiveDateTime=primitive)
    yield "extensions", document, exactly(BOTH)
    document = panel(component(L1000, 20), component(R1000, {"_value": primitive, "unit": "dB"}))
    yield "a value with only an extension", document, exactly(LEFT)
    for name, document in (
        ("resource", panel(*TWO, modifierExtension=EXTENSION)),
        ("component", panel(TWO[0], {**TWO[1], "modifierExtension": EXTENSION})),
    ):
        # An unknown extension that changes the meaning must not be ignored.
        yield f"modifier extension of a {name}", document, "error .*|.*note: .*"
    narrative = '<div xmlns="http://www.w3.org/1999/xhtml"><p>20 dB &#8211; “ok”</p></div>'
    document = panel(
        *TWO, id="x", language="tr", text={"status": "generated", "div": narrative},
        meta={"versionId": "1", "lastUpdated": "2024-05-07T10:00:00Z", "profile": ["http://example.org/p"]},
        identifier=[{"system": "urn:s", "value": "1"}], basedOn=[{"reference": "ServiceRequest/1"}],
        category=[code("exam", TERMINOLOGY + "observation-category")], subject={"reference": "Patient/1"},
        encounter={"reference": "Encounter/1"}, issued="2024-05-08T10:00:00+03:00", performer=[{"display": "clinic"}],
        note=[{"text": "calm 😀"}], bodySite=code("117590005", SNOMED), method={"text": "air conduction"},
        device={"reference": "Device/1"})
    yield "all other elements", document, exactly(BOTH)
    yield "no hearing", bundle(PATIENT, observation("8302-2", valueQuantity=db(170, "cm"))), NO_HEARING
    yield "a patient", PATIENT, NO_HEARING
    yield "an empty bundle", {"resourceType": "Bundle", "type": "collection"}, NO_HEARING


def model(version, document):
    """The document as the model of an FHIR version. Raises ValidationError if it is not valid."""
    return VERSIONS[version](document["resourceType"]).model_validate(document)


def check_documents(program, folder):
    cases = []
    for name, document, expected in documents():
        document = without_none(document)
        for version in VERSIONS:
            if name.endswith("(R5)") and version != "R5":
                continue
            try:
                written = model(version, document).model_dump_json()
            except pydantic.ValidationError as error:
                failures.append(f"{name}: not a valid document in {version}: {'; '.join(reasons(error))}")
                continue
            for origin, text in ((version, written), (f"{version} unchanged", json.dumps(document))):
                path = os.path.join(folder, f"{len(cases)}.json")
                with open(path, "w") as file:
                    file.write(text)
                cases.append((name, origin, path, expected))
    results = read_all(program, [path for _, _, path, _ in cases])
    refused, unexpected = 0, collections.defaultdict(list)
    for name, origin, path, expected in cases:
        text = summary(results[path])
        refused += text.startswith("error")
        if not re.fullmatch(expected, text):
            unexpected[name, text, expected].append(origin)
    for (name, text, expected), origins in unexpected.items():
        expected = expected.replace("\\", "")
        failures.append(f"{name} ({', '.join(origins)}): {text}; expected: {expected}")
    count, names = len(cases), len({name for name, *_ in cases})
    print(f"{names} valid documents in {count} files: {count - refused} read, {refused} refused with a named error")


def reasons(error):
    """The faults that a model finds, without the indices of elements."""
    faults = error.errors(include_url=False, include_input=False)
    places = [".".join(str(part) for part in fault["loc"] if not isinstance(part, int)) for fault in faults]
    return sorted({f"{place}: {fault['msg']}"[:160] for place, fault in zip(places, faults)})


# The documents of the tests

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Documents",
  dependencies: [.package(name: "HearingProcessing", path: "PACKAGE")],
  targets: [
    .testTarget(
      name: "HearingFittingTests",
      dependencies: [.product(name: "HearingFitting", package: "HearingProcessing")])
  ]
)
"""
WRITER = """import Foundation

nonisolated(unsafe) var documentCount = 0

/// Writes a document of a test to a file before it is read.
func written(_ data: Data, _ test: String) -> Data {
  let folder = ProcessInfo.processInfo.environment["DOCUMENTS"] ?? "."
  try? data.write(to: URL(fileURLWithPath: "\\(folder)/\\(documentCount) \\(test).json"))
  documentCount += 1
  return data
}
"""


def literal_documents(folder):
    """Writes the documents that are literals in the sources of the tests.

    Returns the origin of each document by the path of the written file.
    """
    origins = {}
    for name in ("ImportMutationTests.swift", "HearingProfile+ImportingTests.swift"):
        with open(os.path.join(TESTS, "Importing", name)) as file:
            literals = re.findall(r'#"""\n(.*?)\n *"""#', file.read(), re.DOTALL)
        for text in literals:
            if '"resourceType"' in text:
                path = os.path.join(folder, f"literal{len(origins)}.json")
                with open(path, "w") as file:
                    file.write(text)
                origins[path] = f"{name}, literal {len(origins) + 1}"
    if len(origins) < 3:
        failures.append(f"only {len(origins)} literal documents found in the tests")
    return origins


def composed_documents(folder):
    """Writes the documents that FHIRDocumentTests composes.

    Returns the origin of each document by the path of the written file.
    """
    package, documents = os.path.join(folder, "package"), os.path.join(folder, "documents")
    target = os.path.join(package, "Tests", "HearingFittingTests")
    os.makedirs(target)
    os.makedirs(documents)
    tests, assertions = "FHIRDocumentTests.swift", "UnreadableDocumentAssertions.swift"
    sources = {}
    for name in (tests, assertions):
        with open(os.path.join(TESTS, "Formats", name)) as file:
            sources[os.path.join(target, name)] = file.read().replace("@testable import", "import")
    source, call = sources[os.path.join(target, tests)], "Data(json.utf8)"
    if source.count(call) != 1:
        sys.exit(f"{tests}: {source.count(call)} times {call}")
    sources[os.path.join(target, tests)] = source.replace(call, f"written({call}, name)")
    sources[os.path.join(target, "Writer.swift")] = WRITER
    sources[os.path.join(package, "Package.swift")] = MANIFEST.replace("PACKAGE", PACKAGE)
    for path, text in sources.items():
        with open(path, "w") as file:
            file.write(text)
    command = ["swift", "test", "--package-path", package]
    environment = {**os.environ, "DOCUMENTS": documents}
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode:
        sys.exit("the tests of the temporary package fail:\n" + process.stdout[-3000:])
    return {os.path.join(documents, name): name[:-5].split(" ", 1)[1] for name in sorted(os.listdir(documents))}


def check_tests(program, folder):
    origins = {**literal_documents(folder), **composed_documents(folder)}
    results = read_all(program, list(origins))
    read = [path for path in origins if results[path][0][0] == "profile"]
    valid, invalid = collections.Counter(), collections.defaultdict(dict)
    for path in read:
        with open(path) as file:
            document = json.load(file)
        for version in VERSIONS:
            found = all_reasons(version, document)
            valid[version] += not found
            for reason in found:
                invalid[version, reason][path] = origins[path]
    counts = ", ".join(f"{valid[version]} valid as {version}" for version in VERSIONS)
    print(f"{len(origins)} documents of the tests: {len(read)} read, of these {counts}")
    for (version, reason), documents in invalid.items():
        places = ", ".join(sorted(set(documents.values())))
        print(f"    {version}, {len(documents)} documents: {reason} ({places})")


def all_reasons(version, document):
    """All faults of a document.

    A model does not report all faults at once. Therefore the faulty elements are corrected or
    removed, and the document is validated again.
    """
    document, found = copy.deepcopy(document), []
    while True:
        try:
            model(version, document)
            return found
        except pydantic.ValidationError as error:
            new = [reason for reason in reasons(error) if reason not in found]
            if not new:
                return found
            found += new
            for fault in error.errors(include_url=False, include_input=False):
                *place, name = fault["loc"]
                parent = document
                for part in place:
                    parent = parent[part]
                if name in ("status", "type"):
                    parent[name] = "collection" if name == "type" else "final"
                else:
                    parent.pop(name, None)


# Examples of others

def is_resource(path):
    """Whether a file is an HL7 FHIR resource in JSON."""
    with open(path, "rb") as file:
        try:
            document = json.load(file)
        except ValueError:
            return False
    return isinstance(document, dict) and isinstance(document.get("resourceType"), str)


def check_examples(program, folder):
    paths = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.json"), recursive=True)):
        with open(path, "rb") as file:
            if b"resourceType" in file.read():
                paths.append(path)
    if not paths:
        failures.append(f"{folder}: no JSON files with a resourceType")
    read, refused, misread = [], collections.Counter(), collections.defaultdict(list)
    for path, lines in read_all(program, paths).items():
        name, text = os.path.relpath(path, folder), summary(lines)
        if lines[0][0] == "profile":
            read.append(f"{name}: {text}")
        elif lines[0][0] != "error" or not lines[0][1] or not lines[0][3]:
            failures.append(f"{name}: {text}")
        else:
            kind, place = lines[0][1:3]
            refused[kind] += 1
            # A resource must not be read as a document in another format.
            if (kind not in ("noAudiogram", "invalid", "tooLarge") or place == "format") and is_resource(path):
                misread[text].append(name)
    print(f"{folder}: {len(paths)} files, {len(read)} read, " + ", ".join(
        f"{count} {kind}" for kind, count in refused.most_common()))
    for line in read:
        print("   ", line)
    for text, names in misread.items():
        failures.append(f"{len(names)} resources: {text} ({', '.join(names[:2])}{', …' if len(names) > 2 else ''})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--examples", action="append", default=[])
    options = parser.parse_args()
    program = os.environ.get("SUITE_READER") or built("SuiteReader")
    with tempfile.TemporaryDirectory() as folder:
        check_documents(program, folder)
    if options.tests:
        with tempfile.TemporaryDirectory() as folder:
            check_tests(program, folder)
    else:
        print("not read: the documents of the tests; add --tests")
    for folder in options.examples:
        check_examples(program, folder)
    if not options.examples:
        print("not read: examples of others; name their folders with --examples")
    for failure in failures:
        print("FAILED", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
