import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCodeServer } from '../set-up/code-server.ts';
import { bundleExtension } from './bundle-extension.ts';
import { installExtensions } from './launch-code-server.ts';
import { ensureRelease, packExtension, packFolder } from './pack-extension.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const driver = join(root, 'test/host/driver');
const turns = join(root, 'test/host/turns');

/** Bundles the extension that runs test commands in the extension host. Resolves with a folder in `dir` for `--extensionDevelopmentPath`. */
export const buildDriver = (dir: string): Promise<string> => bundleExtension(driver, join(dir, 'driver'));

/** Packs and installs Atlas Bridge, the driver and the recorder of turns in `dir`. Resolves with the folder for `--extensions-dir`. */
export async function installTestExtensions(dir: string): Promise<string> {
  await ensureCodeServer();
  await ensureRelease();
  const packed = join(dir, 'packed');
  mkdirSync(packed, { recursive: true });
  const driverVsix = await packFolder(await buildDriver(packed), join(packed, 'atlas-driver.vsix'));
  const turnsVsix = await packFolder(await bundleExtension(turns, join(packed, 'turns')), join(packed, 'turns.vsix'));
  return installExtensions(dir, [driverVsix, turnsVsix, await packExtension(packed)]);
}
