import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedStudioKey } from '../../src/adapters/node/json-studio-keys.ts';
import type { StudioKey } from '../../src/ports/studio-keys.ts';
import { cliEntry, quickVm } from './cli-entry.ts';

export interface RunningCli extends AsyncDisposable {
  readonly process: ChildProcess;
  /** The lines so far. */
  readonly out: readonly string[];
  readonly err: readonly string[];
  /** Resolves with the first line of the standard output; rejects when the process ends without one. */
  firstLine(): Promise<string>;
  /** Reads the key that Studios prove to its bridge. */
  readonly studioKey: () => Promise<StudioKey>;
  /** Resolves with the exit code; null after a signal that was not handled. */
  readonly exit: Promise<number | null>;
}

/** Runs the CLI in a new process with a new state folder. */
export async function runCli(...args: readonly string[]): Promise<RunningCli> {
  return runCliIn(await mkdtemp(join(tmpdir(), 'atlas-state-')), ...args);
}

/** The same with a prepared state folder, which is removed with the process. */
export async function runCliIn(state: string, ...args: readonly string[]): Promise<RunningCli> {
  const child = spawn(process.execPath, [...quickVm, cliEntry, ...args], {
    env: { ...process.env, XDG_STATE_HOME: state },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const linesOf = (stream: NodeJS.ReadableStream): string[] => {
    const lines: string[] = [];
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = `${rest}${text}`.split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    return lines;
  };
  const out = linesOf(child.stdout);
  const err = linesOf(child.stderr);
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    out,
    err,
    exit,
    studioKey: installedStudioKey({ XDG_STATE_HOME: state }),
    async firstLine() {
      // The listener above was registered first, so the lines are complete here.
      while (out.length === 0) {
        const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exit.then(() => true)]);
        if (ended) break;
      }
      if (out[0] === undefined) throw new Error(`the CLI ended without output:\n${err.join('\n')}`);
      return out[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exit;
      await rm(state, { recursive: true, force: true });
    },
  };
}
