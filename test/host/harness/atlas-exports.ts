import type { AtlasExports } from '../../../src/extension/atlas-exports.ts';
import { until } from './until.ts';
import type { RunningVsCode } from './start-vscode.ts';

const extensionId = 'atlas-bridge.atlas-bridge';

/** Reads the exports of the extension, like another extension. Waits for its activation without triggering it. */
export async function atlasExports({ driver }: RunningVsCode): Promise<AtlasExports> {
  return until('the activation of Atlas Bridge', 30_000, async () => {
    const { isActive, exports } = await driver.call('extension', { id: extensionId });
    // The exports have this type, because the test builds the extension itself.
    return isActive ? (exports as AtlasExports) : undefined;
  });
}
