import type { Requirements } from './requirements.ts';

/**
 * The details of `atlas_sync` (A) and `get_script` (G), by id. As with the promises of `requirements.ts`, a test that proves one has its id
 * in its name.
 */
export const specLines: Requirements = {
  // atlas_sync: wire types
  A1: 'An override survives JSON with id, direction, studioHash and expectedProperties.',
  A2: 'An override without studioHash and expectedProperties has neither after JSON.',
  A3: 'A command to Studio carries the overrides, and the mode where the plugin decides by it.',
  A4: 'A change has id, className, patchType, studioHash, defaultSelection, fsPath and properties.',
  A5: 'Absent fields of a change are left out of its JSON.',
  A6: 'A result with such changes survives JSON unchanged.',
  // atlas_sync: handler
  A7: 'The input schema in the tool list has mode and overrides.',
  A8: 'mode reaches the run.',
  A9: 'overrides reach the run.',
  A10: 'mode defaults to standard.',
  A11: 'overrides default to an empty list.',
  // atlas_sync: guards
  A12: 'A success with changes has the <json> block in its text.',
  A13: 'dryrun is not an error.',
  A14: 'fastfail_unresolved is an error.',
  A15: 'empty is not an error.',
  A16: 'A rejection with changes has the <json> block in its text.',
  // atlas_sync: fsPath
  A17: "An instance with a file has that file's path, relative to the project.",
  A18: 'An instance of a project node has no path.',
  A19: 'An id that the bridge did not create (a GUID of the plugin) has no path, and nothing fails.',
  A20: 'An id that is not in the tree has no path.',
  A21: 'Of several changes, those with files have paths.',
  // atlas_sync: change list
  A22: 'An Edit has id, className, patchType and defaultSelection.',
  A23: 'An Add has id, className and patchType.',
  A24: 'A Remove has id, className and patchType.',
  A25: 'A script has the git blob SHA-1 of its Source.',
  A26: 'Other instances have no studioHash.',
  // atlas_sync: properties
  A27: 'Changed properties are {current, incoming}, encoded.',
  A28: 'They exclude Source of a script.',
  A29: 'A changed name is detected: instances are matched by name, so it is a removal and an addition.',
  A30: 'A current value that cannot be encoded is left out, and nothing fails.',
  A31: 'An incoming value that cannot be decoded leaves its property out with a warning, and nothing fails.',
  A32: 'Booleans, numbers, strings, Vector3, Color3 and enums are encoded.',
  // atlas_sync: includeAll
  A33: 'After a decision, the result has the direction of each change; a skipped change has skip.',
  A34: 'Without a decision, the direction of a change is its default.',
  A35: 'A dry run and a fail-fast sync list every change, decided or not.',
  // atlas_sync: overrides, id
  A36: 'An override finds its change by id.',
  A37: 'An override for an unknown id does nothing, and gets a verdict.',
  A38: 'Several overrides each find their own change.',
  // atlas_sync: overrides, studioHash
  A39: 'Matching hash: accepted.',
  A40: 'Stale hash: refused, and the change stays undecided.',
  A41: 'No hash for a script: accepted.',
  A42: 'A hash for an instance that is not a script is ignored.',
  // atlas_sync: overrides, expectedProperties
  A43: 'All properties match: accepted.',
  A44: 'One property differs: the whole override is refused.',
  A45: 'An empty map: accepted.',
  A46: 'Expected values are decoded before the comparison.',
  A47: 'Floats are compared with a tolerance.',
  A48: 'Enums are compared by their item.',
  // atlas_sync: standard
  A49: 'Every change has a decision: applied without asking, success.',
  A50: 'Some changes are undecided: a person is asked, and the sync waits.',
  A51: 'No differences: empty.',
  // atlas_sync: manual
  A52: 'Every change has a decision: a person is asked anyway.',
  A53: 'The person applies: success.',
  A54: 'The person rejects: rejected.',
  // atlas_sync: fastfail
  A55: 'Every change has a decision: applied, success.',
  A56: 'Some changes are undecided: fastfail_unresolved at once, nothing applied, every change listed.',
  A57: 'A refused override leaves its change undecided, which fails the run.',
  // atlas_sync: dryrun
  A58: 'Answers dryrun at once.',
  A59: 'The list has every change with its metadata.',
  A60: 'Nothing is applied on either side.',
  A61: 'No differences: empty.',
  // atlas_sync: stream
  A62: 'The arguments of a sync command reach Studio.',
  A63: 'A command without a mode means standard.',
  A64: 'A command without overrides means none.',
  A65: 'The result arrives as JSON over the WebSocket.',
  // get_script: tool
  G1: 'An answer with all of its fields survives JSON unchanged.',
  G2: 'The tool list has get_script with its schema, and its description teaches the workflow.',
  G3: 'Without Studio it is an error.',
  G4: 'A call while another command is active is answered independently; no slot limits it.',
  G5: 'One of id and fsPath is required.',
  G6: 'A success has the <json> block, a failure isError.',
  // get_script: resolution
  G7: 'fsPath is converted to the id that Studio is asked for.',
  G8: 'An id is passed on as it is, and the answer has its fsPath.',
  G9: 'An fsPath that is not a script is refused before Studio is asked.',
  G10: 'An fsPath that does not exist is refused.',
  G11: 'A live session does not prevent it.',
  G12: 'The answer has id and fsPath.',
  // get_script: plugin
  G13: 'The ids of a comparison stay valid after the run that made it.',
  G14: 'Each reason has its own answer: id found, not found, deleted, or no comparison yet.',
  G15: 'An instance that is not a script is an error.',
  G16: 'The answer has the saved source, or the draft of the editor.',
  G17: 'studioHash is the git blob SHA-1 of the source.',
  G18: 'instancePath is derived from the full name.',
  G19: 'When the stream ends, the ids of its comparison are discarded.',
  G20: 'A refused sync leaves the ids of the last comparison valid.',
};
