import type { Blocking, Entry, Program, Runtime, Value } from '../backend/contract.ts';
import { ProgramStop } from '../../../base/program-stop.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import { Failure, Raised } from './values/failures.ts';
import { Fibers } from './fibers/fibers.ts';
import { type Policy, programPolicy } from './fibers/policies.ts';
import { createRuntime } from './runtime.ts';
import { thrownAt } from './thrown-at.ts';
import { messageOf } from './values/text-of.ts';
import { trapText } from './wasm.ts';

/** The emitted text as a function. */
export type MakeProgram = (runtime: Runtime) => Program;

/**
 * Runs a program from its entry point to its end.
 * @returns the exit status, 0 to 255
 * @throws ProgramStop
 */
export function runProgram(make: MakeProgram, host: ProgramHost): number {
  const random = (): number => Number(BigInt.asUintN(32, host.seed())) / 2 ** 32;
  try {
    const value = runOnce(make, host, programPolicy(random), ({ entry }) => entry);
    return typeof value === 'bigint' ? Number(BigInt.asUintN(8, value)) : 0;
  } catch (error) {
    if (!(error instanceof AbnormalExit)) throw error;
    host.write('stderr', `${error.message}\n`);
    return 1;
  }
}

/** An unhandled error or failure of a program. The message is its output on stderr. */
export class AbnormalExit extends Error {
  /** Where it happened, innermost first: `main.pluto:3`. Empty if no place is known. */
  readonly places: readonly string[];

  constructor(message: string, places: readonly string[]) {
    super(message);
    this.places = places;
  }
}

/**
 * Creates a fresh program and runs one of its entry points.
 * @throws AbnormalExit, ProgramStop
 */
export function runOnce(
  make: MakeProgram,
  host: ProgramHost,
  policy: Policy,
  startOf: (program: Program) => Entry | undefined,
): Value {
  const fibers = new Fibers(policy);
  const runtime = createRuntime(host, fibers);
  let program: Program | undefined;
  try {
    program = make(runtime);
    const start = startOf(program);
    if (start === undefined)
      throw new Failure('pluto: no program starts in this module: it has no main function and no app');
    return fibers.run(bodyOf(start));
  } catch (error) {
    const problem = problemOf(error);
    const places = program === undefined ? [] : thrownAt(error, make.toString(), program);
    // Failed expectations already contain their line.
    const shown = problem.startsWith('FAIL (line ') ? [] : places;
    throw new AbnormalExit([problem, ...shown.map(place => `  at ${place}`)].join('\n'), places);
  }
}

function* bodyOf(start: Entry): Blocking {
  return start.isBlocking ? yield* start.run() as Blocking : start.run();
}

/** The stderr text for an unhandled error. @throws ProgramStop */
function problemOf(error: unknown): string {
  if (error instanceof ProgramStop) throw error;
  if (error instanceof Failure) return error.message;
  if (error instanceof Raised) {
    const message = messageOf(error.value);
    return `error: uncaught ${error.value.type.name}${message === '' ? '' : `: ${message}`}`;
  }
  const trap = trapText(error);
  if (trap !== undefined) return trap;
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'pluto: stack overflow';
  // A checked program never dereferences `none`, so this is a field of a singleton that was never set.
  if (error instanceof TypeError && /of null\b/.test(error.message))
    return 'pluto: a field was used that nothing has filled';
  if (error instanceof RangeError) return 'pluto: out of memory: a value is too large';
  return 'pluto: internal error: Atlas Bridge cannot run this program. Please report it with the program';
}
