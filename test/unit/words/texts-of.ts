import { parseSync } from 'oxc-parser';
import { isSyntaxNode, type SyntaxNode } from '../../../scripts/source/syntax-node.ts';

/** A stretch of a file: English text, or an identifier. */
export interface Piece {
  readonly kind: 'text' | 'name';
  readonly text: string;
  readonly line: number;
}

/** Comments, strings and identifiers of a source file, or the prose of a document, by the extension of `path`. */
export function textsOf(path: string, content: string): readonly Piece[] {
  const pieces = readers.find(([extension]) => extension.test(path))?.[1](path, content) ?? [];
  const lineAt = lineCounter(content);
  return pieces.toSorted((a, b) => a.start - b.start).map(({ start, ...piece }) => ({ ...piece, line: lineAt(start) }));
}

/** Returns the line of each position; positions must not decrease. */
function lineCounter(content: string): (position: number) => number {
  let line = 1;
  let next = content.indexOf('\n');
  return position => {
    while (next >= 0 && next < position) {
      line++;
      next = content.indexOf('\n', next + 1);
    }
    return line;
  };
}

type Found = Omit<Piece, 'line'> & { readonly start: number };

const readers: readonly (readonly [extension: RegExp, read: (path: string, content: string) => readonly Found[]])[] = [
  [/\.(?:tsx?|mjs)$/, readScript],
  [/\.luau$/, (_path, content) => readLuau(content)],
  [/\.md$/, (_path, content) => [{ kind: 'text', text: withoutCode(content), start: 0 }]],
  [/\.(?:json|css|yml)$/, (_path, content) => [{ kind: 'text', text: content, start: 0 }]],
];

/** Code in a document is a quotation: it is replaced by spaces, so that positions stay. */
const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^```[\s\S]*?^```|`[^`\n]+`|\]\([^)]*\)/gm, code => code.replaceAll(/[^\n]/g, ' '));

/** The signs at the start of each line of a comment are replaced by spaces, so that a phrase is found across lines. */
const withoutLeaders = (comment: string): string =>
  comment.replaceAll(/^[ \t]*(?:\/\*\*?|\*|\/\/|--)/gm, leader => ' '.repeat(leader.length));

/** @throws Error when the text is not valid TypeScript */
function readScript(path: string, content: string): readonly Found[] {
  const { program, comments, errors } = parseSync(path, content);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const found: Found[] = joined(comments, content);
  const visit = (node: SyntaxNode): void => {
    const value = textOf(node);
    if (value !== undefined) found.push({ kind: 'text', text: value, start: node.start });
    if (/^(?:JSX)?Identifier$|^PrivateIdentifier$/.test(node.type))
      found.push({ kind: 'name', text: String(node['name']), start: node.start });
    for (const child of Object.values(node)) {
      if (isSyntaxNode(child)) visit(child);
      else if (Array.isArray(child)) for (const item of child) if (isSyntaxNode(item)) visit(item);
    }
  };
  visit(program as unknown as SyntaxNode);
  return found;
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type === 'TemplateElement') return (node['value'] as { readonly raw: string }).raw;
  return undefined;
}

/** Line comments that follow one another are one text. */
function joined(comments: readonly { readonly start: number; readonly end: number }[], content: string): Found[] {
  const found: Found[] = [];
  let end = -1;
  for (const comment of comments) {
    const text = withoutLeaders(content.slice(comment.start, comment.end));
    const last = found.at(-1);
    const gap = end < 0 ? '' : content.slice(end, comment.start);
    if (last !== undefined && /^\n[ \t]*$/.test(gap))
      found[found.length - 1] = { ...last, text: last.text + gap + text };
    else found.push({ kind: 'text', text, start: comment.start });
    end = comment.end;
  }
  return found;
}

function readLuau(content: string): readonly Found[] {
  const found: Found[] = [];
  const comments: { start: number; end: number }[] = [];
  for (const match of content.matchAll(
    /--\[(=*)\[[\s\S]*?\]\1\]|--[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[A-Za-z_]\w*/g,
  )) {
    const [text] = match;
    if (text.startsWith('--')) comments.push({ start: match.index, end: match.index + text.length });
    else if (/^["'`]/.test(text)) found.push({ kind: 'text', text: text.slice(1, -1), start: match.index });
    else found.push({ kind: 'name', text, start: match.index });
  }
  return [...found, ...joined(comments, content)];
}
