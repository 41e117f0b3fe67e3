import { inWords, type Sentence, type Translate, whole } from '../../../base/sentence.ts';
import type { Localize } from './localize.ts';

/** Longer texts are nobody's phrase, and searching them takes time. */
const MOST_CHARACTERS = 1000;

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
}

/** Fewer characters stand in anybody's text: then something that they join must be ours too. */
const ENOUGH = 5;

/** What is known of one bundle. */
interface Phrases {
  readonly texts: Readonly<Record<string, string>>;
  /** By the character that a text must begin with; `''`: any. */
  readonly patterns: ReadonlyMap<string, readonly Pattern[]>;
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
    const known = isMade ? undefined : read(template, phrasesOf(bundle), new Map());
    return known === undefined ? inLanguage(template, ...values) : inWords(known.sentence, inLanguage);
  };
}

const taken = new WeakMap<object, Phrases>();
function phrasesOf(bundle: Phrases['texts']): Phrases {
  const before = taken.get(bundle);
  if (before !== undefined) return before;
  const patterns = Map.groupBy(Object.keys(bundle).flatMap(toPattern), ({ words }) => words[0]?.charAt(0) ?? '');
  const phrases = { texts: bundle, patterns };
  taken.set(bundle, phrases);
  return phrases;
}

function toPattern(template: string): readonly Pattern[] {
  const words = template.split(/\{\d+\}/);
  const own = words.join('');
  const areApart = words.slice(1, -1).every(word => word !== '');
  if (words.length < 2 || !/\p{L}/u.test(own) || !areApart) return [];
  const holes = Array.from(template.matchAll(/\{(\d+)\}/g), ([, at]) => Number(at));
  return [{ template, words, holes, weight: weightOf(own) }];
}

const weightOf = (text: string): number => text.replaceAll(/\s/g, '').length;

function read(text: string, phrases: Phrases, before: Map<string, Reading | undefined>): Reading | undefined {
  if (before.has(text)) return before.get(text);
  const best = text.length > MOST_CHARACTERS ? undefined : readAnew(text, phrases, before);
  before.set(text, best);
  return best;
}

function readAnew(text: string, phrases: Phrases, before: Map<string, Reading | undefined>): Reading | undefined {
  if (Object.hasOwn(phrases.texts, text)) return { sentence: whole(text), weight: weightOf(text) };
  let best = afterColon(text, phrases, before);
  const fitting = [text.charAt(0), ''].flatMap(start => phrases.patterns.get(start) ?? []);
  for (const { template, words, holes, weight } of fitting) {
    const values = valuesIn(text, words, holes);
    if (values === undefined) continue;
    // A name has one word and stays as it is.
    const readings = values.map(value => (value.includes(' ') ? read(value, phrases, before) : undefined));
    const inside = readings.reduce((sum, reading) => sum + (reading?.weight ?? 0), 0);
    if ((weight < ENOUGH && inside === 0) || weight + inside <= (best?.weight ?? 0)) continue;
    const said = values.map((value, index) => readings[index]?.sentence ?? value);
    best = { sentence: { template, values: said }, weight: weight + inside };
  }
  return best;
}

/** A place or a name may stand before what is said of it. */
function afterColon(text: string, phrases: Phrases, before: Map<string, Reading | undefined>): Reading | undefined {
  const at = text.indexOf(': ');
  const rest = text.slice(at + 2);
  const said = at < 1 || !rest.includes(' ') ? undefined : read(rest, phrases, before);
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
