import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCodeServer } from '../set-up/code-server.ts';
import { bundleExtension } from './bundle-extension.ts';
import { installExtensions } from './launch-code-server.ts';
import { ensureRelease, packExtension, packFolder } from './pack-extension.ts';

const driver = resolve(fileURLToPath(import.meta.url), '../../../test/host/driver');

/** Bundles the extension that runs test commands in the extension host. Resolves with a folder in `dir` for `--extensionDevelopmentPath`. */
export const buildDriver = (dir: string): Promise<string> => bundleExtension(driver, join(dir, 'driver'));

/** Packs and installs Atlas Bridge and the driver in `dir`. Resolves with the folder for `--extensions-dir`. */
export async function installTestExtensions(dir: string): Promise<string> {
  await ensureCodeServer();
  await ensureRelease();
  const packed = join(dir, 'packed');
  mkdirSync(packed, { recursive: true });
  const driverVsix = await packFolder(await buildDriver(packed), join(packed, 'atlas-driver.vsix'));
  return installExtensions(dir, [driverVsix, await packExtension(packed)]);
}
