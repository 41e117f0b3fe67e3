import { parseSync } from 'oxc-parser';
import { isSyntaxNode, nameOfNode, type SyntaxNode } from '../../../scripts/source/syntax-node.ts';

/** Calls that fail also when a file exists: it cannot be read, or its folder. */
const readers = new Set(
  [
    'stat lstat access open readFile readdir readlink realpath read list kindOf readWithStat readLent readDirectory',
    'statSync lstatSync accessSync openSync readFileSync readdirSync readlinkSync realpathSync readSync',
  ]
    .join(' ')
    .split(' '),
);

/** Matches every text with a read and a handler. Four of five files of `src` need no syntax tree. */
const mayDropFailure = (source: string): boolean =>
  /\b(?:catch|then)\b/.test(source) && (source.match(/[\w$]+/g)?.some(word => readers.has(word)) ?? false);

const isRead = (node: unknown): boolean =>
  isSyntaxNode(node) && node.type === 'CallExpression' && readers.has(nameOfNode(node['callee']));

/** Whether a handler ignores its error: it has no parameter. */
const ignoresError = (handler: unknown): boolean =>
  isSyntaxNode(handler) &&
  handler.type === 'ArrowFunctionExpression' &&
  Array.isArray(handler['params']) &&
  handler['params'].length === 0;

const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] => Object.values(node).flat().filter(isSyntaxNode);

/** Whether the statements of a `try` read the disk themselves, not only in a function that they define. */
const reads = (node: SyntaxNode): boolean =>
  isRead(node) || (!/Function/.test(node.type) && childrenOf(node).some(reads));

/** The first offset of a read whose failure the node drops, and of its handler. */
function droppedAt(node: SyntaxNode): readonly number[] | undefined {
  if (node.type === 'TryStatement') {
    const { block, handler } = node as { readonly block?: unknown; readonly handler?: unknown };
    if (!isSyntaxNode(block) || !isSyntaxNode(handler) || isSyntaxNode(handler['param'])) return undefined;
    return reads(block) ? [node.start, handler.start] : undefined;
  }
  const callee = node.type === 'CallExpression' ? node['callee'] : undefined;
  const [first, second] = (node['arguments'] ?? []) as readonly unknown[];
  const handler = nameOfNode(callee) === 'catch' ? first : nameOfNode(callee) === 'then' ? second : undefined;
  const read = isSyntaxNode(callee) && callee.type === 'MemberExpression' ? callee['object'] : undefined;
  return isSyntaxNode(read) && isRead(read) && ignoresError(handler) ? [read.start] : undefined;
}

const isComment = (line: string): boolean => /^\s*(?:\/\/|\*|\/\*\*)/.test(line);

/**
 * Lines that read the disk and take every failure as "not there", without a comment that says why: in the two lines above, or at the start
 * of the `catch`. `ifFound` and `mayExist` distinguish both.
 */
export function findDroppedFailures(path: string, source: string): readonly string[] {
  if (!mayDropFailure(source)) return [];
  const { program } = parseSync(path, source);
  const lines = source.split('\n');
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    const [at, handlerAt] = droppedAt(node) ?? [];
    if (at !== undefined) {
      const line = lineAt(at);
      const above = lines.slice(Math.max(0, line - 3), line);
      const inside = handlerAt === undefined ? [] : lines.slice(lineAt(handlerAt), lineAt(handlerAt) + 1);
      if (![...above, ...inside].some(isComment)) found.push(`${line}: ${(lines[line - 1] ?? '').trim()}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as SyntaxNode);
  return found;
}
