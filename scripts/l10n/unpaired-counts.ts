import { parseSync } from 'oxc-parser';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  const named = node.type === 'MemberExpression' ? node['property'] : node;
  return isNode(named) && typeof named['name'] === 'string' ? named['name'] : '';
};

/** Matches a hole, at most one adjective, and a word that ends like a plural. */
const countedNoun = /\{\d\} (?:[a-z]+ )?([a-z]+s)\b/g;
/** Words that end like a plural but are not: verbs whose subject is the hole, and units. */
const notPlural = new Set([
  'ms',
  'is',
  'was',
  'has',
  'runs',
  'does',
  'needs',
  'always',
  'this',
  'as',
  'its',
  'differs',
  'headless',
]);

/**
 * Finds the texts of `t('…')` with a plural but without a singular: neither an argument of `plural`, nor a property
 * `…Many` whose sibling `…One` has the singular. `line: text`.
 */
export function unpairedCounts(path: string, source: string): readonly string[] {
  const { program } = parseSync(path, source);
  const found: string[] = [];
  const visit = (node: Node, isPaired: boolean): void => {
    const callee = node.type === 'CallExpression' ? nameOf(node['callee']) : '';
    if (callee === 't' && !isPaired) {
      const [first] = (node['arguments'] as readonly unknown[]).filter(isNode);
      const text = first?.type === 'Literal' && typeof first['value'] === 'string' ? first['value'] : '';
      if (Array.from(text.matchAll(countedNoun)).some(([, noun = '']) => !notPlural.has(noun)))
        found.push(`${source.slice(0, node.start).split('\n').length}: ${text}`);
    }
    const siblings =
      node.type === 'ObjectExpression' ? (node['properties'] as readonly Node[]).map(one => nameOf(one['key'])) : [];
    for (const child of Object.values(node).flat().filter(isNode)) {
      const key = node.type === 'ObjectExpression' ? nameOf(child['key']) : '';
      const hasSingular = key.endsWith('Many') && siblings.includes(key.replace(/Many$/, 'One'));
      visit(child, isPaired || callee === 'plural' || hasSingular);
    }
  };
  visit(program as unknown as Node, false);
  return found;
}
