import { readSync } from 'node:fs';
import { hasErrorCode } from '../../../base/errno.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import { attempt, pause, type ProgramOutput } from './output.ts';
import { startWasm, wasmErrors } from './start-wasm.ts';
import { type CreateIgnored, createProgramFiles, type ProgramFileAccess } from './program-files.ts';

export interface ProgramHostOptions {
  readonly output: Pick<ProgramOutput, 'write'>;
  /** `undefined`: stdin of the process. */
  readonly input: Uint8Array | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reach: ProgramFileAccess;
  /** Limit of the heap. */
  readonly heapMegabytes: number;
  /** See `createProgramFiles`. */
  readonly createIgnored: CreateIgnored | undefined;
}

export function createProgramHost(options: ProgramHostOptions): ProgramHost {
  const { output, input, environment, reach, heapMegabytes, createIgnored } = options;
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    write: (to, bytes) => output.write(to, bytes),
    readLine: input === undefined ? linesOf(readInherited) : linesOf(onceFrom(input)),
    monotonicNs: () => process.hrtime.bigint(),
    wallNs: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n,
    sleep: ns => pause(Number(ns) / 1e6),
    // Few programs need it, and loading it takes a tenth of the start time of a thread.
    seed: () => process.getBuiltinModule('node:crypto').randomBytes(8).readBigUInt64LE(),
    heapBytes: () => process.memoryUsage().heapUsed,
    heapLimit: heapMegabytes * 2 ** 20,
    environment: new Map(variables),
    files: createProgramFiles(reach, createIgnored),
    startWasm,
    wasmErrors,
  };
}

/** Returns the next bytes; `undefined` at the end. */
type ReadMore = () => string | undefined;

function linesOf(readMore: ReadMore): () => string | undefined {
  let rest = '';
  let isOver = false;
  return () => {
    let end = rest.indexOf('\n');
    while (end === -1 && !isOver) {
      const more = readMore();
      if (more === undefined) isOver = true;
      else {
        const searched = rest.length;
        rest += more;
        end = rest.indexOf('\n', searched);
      }
    }
    if (end === -1 && rest === '') return undefined;
    const line = end === -1 ? rest : rest.slice(0, end);
    rest = end === -1 ? '' : rest.slice(end + 1);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
}

function onceFrom(bytes: Uint8Array): ReadMore {
  let isRead = false;
  return () => {
    if (isRead) return undefined;
    isRead = true;
    return Buffer.from(bytes).toString('latin1');
  };
}

const readInherited: ReadMore = () => {
  const buffer = Buffer.alloc(65_536);
  try {
    const count = attempt(() => readSync(0, buffer));
    return count === 0 ? undefined : buffer.toString('latin1', 0, count);
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    if (hasErrorCode(error, 'EOF')) return undefined;
    throw error;
  }
};
