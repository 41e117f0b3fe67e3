import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import { until } from './until.ts';
import { memoryLog } from './memory-log.ts';
import { testKey } from './memory-studio-keys.ts';
import type { TestBridge } from './start-bridge.ts';

const place = fileURLToPath(new URL('../../examples/places/baseplate-566.rbxlx', import.meta.url));

/** Headless Studio with an empty place that is connected to a bridge. */
export interface ConnectedHeadless {
  readonly studio: HeadlessStudio;
  /** Runs a chunk and returns its values. */
  readonly lua: (source: string) => Promise<readonly unknown[]>;
  /** Waits until the expression has the value `expected`. */
  readonly untilLua: (source: string, expected: unknown) => Promise<void>;
}

/**
 * Runs the chunk `setup` in an empty place, then connects it to the bridge. The caller disposes `studio`.
 *
 * @param key that of another computer if the connection is forwarded
 */
export async function connectHeadless(
  bridge: Pick<TestBridge, 'studioUrl'>,
  setup: string,
  key = testKey,
): Promise<ConnectedHeadless> {
  const studio = await startHeadlessStudio({ ...bundledFiles(), place, key: async () => key, log: memoryLog() });
  const lua: ConnectedHeadless['lua'] = async source => {
    const result = await studio.run(source);
    assert.ok(result.ok, result.ok ? '' : result.error.message);
    return result.values.map(value => value.json);
  };
  await lua(setup);
  studio.connect(Number(new URL(bridge.studioUrl).port));
  return {
    studio,
    lua,
    async untilLua(source, expected) {
      await until(async () => (await lua(`task.wait() return ${source}`))[0] === expected);
    },
  };
}
