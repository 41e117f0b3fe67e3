import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, Parser, Scalar } from 'yaml';
import { DecodeBudget, DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';
import type { JsonProblem } from './json5-document.ts';
import { ShapeError } from './json-shape.ts';
import { TEXT_FILE_LIMITS } from './limits.ts';

/**
 * Reads a YAML file with one document: arrays, strings, numbers, booleans, `null`, and a `Map` for each mapping in the order of the file,
 * with strings, numbers or booleans as keys. Ignores tags. Aliases and whole numbers beyond 2^53 are errors.
 */
export function readYaml(text: string): Result<unknown, JsonProblem> {
  const lineCounter = new LineCounter();
  const fail = (offset: number, expected: string): Result<never, JsonProblem> => {
    const { line, col } = lineCounter.linePos(offset);
    return err({ line: Math.max(1, line), column: Math.max(1, col), expected });
  };
  try {
    const budget = new DecodeBudget(TEXT_FILE_LIMITS, text.length);
    // The library takes a kilobyte per node, so nodes are counted before it runs: each node starts with one of these characters or after
    // one.
    budget.take(VALUES_PER_NODE * countMarks(text));
    const parser = new Parser(offset => lineCounter.addNewLine(offset));
    // The check of the library compares each key with all others.
    const composer = new Composer({ logLevel: 'silent', prettyErrors: false, uniqueKeys: false });
    let contents: unknown;
    let count = 0;
    for (const document of composer.compose(parser.parse(text))) {
      const [broken] = document.errors;
      if (broken) return fail(broken.pos[0], `valid YAML (${broken.message})`);
      if ((count += 1) > 1) return fail(document.range[0], 'one YAML document in the file, not several');
      ({ contents } = document);
    }
    return count === 0 ? fail(0, 'a YAML document') : ok(plain(contents, 0));
  } catch (error) {
    if (error instanceof ShapeError) return fail(error.offset, error.expected);
    if (error instanceof DecodeBudgetError) return fail(0, error.message);
    // The parser is recursive.
    if (error instanceof RangeError) return fail(0, tooDeep);
    throw error;
  }
}

/** Values of this parser that take as much memory as a node of the library. */
const VALUES_PER_NODE = 16;
const countMarks = (text: string): number => {
  let count = 1;
  for (const _ of text.matchAll(/[[{,?]|[-:](?=\s)/g)) count += 1;
  return count;
};

const tooDeep = `at most ${MAX_DEPTH} levels of nesting`;
/** A node, or `null` for an absent one. */
type Place = { readonly range?: readonly [number, number, number] | null | undefined } | null;
const offsetOf = (node: Place): number => node?.range?.[0] ?? 0;

function plain(node: unknown, depth: number): unknown {
  if (node === null || node === undefined) return null;
  if (isAlias(node)) throw new ShapeError(offsetOf(node), `the value itself instead of the alias *${node.source}`);
  if (isScalar(node)) return scalar(node);
  if (!isSeq(node) && !isMap(node)) return null;
  if (depth >= MAX_DEPTH) throw new ShapeError(offsetOf(node), tooDeep);
  if (isSeq(node)) return node.items.map(item => plain(item, depth + 1));
  const map = new Map<unknown, unknown>();
  for (const pair of node.items) {
    const key = plain(pair.key, depth + 1);
    const at = isScalar(pair.key) || isMap(pair.key) || isSeq(pair.key) ? offsetOf(pair.key) : offsetOf(node);
    if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'boolean')
      throw new ShapeError(at, 'a key that is a string, a number, true or false');
    if (map.has(key)) throw new ShapeError(at, 'valid YAML (Map keys must be unique)');
    map.set(key, plain(pair.value, depth + 1));
  }
  return map;
}

/** The value of a plain scalar without its tag. Alone, its text may be something else, such as an alias after a byte-order mark. */
function untagged(text: string): unknown {
  const { contents } = parseDocument(text, { logLevel: 'silent' });
  if (contents === null) return null;
  return isScalar(contents) && contents.type === Scalar.PLAIN && contents.source === text ? contents.value : text;
}

function scalar(node: Scalar): unknown {
  if (node.type !== Scalar.PLAIN) return String(node.value);
  const text = node.source ?? '';
  const value = node.tag === undefined ? node.value : untagged(text);
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && /^\+?(?:\d+|0x[\da-f]+|0o[0-7]+)$/i.test(text))
    throw new ShapeError(offsetOf(node), 'a whole number up to 2^53');
  return value;
}
