import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedStudioKey } from '../../src/adapters/node/json-studio-keys.ts';
import { type Bridge, createBridge } from '../../src/app/app.ts';
import { runBuild } from '../../src/cli/build.ts';
import { defaultSettings } from './default-settings.ts';
import { nodeHost } from '../../src/cli/node-host.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import type { Logger } from '../../src/ports/logger.ts';

export interface SyncedProject extends AsyncDisposable {
  readonly engine: Bridge['engine'];
  /** The milliseconds that the plugin took for the answers with that signal. */
  answered(signal: string): readonly number[];
}

/** Builds a place from the project in `placeOf`, and connects it like `startSynced`. */
export async function startSyncedWith(folder: string, placeOf: string): Promise<SyncedProject> {
  const state = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  try {
    const place = join(state, 'place.rbxl');
    const io = { out() {}, err: console.error, cwd: state, env: {}, stop: new AbortController().signal, version: '0' };
    if ((await runBuild([placeOf, '--output', place], io)) !== 0) throw new Error('the place was not built');
    return await startSynced(folder, place);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** Connects headless Studio in this process, with the place, to a bridge for the project in `folder`. */
export async function startSynced(folder: string, place: string): Promise<SyncedProject> {
  await using ends = new AsyncDisposableStack();
  const state = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  ends.defer(() => rmSync(state, { recursive: true, force: true }));
  const answers: { readonly signal: unknown; readonly ms: number }[] = [];
  const log: Logger = {
    debug(message, fields) {
      if (message === 'Studio answered') answers.push({ signal: fields?.['signal'], ms: Number(fields?.['ms']) });
    },
    info() {},
    warn() {},
    error: console.error,
    child: () => log,
  };
  const env = { XDG_STATE_HOME: state };
  const host = await nodeHost(folder, state, defaultSettings, log, env);
  const bridge = await createBridge(host, { port: 0, tokens: ['bench'], version: '0' });
  ends.defer(() => bridge.stop());
  const studio = ends.use(await startHeadlessStudio({ ...bundledFiles(), place, key: installedStudioKey(env), log }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (bridge.studios.all().length > 0) resolve();
  };
  using _connected = bridge.studios.onDidChange(look);
  studio.connect(Number(new URL(bridge.studioUrl).port), '127.0.0.1');
  look();
  await promise;
  const owned = ends.move();
  return {
    engine: bridge.engine,
    answered: signal => answers.filter(answer => answer.signal === signal).map(({ ms }) => ms),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Until the run has ended: a tool would answer earlier.
 *
 * @param expected the status of the result
 * @returns the number of changes
 */
export async function syncNow(
  { engine }: SyncedProject,
  mode: 'fastfail' | 'dryrun' | 'push',
  expected: string,
): Promise<number> {
  const overrides = mode === 'push' ? (await engine.start(requestOf('dryrun')).result).changes.map(pushOf) : [];
  const { status, summary, changes } = await engine.start({
    ...requestOf(mode === 'push' ? 'fastfail' : mode),
    overrides,
  }).result;
  if (status !== expected) throw new Error(`the sync ended ${status}: ${summary}`);
  return changes.length;
}

const requestOf = (mode: 'fastfail' | 'dryrun') => ({
  mode,
  overrides: [],
  requestedBy: 'bench',
  canDecide: false,
});

const pushOf = ({ id }: { readonly id: string }) => ({ id, direction: 'push' as const });
