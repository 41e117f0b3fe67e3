/** `npm run package:npm`: creates the package of the command line, its bill of materials and their checksums in `out/npm`. */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Metafiles, packForNpm } from './npm/pack-for-npm.ts';
import { ensureRelease } from './vscode/pack-extension.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
await ensureRelease();
const metafiles = JSON.parse(await readFile(resolve(root, 'out/bundles.json'), 'utf8')) as Metafiles;
const packed = await packForNpm(resolve(root, 'dist'), metafiles, resolve(root, 'out/npm'));
for (const file of Object.values<string>({ ...packed })) console.log(relative(root, file));
