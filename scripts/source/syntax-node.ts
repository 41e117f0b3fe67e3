/** A node of the syntax tree of `oxc-parser`, whose properties depend on its type. */
export interface SyntaxNode {
  readonly type: string;
  /** The offset in the text. */
  readonly start: number;
  readonly [key: string]: unknown;
}

export const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The name of an identifier, or of the property of a member expression; '' for other nodes. */
export function nameOfNode(node: unknown): string {
  if (!isSyntaxNode(node)) return '';
  const named = node.type === 'MemberExpression' ? node['property'] : node;
  return isSyntaxNode(named) && typeof named['name'] === 'string' ? named['name'] : '';
}
