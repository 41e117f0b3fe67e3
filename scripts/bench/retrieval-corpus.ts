import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Corpus {
  readonly files: number;
  readonly bytes: number;
  /** Number of lines that contain `words.everywhere`. */
  readonly everywhere: number;
}

/** Words to search for: in no line, in a few lines, in a few lines per file, in every other line. */
export const words = { nowhere: 'xylophonist', rare: 'quizzical', frequent: 'return', everywhere: 'of' } as const;

const TOP = 32;
const MIDDLE = 16;
const FILES = 41;
const FILE_BYTES = 10_400;
const vocabulary =
  'the of and to in is that for it as was with be by on not he this are or his from at which but have an had they you were there one all we can her has'.split(
    ' ',
  );

/**
 * Writes a reproducible tree of more than 20,000 files and 200 MB: prose and code, with folders beside files whose names have the same
 * prefix.
 */
export function writeCorpus(folder: string): Corpus {
  const random = createRandom(1);
  let files = 0;
  let bytes = 0;
  let everywhere = 0;
  for (let top = 0; top < TOP; top += 1) {
    for (let middle = 0; middle < MIDDLE; middle += 1) {
      const place = join(folder, `part-${String(top).padStart(2, '0')}`, `group-${String(middle).padStart(2, '0')}`);
      mkdirSync(place, { recursive: true });
      for (let at = 0; at < FILES; at += 1) {
        const text = writeText(random, files);
        const path = at === 0 ? `${place}.md` : join(place, `file-${at}.${at % 3 === 0 ? 'md' : 'ts'}`);
        writeFileSync(path, text.text);
        files += 1;
        bytes += text.text.length;
        everywhere += text.everywhere;
      }
    }
  }
  return { files, bytes, everywhere };
}

function writeText(random: () => number, number: number): { readonly text: string; readonly everywhere: number } {
  const lines: string[] = [`# File ${number}`];
  let length = 0;
  let everywhere = 0;
  for (let line = 0; length < FILE_BYTES; line += 1) {
    const count = 4 + Math.floor(random() * 14);
    const parts = Array.from({ length: count }, () => vocabulary[Math.floor(random() * vocabulary.length)]);
    if (line % 2 === 0) parts.push(words.everywhere);
    if (line % 60 === 7) parts.push(words.frequent);
    if (line === 20 && number % 300 === 7) parts.push(words.rare);
    const text = parts.join(' ');
    if (text.includes(words.everywhere)) everywhere += 1;
    lines.push(text);
    length += text.length + 1;
  }
  return { text: `${lines.join('\n')}\n`, everywhere };
}

/** Creates a seeded random generator of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
