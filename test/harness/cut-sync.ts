import { formatResult } from '../../src/protocol/run-result.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import type { TestBridge } from './start-bridge.ts';
import type { StudioProxy } from './studio-proxy.ts';

/**
 * Compares, decides each change by `isPulled(path)` and applies the decisions. The connection breaks at message `cutAt` of the apply, which is
 * lost; 0 never breaks it.
 */
export async function cutSync(
  bridge: TestBridge,
  proxy: StudioProxy,
  isPulled: RegExp,
  cutAt = 0,
): Promise<SyncResult> {
  const start = async (request: object) =>
    formatResult(
      await bridge.engine.start({ mode: 'fastfail', overrides: [], requestedBy: 'test', ...request }).result,
    );
  const { changes } = await start({ mode: 'dryrun' });
  const overrides = changes.map(({ id, path, studioHash }) => ({
    id,
    direction: isPulled.test(path) ? ('pull' as const) : ('push' as const),
    ...(studioHash !== undefined && { studioHash }),
  }));
  proxy.passed.length = 0;
  proxy.cutAt = cutAt;
  const result = await start({ overrides });
  proxy.cutAt = 0;
  return result;
}
