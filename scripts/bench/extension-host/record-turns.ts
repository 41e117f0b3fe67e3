import { Session, type Profiler } from 'node:inspector/promises';
import { type Collections, watchCollections } from '../collections.ts';
import { threadCpuTime } from '../cpu-time.ts';

/** A turn of the event loop in which the recorded code ran. */
export interface OwnTurn {
  /** CPU time of the recorded code in milliseconds, its garbage collection included. It does not depend on other programs. */
  readonly ownMs: number;
  /** CPU time of the whole turn. */
  readonly cpuMs: number;
  /** Upper bound of the garbage collection in `cpuMs`, which is that of the whole thread. V8 takes one sample during a collection. */
  readonly gcMs: number;
  /** Milliseconds from the start of the recording. */
  readonly atMs: number;
  /** The functions of the recorded code that took most of it, as `name file:line:column count of samples`. */
  readonly functions: readonly string[];
}

interface Turn {
  /** Microseconds of the monotonic clock, as in CPU profiles. */
  readonly from: number;
  readonly to: number;
  readonly cpuMs: number;
  /** The same times as `from` and `to`, of `performance.now()`. */
  readonly began: number;
  readonly ended: number;
}

const MAX_TURNS = 5;
const MAX_FUNCTIONS = 8;
const SAMPLE_US = 500;
/** Whether a script is part of the installed extension. */
export const isAtlasBridge = (url: string): boolean => url.includes('atlas-bridge.atlas-bridge-');

const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n);

/**
 * Records the turns of the event loop of this thread until it is ended. A sampling profiler divides each turn between the recorded code and
 * all other code.
 *
 * @param isOwn whether the script at this URL or path is recorded
 */
export async function recordTurns(isOwn: (url: string) => boolean): Promise<{ end(): Promise<readonly OwnTurn[]> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  const turns: Turn[] = [];
  let isOver = false;
  const collections = watchCollections();
  const readClocks = () => ({ us: monotonicUs(), cpu: threadCpuTime(), now: performance.now() });
  let last = readClocks();
  const began = last.us;
  const tick = (): void => {
    const at = readClocks();
    const cpuMs = at.cpu - last.cpu;
    // Short turns are never reported, and ten seconds have many.
    if (cpuMs >= 1) turns.push({ from: last.us, to: at.us, cpuMs, began: last.now, ended: at.now });
    last = at;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    async end() {
      tick();
      isOver = true;
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      // Node records a collection one turn later, and reports it in the turn after that.
      for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve));
      collections.end();
      return ownTurns(profile, { turns, collections, began }, isOwn);
    },
  };
}

interface Recorded {
  readonly turns: readonly Turn[];
  readonly collections: Collections;
  /** As `Turn.from`. */
  readonly began: number;
}

type Frame = Profiler.ProfileNode['callFrame'];

/** The content of a sample: the innermost frame of the recorded code, module loading, garbage collection, or other code. */
type Sample =
  | { readonly kind: 'own'; readonly frame: Frame; readonly leaf: string }
  | { readonly kind: 'loading' | 'collecting' | 'other' };

function ownTurns(
  profile: Profiler.Profile,
  { turns, collections, began }: Recorded,
  isOwn: (url: string) => boolean,
): readonly OwnTurn[] {
  const kinds = kindsOf(profile, isOwn);
  const samples: { readonly us: number; readonly sample: Sample }[] = [];
  let us = profile.startTime;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    us += profile.timeDeltas?.[index] ?? 0;
    samples.push({ us, sample: kinds.get(id) ?? { kind: 'other' } });
  }
  return turns
    .map(turn => ({
      ...divide(
        turn.cpuMs,
        samples.filter(one => one.us >= turn.from && one.us < turn.to).map(one => one.sample),
      ),
      cpuMs: turn.cpuMs,
      gcMs: Math.min(turn.cpuMs, collections.between(turn.began, turn.ended)),
      atMs: (turn.from - began) / 1000,
    }))
    .toSorted((a, b) => b.ownMs - a.ownMs)
    .slice(0, MAX_TURNS);
}

/** The part of the recorded code in a turn. */
function divide(cpuMs: number, samples: readonly Sample[]): Pick<OwnTurn, 'ownMs' | 'functions'> {
  const hasOwn = samples.some(({ kind }) => kind === 'own');
  const counts = new Map<string, number>();
  let count = 0;
  let isLastOwn = false;
  for (const sample of samples) {
    if (sample.kind === 'own') {
      const { functionName, url, lineNumber, columnNumber } = sample.frame;
      const name = `${functionName} ${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber + 1}${sample.leaf}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    // Node compiles a module before any of its code runs.
    if (sample.kind !== 'collecting') isLastOwn = sample.kind === 'own' || (hasOwn && sample.kind === 'loading');
    if (isLastOwn) count += 1;
  }
  const functions = Array.from(counts).toSorted(([, a], [, b]) => b - a);
  return {
    ownMs: samples.length === 0 ? 0 : (cpuMs * count) / samples.length,
    functions: functions.slice(0, MAX_FUNCTIONS).map(([name, ticks]) => `${name} ${ticks}`),
  };
}

function kindsOf(profile: Profiler.Profile, isOwn: (url: string) => boolean): ReadonlyMap<number, Sample> {
  const nodes = new Map(profile.nodes.map(node => [node.id, node]));
  const kinds = new Map<number, Sample>();
  const visit = (id: number, above: Sample): void => {
    const node = nodes.get(id);
    if (node === undefined) return;
    const own = ownKind(node.callFrame, above, isOwn);
    kinds.set(id, own);
    for (const child of node.children ?? []) visit(child, own);
  };
  const [root] = profile.nodes;
  if (root !== undefined) visit(root.id, { kind: 'other' });
  return kinds;
}

function ownKind(frame: Frame, above: Sample, isOwn: (url: string) => boolean): Sample {
  if (frame.functionName === '(garbage collector)') return { kind: 'collecting' };
  if (isOwn(frame.url)) return { kind: 'own', frame, leaf: '' };
  // Work of Node for the recorded code, such as compiling.
  if (above.kind === 'own') return { ...above, leaf: ` > ${frame.functionName}` };
  // Other extensions are CommonJS.
  return frame.url.startsWith('node:internal/modules/esm/') ? { kind: 'loading' } : above;
}
