/// The names of the HL7 FHIR elements that are read.
enum FHIRKey: String, CodingKey {
  // Resources
  case resourceType, contained, entry, id, subject
  // Observations
  case meta, status, component, hasMember
  case effectiveDateTime, effectivePeriod, effectiveInstant, issued
  case code, valueQuantity, valueInteger, interpretation, modifierExtension
  // Subjects and patients
  case reference, identifier, name, birthDate
}
