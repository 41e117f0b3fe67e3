import { ShapeError, textOf } from '../../roblox/formats/json-shape.ts';
import type { JsonNode } from '../../roblox/formats/json5-document.ts';
import { compileGlob } from '../../base/globs/glob.ts';

/** The rule set that decides which instances files describe. */
export type Dialect = 'rojo' | 'atlas';

/** One entry of a glob list; the last matching entry decides. In the Rojo dialect a leading `!` negates the entry. */
export interface GlobRule {
  readonly isNegated: boolean;
  readonly matches: (path: string) => boolean;
}

/** @throws ShapeError */
export function readGlobRule(node: JsonNode, what: string, dialect: Dialect): GlobRule & { readonly glob: string } {
  const text = textOf(node, what);
  const isNegated = dialect === 'rojo' && text.startsWith('!');
  const glob = isNegated ? text.slice(1) : text;
  return { glob, isNegated, matches: compiled(node, glob) };
}

/** @throws ShapeError */
export const readGlob = (node: JsonNode, what: string): ((path: string) => boolean) =>
  compiled(node, textOf(node, what));

function compiled(node: JsonNode, glob: string): (path: string) => boolean {
  const result = compileGlob(glob, 'paths');
  if (!result.ok) throw new ShapeError(node.start, result.error);
  return result.value;
}
