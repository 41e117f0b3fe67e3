import type { AtlasExports } from '../../../src/extension/atlas-exports.ts';
import { until } from './until.ts';
import type { RunningVsCode } from './start-vscode.ts';

const extensionId = 'atlas-bridge.atlas-bridge';

/** What the extension says of itself, as another extension would ask it. Waits for its activation, which nobody asks for. */
export async function atlasExports({ driver }: RunningVsCode): Promise<AtlasExports> {
  return until('the activation of Atlas Bridge', 30_000, async () => {
    const { isActive, exports } = await driver.call('extension', { id: extensionId });
    // The test's own build of the extension exports that type.
    return isActive ? (exports as AtlasExports) : undefined;
  });
}
