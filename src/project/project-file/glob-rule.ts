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

/** Globs of one project file, and their characters: compiling more takes too long for one step. */
const MAX_GLOBS = 1000;
const MAX_GLOB_CHARS = 50_000;
/** Characters of globs with several groups or many stars, which take a hundred times longer. */
const MAX_COSTLY_CHARS = 4096;

/** Reads the globs of one project file. */
export class GlobReader {
  #count = 0;
  #chars = 0;
  #costlyChars = 0;

  /** @throws ShapeError */
  rule(node: JsonNode, what: string, dialect: Dialect): GlobRule & { readonly glob: string } {
    const text = textOf(node, what);
    const isNegated = dialect === 'rojo' && text.startsWith('!');
    const glob = isNegated ? text.slice(1) : text;
    return { glob, isNegated, matches: this.#compile(node, glob) };
  }

  /** @throws ShapeError */
  glob(node: JsonNode, what: string): (path: string) => boolean {
    return this.#compile(node, textOf(node, what));
  }

  #compile(node: JsonNode, glob: string): (path: string) => boolean {
    this.#count += 1;
    this.#chars += glob.length;
    if (this.#count > MAX_GLOBS) throw new ShapeError(node.start, `at most ${MAX_GLOBS} globs in one project file`);
    if (this.#chars > MAX_GLOB_CHARS)
      throw new ShapeError(node.start, `at most ${MAX_GLOB_CHARS} characters of globs in one project file`);
    if (isCostly(glob)) this.#costlyChars += glob.length;
    if (this.#costlyChars > MAX_COSTLY_CHARS)
      throw new ShapeError(
        node.start,
        `at most ${MAX_COSTLY_CHARS} characters of globs with several braces or more than two stars in one project file`,
      );
    return compileOrThrow(node, glob);
  }
}

const isCostly = (glob: string): boolean => glob.split('{').length > 2 || glob.split(/\*+/).length > 3;

function compileOrThrow(node: JsonNode, glob: string): (path: string) => boolean {
  const result = compileGlob(glob, 'paths');
  if (!result.ok) throw new ShapeError(node.start, result.error);
  return result.value;
}
