import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A program in a separate process group, so that disposal also ends its child processes. */
export interface Group extends AsyncDisposable {
  readonly child: ChildProcess;
  /** The output so far, stdout and stderr together. */
  output(): string;
  /** Resolves with the first match in the output. Rejects when the program ends or `timeoutMs` passes before that. */
  printed(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>;
}

export function startGroup(command: string, args: readonly string[], options: SpawnOptions = {}): Group {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const name = [command, ...args].join(' ');
  let text = '';
  const listeners = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    text += chunk.toString('utf8');
    for (const listener of Array.from(listeners)) listener();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  child.on('error', error => take(Buffer.from(`${name}: ${error.message}\n`)));
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));

  return {
    child,
    output: () => text,
    printed: (pattern, timeoutMs) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void): void => {
          clearTimeout(timer);
          listeners.delete(look);
          act();
        };
        const look = (): void => {
          const match = pattern.exec(text);
          if (match !== null) settle(() => resolve(match));
        };
        const fail = (why: string): void =>
          settle(() => reject(new Error(`no output of ${name} matched ${pattern} ${why}. Output:\n${text}`)));
        const timer = setTimeout(() => fail(`in ${timeoutMs} ms`), timeoutMs);
        listeners.add(look);
        void closed.then(() => fail('before it ended'));
        look();
      }),
    [Symbol.asyncDispose]: () => endGroup(child),
  };
}

/** Sends SIGTERM to the group, and SIGKILL after five seconds. */
async function endGroup(child: ChildProcess): Promise<void> {
  const pid = child.pid;
  if (pid === undefined) return;
  const signal = (name: NodeJS.Signals): boolean => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  };
  // The leader may have ended while other processes of its group still run.
  if (!signal('SIGTERM')) return;
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'close') : Promise.resolve();
  await Promise.race([ended, delay(5_000, undefined, { ref: false })]);
  signal('SIGKILL');
}
