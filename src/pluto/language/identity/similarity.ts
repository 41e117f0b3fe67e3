import { lex, release } from '../syntax/lexer.ts';
import { type Item, nameOfItem } from '../syntax/parts.ts';
import { SyntaxReport } from '../syntax/report.ts';

/** An item as its tokens, without layout, comments and its own name. */
export interface ItemTokens {
  /** Equal for items that differ only in their names. */
  readonly digest: string;
  readonly words: ReadonlyMap<string, number>;
  readonly size: number;
}

export function contentOf(text: string, item: Item): ItemTokens {
  const tokens = lex(text, new SyntaxReport(), item.start, item.end);
  const own = nameOfItem(item);
  const words = new Map<string, number>();
  const all: string[] = [];
  for (let index = 0; index < tokens.count - 1; index += 1) {
    const written = text.slice(tokens.starts[index], tokens.ends[index]);
    const word = written === own ? '\u0001' : written;
    all.push(word);
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  release(tokens);
  return { digest: all.join('\u0000'), words, size: all.length };
}

/** The similarity of both from 0 to 1: shared tokens divided by all tokens (Jaccard index of multisets). */
export function similarity(a: ItemTokens, b: ItemTokens): number {
  let shared = 0;
  const [small, large] = a.words.size < b.words.size ? [a, b] : [b, a];
  for (const [word, count] of small.words) shared += Math.min(count, large.words.get(word) ?? 0);
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}
