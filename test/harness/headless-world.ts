import { formatResult } from '../../src/protocol/run-result.ts';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { HostPorts } from '../../src/app/app.ts';
import type { SyncRequest } from '../../src/sync/sync-engine.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import type { SyncOverride } from '../../src/protocol/sync-request.ts';
import type { SyncChange, SyncResult } from '../../src/protocol/sync-result.ts';
import { testKey } from './memory-studio-keys.ts';
import { memoryLog } from './memory-log.ts';
import { startBridge, type TestBridge } from './start-bridge.ts';
import { until } from './until.ts';

export interface HeadlessWorld extends AsyncDisposable {
  readonly bridge: TestBridge;
  readonly studio: HeadlessStudio;
  /** Runs a chunk in the command bar; an error in it fails the test. */
  lua(source: string): Promise<readonly unknown[]>;
  sync(request?: Partial<SyncRequest>): Promise<SyncResult>;
  /** Compares, decides each change by `choose` and applies the decisions. Undecided changes are pushed. */
  decide(choose?: (change: SyncChange) => Partial<SyncOverride> | undefined): Promise<SyncResult>;
}

const place = fileURLToPath(new URL('../../examples/places/baseplate-566.rbxlx', import.meta.url));

/**
 * A bridge over `files` and headless Studio over a real place, in which the chunk `setUp` runs before the first comparison.
 *
 * @param placeFile another place to open
 */
export async function startHeadlessWorld(
  files: Readonly<Record<string, string>>,
  setUp = '',
  changed: Partial<HostPorts> = {},
  placeFile = place,
): Promise<HeadlessWorld> {
  await using ends = new AsyncDisposableStack();
  const bridge = ends.use(await startBridge(files, changed));
  const studio = ends.use(
    await startHeadlessStudio({ ...bundledFiles(), place: placeFile, key: async () => testKey, log: memoryLog() }),
  );
  const lua: HeadlessWorld['lua'] = async source => {
    const result = await studio.run(source);
    assert.ok(result.ok, result.ok ? '' : result.error.message);
    return result.values.map(value => value.json);
  };
  await lua(setUp);
  studio.connect(Number(new URL(bridge.studioUrl).port));
  await until(() => bridge.studios.all().length > 0);
  const sync: HeadlessWorld['sync'] = async request =>
    formatResult(await bridge.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test', ...request }).result);
  const owned = ends.move();
  return {
    bridge,
    studio,
    lua,
    sync,
    async decide(choose) {
      const dry = await sync();
      const overrides = dry.changes.map(({ id, studioHash, ...change }) => ({
        id,
        direction: 'push' as const,
        ...(studioHash !== undefined && { studioHash }),
        ...choose?.({ id, ...change }),
      }));
      return sync({ mode: 'fastfail', overrides });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
