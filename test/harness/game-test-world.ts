import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { GameTestEvent, type GameTestResult } from '../../src/protocol/game-tests.ts';
import { typeCommand } from './command-line.ts';

/** Writes a game whose `src` is ReplicatedStorage, and returns its folder. */
export function gameWith(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  project: Readonly<Record<string, unknown>> = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'game-tests-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  const all = { 'default.project.json': JSON.stringify({ name: 'Game', tree, ...project }), 'src/.keep': '', ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs `atlas-bridge test --json` and reads every line with the documented schema. */
export async function runGameTests(
  cwd: string,
  ...args: readonly string[]
): Promise<{
  readonly code: number;
  readonly events: readonly GameTestEvent[];
  readonly tests: readonly GameTestResult[];
}> {
  const { code, out, err } = await typeCommand(['test', '--json', ...args], { cwd });
  const events = out
    .split('\n')
    .filter(line => line !== '')
    .map(line => GameTestEvent.parse(JSON.parse(line), { error: () => `${line}\n${err}` }));
  return { code, events, tests: events.filter(event => event.event === 'test') };
}

/** `passed block > test`, for each test. */
export const verdicts = (tests: readonly GameTestResult[]): readonly string[] =>
  tests.map(({ status, names, file }) => `${status} ${names.length === 0 ? file : names.join(' > ')}`);
