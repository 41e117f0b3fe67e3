/** Writes `l10n/bundle.l10n.json`, from which translators start: run it after a change of a text that a person reads. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectSentences, collectTexts } from './l10n/collect-texts.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');

/** The files in which texts for a person stand, relative to the repository. */
export const filesWithTexts = (): readonly string[] =>
  ['src/extension.ts', ...globSync('src/{extension,vscode,*/vscode}/**/*.ts', { cwd: root })].toSorted();

/** Those whose sentences the editor may show in its own language: what agents alone read stays out. */
export const filesWithSentences = (): readonly string[] =>
  globSync('src/**/*.ts', {
    cwd: root,
    exclude: ['src/*/{tools,cli}/**', 'src/{mcp,app,cli,transport,webview}/**'],
  }).toSorted();

/** What `l10n/bundle.l10n.json` must hold: each text under itself, in order. */
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
