import { inWords, type Sentence, type Translate, whole } from '../../base/sentence.ts';
import type { Localize } from './localize.ts';

/** Longer texts are nobody's phrase, and searching them takes time. */
const MAX_CHARACTERS = 1000;
/** What was read is kept, because problems and reasons are shown again with every change beside them; then it is begun anew. */
const MAX_KEPT = 5000;

/** `vscode.l10n`, once the editor has read what the extension brings for its language. */
export interface LocalizeByBundle extends Localize {
  /** Each text with its translation; `undefined`: the editor speaks English. */
  readonly bundle: Readonly<Record<string, string>> | undefined;
}

/** One template, taken apart: the words around its holes, and which value each hole holds. */
interface Pattern {
  readonly template: string;
  readonly words: readonly string[];
  readonly holes: readonly number[];
  /** How much of a text it explains by itself, in characters other than spaces. */
  readonly weight: number;
  /** Of two that explain as much, the one that begins with words is meant, then the one that stands first. */
  readonly rank: number;
}

/** Fewer characters stand in anybody's text: then something that they join must be ours too. */
const ENOUGH = 5;

/** What is known of one bundle. */
interface Phrases {
  readonly texts: Readonly<Record<string, string>>;
  /** By a word that a text must have, the rarest of each; `''`: none. A text has few of them, so that few patterns are tried. */
  readonly patterns: ReadonlyMap<string, readonly Pattern[]>;
  /** What was made of texts, and of values in them. */
  readonly kept: Map<string, Reading | undefined>;
}

/** One way to read a text, and how much of it is then known; of several, the one that explains most is meant. */
interface Reading {
  readonly sentence: Sentence;
  readonly weight: number;
}

/**
 * Turns English into the language of the editor, also where the English is all that is left: reasons and problems cross wires, records
 * and threads as text. Such a text is taken apart again by the template that it was made from, so that it is translated like one
 * that has just been said.
 */
export function translating(l10n: LocalizeByBundle): Translate {
  return (template, ...values) => {
    const { bundle, t: inLanguage } = l10n;
    const isMade = values.length > 0 || bundle === undefined || Object.hasOwn(bundle, template);
    const known = isMade ? undefined : read(template, phrasesOf(bundle));
    return known === undefined ? inLanguage(template, ...values) : inWords(known.sentence, inLanguage);
  };
}

const taken = new WeakMap<object, Phrases>();
function phrasesOf(bundle: Phrases['texts']): Phrases {
  const before = taken.get(bundle);
  if (before !== undefined && before.kept.size > MAX_KEPT) before.kept.clear();
  if (before !== undefined) return before;
  const phrases: Phrases = {
    texts: bundle,
    patterns: byRarestWord(Object.keys(bundle).flatMap(toPattern)),
    kept: new Map(),
  };
  taken.set(bundle, phrases);
  return phrases;
}

const wordsIn = (text: string): readonly string[] => text.match(/[a-z]+/gi) ?? [];

/** The words of a template that no value can be part of: what stands beside a hole may go on in it. */
const wholeWords = ({ words }: Pattern): readonly string[] =>
  words.flatMap((text, at) => {
    const first = at === 0 ? text : text.replace(/^[a-z]+/i, '');
    return wordsIn(at === words.length - 1 ? first : first.replace(/[a-z]+$/i, ''));
  });

function byRarestWord(patterns: readonly Pattern[]): Phrases['patterns'] {
  const known = patterns.map(pattern => ({ pattern, whole: new Set(wholeWords(pattern)) }));
  const uses = new Map<string, number>();
  for (const { whole: all } of known) for (const word of all) uses.set(word, (uses.get(word) ?? 0) + 1);
  const rarity = (word: string): number => uses.get(word) ?? 0;
  const rarest = (all: ReadonlySet<string>): string =>
    Array.from(all).reduce((best, word) => (best === '' || rarity(word) < rarity(best) ? word : best), '');
  const found = new Map<string, Pattern[]>();
  for (const { pattern, whole: all } of known) {
    const word = rarest(all);
    found.set(word, [...(found.get(word) ?? []), pattern]);
  }
  return found;
}

function toPattern(template: string, at: number): readonly Pattern[] {
  const words = template.split(/\{\d+\}/);
  const own = words.join('');
  const areApart = words.slice(1, -1).every(word => word !== '');
  if (words.length < 2 || !/\p{L}/u.test(own) || !areApart) return [];
  const holes = Array.from(template.matchAll(/\{(\d+)\}/g), ([, at]) => Number(at));
  return [{ template, words, holes, weight: weightOf(own), rank: words[0] === '' ? at + 1e6 : at }];
}

const weightOf = (text: string): number => text.replaceAll(/\s/g, '').length;

function read(text: string, phrases: Phrases): Reading | undefined {
  const { kept } = phrases;
  if (kept.has(text)) return kept.get(text);
  const best = text.length > MAX_CHARACTERS ? undefined : readAnew(text, phrases);
  kept.set(text, best);
  return best;
}

function readAnew(text: string, phrases: Phrases): Reading | undefined {
  if (Object.hasOwn(phrases.texts, text)) return { sentence: whole(text), weight: weightOf(text) };
  let best = afterColon(text, phrases);
  for (const { template, words, holes, weight } of fittingIn(text, phrases)) {
    const values = valuesIn(text, words, holes);
    if (values === undefined) continue;
    // A name has one word and stays as it is.
    const readings = values.map(value => (value.includes(' ') ? read(value, phrases) : undefined));
    const inside = readings.reduce((sum, reading) => sum + (reading?.weight ?? 0), 0);
    if ((weight < ENOUGH && inside === 0) || weight + inside <= (best?.weight ?? 0)) continue;
    const said = values.map((value, index) => readings[index]?.sentence ?? value);
    best = { sentence: { template, values: said }, weight: weight + inside };
  }
  return best;
}

function fittingIn(text: string, { patterns }: Phrases): readonly Pattern[] {
  const fitting = [...(patterns.get('') ?? [])];
  for (const word of wordsIn(text)) {
    const withWord = patterns.get(word);
    if (withWord !== undefined) fitting.push(...withWord);
  }
  return fitting.sort((a, b) => a.rank - b.rank);
}

/** A place or a name may stand before what is said of it. */
function afterColon(text: string, phrases: Phrases): Reading | undefined {
  const at = text.indexOf(': ');
  const rest = text.slice(at + 2);
  const said = at < 1 || !rest.includes(' ') ? undefined : read(rest, phrases);
  if (said === undefined) return undefined;
  return { sentence: { template: '{0}: {1}', values: [text.slice(0, at), said.sentence] }, weight: said.weight };
}

/** What stands in the holes, by their numbers; `undefined`: the text is not made from this. */
function valuesIn(text: string, words: readonly string[], holes: readonly number[]): readonly string[] | undefined {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  const end = text.length - last.length;
  let from = first.length;
  for (const [index, hole] of holes.entries()) {
    const next = words[index + 1] ?? '';
    const to = index === holes.length - 1 ? end : text.indexOf(next, from + 1);
    if (to <= from || to > end) return undefined;
    const value = text.slice(from, to);
    if ((values[hole] ?? value) !== value) return undefined;
    values[hole] = value;
    from = to + next.length;
  }
  return values;
}
