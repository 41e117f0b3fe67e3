/** Writes `l10n/bundle.l10n.json`, the source for translators. Run it after you change a text of the editor. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectSentences, collectTexts } from './l10n/collect-texts.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');

/** Files with texts of the editor, relative to the repository. */
export const filesWithTexts = (): readonly string[] =>
  [
    'src/extension.ts',
    // Also shown by the command line and by MCP clients, in English.
    ...globSync('src/review/*-strings*.ts', { cwd: root }),
    ...globSync('src/{extension,vscode,*/vscode}/**/*.ts', { cwd: root }),
  ].toSorted();

/** Files with sentences that the editor may show translated. Excludes texts that only agents read. */
export const filesWithSentences = (): readonly string[] =>
  globSync('src/**/*.ts', {
    cwd: root,
    exclude: ['src/*/{tools,cli}/**', 'src/{mcp,app,cli,transport,webview}/**'],
  }).toSorted();

/** The content of `l10n/bundle.l10n.json`: each text is both key and value, sorted. */
export function bundle(): string {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const texts = filesWithTexts().flatMap(path => collectTexts(path, read(path)).texts);
  const sentences = filesWithSentences().flatMap(path => collectSentences(path, read(path)));
  const sorted = [...new Set([...texts, ...sentences])].toSorted();
  return `${JSON.stringify(Object.fromEntries(sorted.map(text => [text, text])), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'l10n/bundle.l10n.json'), bundle());
  console.log('wrote l10n/bundle.l10n.json');
}
