/**
 * What the product promises, by id. A test that proves one carries its id in its name, as `[P5]`; `test/unit/requirements.test.ts`
 * fails when a promise is proven by nobody, and when a test cites an id that is not here.
 */
export interface Requirement {
  readonly promise: string;
  readonly source: string;
  /** The issue that brings it, where it is not kept yet. */
  readonly later?: string;
}

export const requirements: Readonly<Record<string, Requirement>> = {
  P1: {
    promise: 'No file is deleted or replaced unless a run decided so, and both losing sides are in the journal first.',
    source: 'standing promise 1',
  },
  P2: { promise: 'A run ends exactly once, with a status that is true on both sides.', source: 'standing promise 2' },
  P3: { promise: 'No override is ignored in silence.', source: 'standing promise 3' },
  P4: {
    promise: 'Retrieval opens no socket and never leaves its roots.',
    source: 'standing promise 4',
  },
  P5: { promise: 'The listener answers nothing to a web page.', source: 'standing promise 5' },
  P6: {
    promise: 'The extension host is never blocked for more than 20 ms, and activate() returns in under 50 ms.',
    source: 'standing promise 6',
  },
  P7: { promise: 'Two README commands on a fresh machine.', source: 'standing promise 7' },

  W1: {
    promise: 'npm start -- --check: dry run, fail-fast, override with hash, get_script, verification on both sides.',
    source: 'walking skeleton, 1',
  },
  W2: {
    promise: 'The extension activates for a workspace with a project file and registers its MCP server with VS Code.',
    source: 'walking skeleton, 2',
  },
  W3: {
    promise:
      'The project file and the scripts beside it become a tree that knows the fsPath of every instance, and is watched.',
    source: 'walking skeleton, 3',
  },
  W4: {
    promise:
      'The plugin matches, diffs, builds the change list with ids and studioHash, checks overrides, applies pushes.',
    source: 'walking skeleton, 4',
  },
  W5: {
    promise: 'Headless Studio runs the same plugin core over a place loaded from .rbxlx.',
    source: 'walking skeleton, 5',
  },
  W6: {
    promise: 'atlas_sync: four modes, overrides with studioHash and expectedProperties, verdicts, and the statuses.',
    source: 'walking skeleton, 6',
  },
  W7: { promise: 'get_script reads a script of Studio by id and by fsPath.', source: 'walking skeleton, 6' },
  W8: {
    promise: 'The review lists the changes, takes push, pull or skip for each, and applies or rejects.',
    source: 'walking skeleton, 7',
  },
  W9: {
    promise: 'The palette commands exist and run; the status bar tells the truth about the connection.',
    source: 'walking skeleton, 8',
  },
  W10: {
    promise: 'An agent calls through VS Code, a person decides, and both sides and the answer hold the outcome.',
    source: 'walking skeleton, proof',
  },

  B1: { promise: 'No Studio: not_connected with the next step.', source: 'walking skeleton, bad input' },
  B2: { promise: 'No project file: the tool says which names were looked for.', source: 'walking skeleton, bad input' },
  B3: {
    promise: 'Broken project JSON: file, line, column, what was expected; the last good tree stays in use.',
    source: 'walking skeleton, bad input',
  },
  B4: {
    promise: 'Unknown id, wrong hash, unknown mode: a verdict or an input error in words.',
    source: 'walking skeleton, bad input',
  },
  B5: {
    promise:
      'Studio killed in the middle of a run: the run ends disconnected within its budget, nothing half-written on disk.',
    source: 'walking skeleton, bad input',
  },

  R1: { promise: 'A waiter stands before the command is sent.', source: 'ack contract, rules' },
  R2: {
    promise: 'What a run relies on is taken in the same step in which it takes the place.',
    source: 'ack contract, rules',
  },
  R3: { promise: 'What is so already is answered as such, and nothing is sent.', source: 'ack contract, rules' },
  R4: {
    promise: 'A wait is ended by an event or a reply; the only timer is the deadline.',
    source: 'ack contract, rules',
  },
  R5: {
    promise: 'An answer counts only for its own request, and what it claims is checked.',
    source: 'ack contract, rules',
  },
  R6: {
    promise: 'On a deadline the other side is looked at once before it is said that nobody knows.',
    source: 'ack contract, rules',
  },
  R7: {
    promise: 'When the other side is lost, everything that waits for it ends at once.',
    source: 'ack contract, rules',
  },
  R8: {
    promise: 'One run at a time for a place; the next one gets the holder’s id, and the place is free afterwards.',
    source: 'ack contract, rules',
  },
  R9: {
    promise: 'A command that arrives twice is done once, and its answer is repeated.',
    source: 'ack contract, rules',
  },
  R10: {
    promise: 'A late answer completes the record of its run and answers nobody else.',
    source: 'ack contract, rules',
  },
  R11: { promise: 'A cancel ends the wait, tells Studio, and is the recorded outcome.', source: 'ack contract, rules' },
  R12: { promise: 'No budget of ours is an argument of a tool.', source: 'ack contract, rules' },
  R13: {
    promise: 'What a person or an agent saw is named, and an answer to an older state is refused.',
    source: 'ack contract, rules',
  },
  R14: { promise: 'Whatever acts has an outcome.', source: 'ack contract, rules' },

  // Entry 16 speaks of running code in play mode, which there is no tool for: it is cited where headless Studio runs code.
  D1: defect(1),
  D2: defect(2),
  D3: defect(3),
  D4: defect(4),
  D5: defect(5),
  D6: defect(6),
  D7: defect(7),
  D8: defect(8),
  D9: defect(9),
  D10: defect(10),
  D11: defect(11),
  D12: defect(12),
  D13: defect(13),
  D14: defect(14),
  D15: defect(15),
  D16: defect(16),
  D17: defect(17),
  D18: defect(18),
  D19: defect(19),
  D20: defect(20),
  D21: defect(21),
  D22: defect(22),
  D23: defect(23),
  D24: defect(24),
  D25: defect(25),
  D26: defect(26),
  D27: defect(27),
  D28: defect(28),
  D29: defect(29),
  D30: defect(30),
  D31: defect(31),

  S1: scenario(1),
  S2: scenario(2),
  S3: scenario(3),
  S4: scenario(4),
  S5: scenario(5),
  S6: scenario(6),
  S7: scenario(7),
  S8: scenario(8),
  S9: scenario(9),
  S10: scenario(10),
  S11: scenario(11),
  S12: scenario(12),
  S13: scenario(13),
  S14: scenario(14),
  S15: scenario(15),
  S16: scenario(16),
  S17: scenario(17),
  S18: scenario(18),
  S19: scenario(19),
  S20: scenario(20),
  S21: scenario(21),
  S22: scenario(22),
  S23: scenario(23),
  S24: scenario(24),
  S25: scenario(25),
  S26: scenario(26),
  S27: scenario(27),
  S28: scenario(28),
  S29: scenario(29),
  S30: scenario(30),
  S31: scenario(31),
  S32: scenario(32),
  S33: scenario(33),
  S34: scenario(34),
  S35: scenario(35),
  S36: scenario(36),
  S37: scenario(37),
  S38: scenario(38),
  S39: scenario(39),
  S40: scenario(40),
  S41: scenario(41),
  S42: scenario(42),
  S43: scenario(43),
};

/** An entry of the register of the reference plugin's defects, by its number. */
function defect(entry: number): Requirement {
  return {
    promise: `Entry ${entry} of the register of the reference plugin's defects does not happen here.`,
    source: 'studio plugin, register of defects',
  };
}

/** A scenario of the reference, by its number: where the reference loses work or says what is not so, ours does right what it means. */
function scenario(number: number): Requirement {
  return {
    promise: `Scenario ${number} of the reference ends as it does there, or better where that is a defect.`,
    source: 'studio plugin, conformance scenarios',
  };
}
