import { basename } from 'node:path';
import { retiredAffixes, retiredFiles, retiredNames, retiredSettings, wordRules } from './rules.ts';
import { textsOf } from './texts-of.ts';

export interface Hit {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  /** The line in which it was found, for the allow-list and for the message. */
  readonly context: string;
  readonly instead: string;
}

/** Every wording of a file that the rules do not allow. */
export function findWords(file: string, content: string): readonly Hit[] {
  const hits: Hit[] = [];
  const lines = content.split('\n');
  const add = (line: number, found: string, instead: string): void => {
    hits.push({ file, line, found: found.replaceAll(/\s+/g, ' '), context: lines[line - 1]?.trim() ?? '', instead });
  };

  const name = basename(file).replace(/\..*$/, '');
  const newName = retiredFiles[name];
  if (newName !== undefined) add(1, name, newName);
  for (const piece of textsOf(file, content)) {
    if (piece.kind === 'name' && cleanNames.has(piece.text)) continue;
    const before = hits.length;
    const spaced = piece.kind === 'name' ? wordsOf(piece.text) : piece.text;
    for (const { applies, pattern, instead } of wordRules) {
      if (piece.kind === 'name' && applies === 'text') continue;
      for (const match of spaced.matchAll(pattern))
        add(piece.line + spaced.slice(0, match.index).split('\n').length - 1, match[0], instead);
    }
    if (piece.kind === 'text') {
      for (const [setting, instead] of Object.entries(retiredSettings))
        if (piece.text.includes(setting)) {
          const above = piece.text.slice(0, piece.text.indexOf(setting));
          add(piece.line + above.split('\n').length - 1, setting, instead);
        }
      continue;
    }
    const instead = Object.hasOwn(retiredNames, piece.text)
      ? retiredNames[piece.text]
      : retiredAffixes.find(({ pattern }) => pattern.test(piece.text))?.instead;
    if (instead !== undefined) add(piece.line, piece.text, instead);
    if (hits.length === before) cleanNames.add(piece.text);
  }
  return hits;
}

/** Names without a hit, because the same names occur in many files. */
const cleanNames = new Set<string>();

/** The words of an identifier: `toldAs` is `told As`, `MOST_FILES` is `MOST FILES`. */
const wordsOf = (name: string): string =>
  name.replaceAll('_', ' ').replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
