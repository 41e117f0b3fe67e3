import { parseSync } from 'oxc-parser';
import { isSyntaxNode, nameOfNode, type SyntaxNode } from '../../../scripts/source/syntax-node.ts';

/** Calls that fail also when a file exists: it cannot be read, or its folder. */
const readers = new Set('stat lstat access open readFile readdir readlink realpath read list kindOf'.split(' '));

/** Whether a handler ignores its error: it has no parameter. */
const ignoresError = (handler: unknown): boolean =>
  isSyntaxNode(handler) &&
  handler.type === 'ArrowFunctionExpression' &&
  Array.isArray(handler['params']) &&
  handler['params'].length === 0;

/**
 * Lines that read the disk and take every failure as "not there", without a comment that says why. `ifFound` and `mayExist` distinguish
 * both.
 */
export function findDroppedFailures(path: string, source: string): readonly string[] {
  const { program } = parseSync(path, source);
  const lines = source.split('\n');
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    const callee = node.type === 'CallExpression' ? node['callee'] : undefined;
    const [first, second] = (node['arguments'] ?? []) as readonly unknown[];
    const handler = nameOfNode(callee) === 'catch' ? first : nameOfNode(callee) === 'then' ? second : undefined;
    const read = isSyntaxNode(callee) && callee.type === 'MemberExpression' ? callee['object'] : undefined;
    if (
      isSyntaxNode(read) &&
      read.type === 'CallExpression' &&
      readers.has(nameOfNode(read['callee'])) &&
      ignoresError(handler)
    ) {
      const line = source.slice(0, read.start).split('\n').length;
      const isExplained = lines.slice(Math.max(0, line - 3), line).some(text => /^\s*(?:\/\/|\*|\/\*\*)/.test(text));
      if (!isExplained) found.push(`${line}: ${(lines[line - 1] ?? '').trim()}`);
    }
    for (const child of Object.values(node).flat().filter(isSyntaxNode)) visit(child);
  };
  visit(program as unknown as SyntaxNode);
  return found;
}
