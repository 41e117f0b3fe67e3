import { copyFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { HeadlessEvent } from '../../src/protocol/headless.ts';
import { startGroup } from '../set-up/process-group.ts';
import { cli } from './bridge-process.ts';

const place = resolve(fileURLToPath(import.meta.url), '../../../examples/places/baseplate-566.rbxlx');

/** `atlas-bridge headless` in a separate process with a copy of a place, by default one that Roblox Studio saved. */
export interface HeadlessStudio extends AsyncDisposable {
  /** Absolute path of the copy. */
  readonly place: string;
  /** Resolves when the plugin is connected to the bridge. */
  connected(): Promise<void>;
  /** Runs Luau in the command bar. Resolves with the first returned value. @throws Error with the error of the chunk */
  run(luau: string): Promise<unknown>;
}

/** `dir`: folder for the copy. `port`: port of the bridge, which may start later. `of`: absolute path of the place. `env`: variables beside those of this process, such as the state folder of the bridge. */
export async function startHeadlessStudio(
  dir: string,
  port: number,
  of = place,
  env: Readonly<Record<string, string>> = {},
): Promise<HeadlessStudio> {
  const copy = join(dir, `obby${extname(of)}`);
  copyFileSync(of, copy);
  const group = startGroup(process.execPath, [cli, 'headless', '--place', copy, '--connect', String(port), '--json'], {
    env: { ...process.env, ...env },
  });
  const answers = new Map<string, (event: HeadlessEvent) => void>();
  let status = 'disconnected';
  const watchers = new Set<() => void>();
  let lastId = 0;
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  group.child.once('close', () => ended.reject(new Error(`Headless Studio ended:\n${group.output()}`)));
  const { stdout, stdin } = group.child;
  if (stdout === null || stdin === null) throw new Error('headless Studio has no pipes');
  createInterface({ input: stdout }).on('line', line => {
    // With --json, the program prints only such events.
    const event = JSON.parse(line) as HeadlessEvent;
    if (event.event === 'status') {
      status = event.status;
      for (const watcher of Array.from(watchers)) watcher();
    }
    if ('id' in event && event.id !== undefined) answers.get(String(event.id))?.(event);
  });
  try {
    await group.printed(/"event":"loaded"/, 60_000);
  } catch (error) {
    await group[Symbol.asyncDispose]();
    throw error;
  }
  return {
    place: copy,
    connected: () =>
      new Promise((done, reject) => {
        const finish = (act: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          act();
        };
        const look = (): void => {
          if (status === 'connected') finish(done);
        };
        const timer = setTimeout(
          () => finish(() => reject(new Error(`Headless Studio is ${status} after 30 s:\n${group.output()}`))),
          30_000,
        );
        watchers.add(look);
        look();
      }),
    async run(luau) {
      const id = String(++lastId);
      const answer = new Promise<HeadlessEvent>(done => answers.set(id, done));
      stdin.write(`${JSON.stringify({ run: luau, id })}\n`);
      const event = await Promise.race([answer, ended.promise]).finally(() => answers.delete(id));
      if (event.event === 'result' && event.ok) return event.values[0];
      throw new Error(
        event.event === 'result' && !event.ok
          ? event.error.message
          : `unexpected event of the command bar: ${JSON.stringify(event)}`,
      );
    },
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}
