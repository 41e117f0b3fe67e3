/** `npm run package`: creates atlas-bridge-<version>.vsix, the extension for every platform. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRelease, packExtension } from './vscode/pack-extension.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
process.chdir(root);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
await ensureRelease();
const file = await packExtension(root, `atlas-bridge-${version}.vsix`);
console.log(`${file} (${(statSync(file).size / 1e6).toFixed(2)} MB)`);
