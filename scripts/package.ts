/** `npm run package`: creates atlas-bridge-<version>.vsix, the extension for every platform. `-- --publish` demands the links of a release. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRelease, packExtension } from './vscode/pack-extension.ts';
import { pageProblems, placeholderFields, type ReleaseManifest } from './vscode/release-fields.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
process.chdir(root);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as ReleaseManifest & { readonly version: string };
const { version } = manifest;
const missing = placeholderFields(manifest);
if (process.argv.includes('--publish') && missing.length > 0)
  throw new Error(`package.json has placeholders: fill in ${missing.join(', ')} before a release`);
const problems = pageProblems(manifest, file => (existsSync(file) ? readFileSync(file) : undefined));
if (problems.length > 0) throw new Error(`package.json is incomplete: correct ${problems.join(', ')}`);
await ensureRelease();
const file = await packExtension(root, `atlas-bridge-${version}.vsix`);
console.log(`${file} (${(statSync(file).size / 1e6).toFixed(2)} MB)`);
