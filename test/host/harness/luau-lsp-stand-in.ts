import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installExtensions } from '../../../scripts/vscode/launch-code-server.ts';
import { packFolder } from '../../../scripts/vscode/pack-extension.ts';
import { installTestExtensions } from '../../../scripts/vscode/test-extensions.ts';

/** A picture as data, in Markdown. */
export const README_PICTURE = 'one white pixel';
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAGk0IBgAAAABJRU5ErkJggg==';

const setting = (type: string, value: unknown) => ({
  type,
  default: value,
  scope: 'resource',
  description: 'As named.',
});

/** The identity and the sourcemap settings of Luau LSP. It runs where Atlas Bridge runs, which needs a main file. */
const manifest = {
  name: 'luau-lsp',
  displayName: 'Stand-in for Luau LSP',
  publisher: 'JohnnyMorganz',
  version: '1.0.0',
  description: 'The settings of Luau LSP.',
  license: 'MIT',
  engines: { vscode: '^1.101.0' },
  main: './extension.js',
  activationEvents: [],
  extensionKind: ['workspace'],
  contributes: {
    configuration: {
      properties: {
        'luau-lsp.sourcemap.enabled': setting('boolean', true),
        'luau-lsp.sourcemap.generatorCommand': setting('string', ''),
        'luau-lsp.sourcemap.sourcemapFile': setting('string', 'sourcemap.json'),
      },
    },
  },
};

/** Installs the test extensions and a stand-in for Luau LSP in `dir`. Resolves with the folder for `ATLAS_EXTENSIONS`. */
export async function installWithLuauLsp(dir: string): Promise<string> {
  const source = join(dir, 'luau-lsp');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(source, 'README.md'), `# Stand-in\n\n![${README_PICTURE}](${pixel})\n`);
  writeFileSync(join(source, 'extension.js'), 'exports.activate = () => undefined;\n');
  writeFileSync(join(source, '.vscodeignore'), '');
  const vsix = await packFolder(source, join(dir, 'luau-lsp.vsix'));
  const installed = process.env['ATLAS_EXTENSIONS'];
  if (installed === undefined) await installTestExtensions(dir);
  else cpSync(installed, join(dir, 'extensions'), { recursive: true });
  return installExtensions(dir, [vsix]);
}
