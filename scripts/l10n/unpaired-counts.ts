import { parseSync } from 'oxc-parser';
import { isSyntaxNode, nameOfNode, type SyntaxNode } from '../source/syntax-node.ts';

/** Matches a hole, at most one adjective, and a word that ends like a plural; or "more" with the verb of a plural. */
const countedNoun = /\{\d\} (?:more (?:are|were|have)|(?:[a-z]+ )?([a-z]+s))\b/g;
/** Words that end like a plural but are not: verbs whose subject is the hole, and units. */
const notPlural = new Set([
  'ms',
  'bytes',
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
  'describes',
  'differs',
  'headless',
]);

/** Names of expressions that are a count. */
const countName =
  /^(?:total|undecided|decided|passed|failed|skipped|written|removed|wanted|explored|open|rest|left|n)$|[cC]ount$/;
function isCount(node: SyntaxNode): boolean {
  if (node.type === 'BinaryExpression') return [node['left'], node['right']].filter(isSyntaxNode).some(isCount);
  const name = nameOfNode(node);
  return countName.test(name) || (node.type === 'MemberExpression' && ['length', 'size'].includes(name));
}

/** The text of a template with `{n}` for each hole that is a count, and `…` for the others. */
function countedTemplate(node: SyntaxNode): string {
  const holes = node['expressions'] as readonly SyntaxNode[];
  return (node['quasis'] as readonly SyntaxNode[])
    .map((quasi, index) => {
      const hole = holes[index];
      const text = (quasi['value'] as { readonly raw: string }).raw;
      return hole === undefined ? text : `${text}${isCount(hole) ? `{${index}}` : '…'}`;
    })
    .join('');
}

/** "3 of 1 changes" is right. */
const isPart = (text: string, at: number): boolean => /\bof $/.test(text.slice(0, at));
/**
 * Finds the texts of `t('…')` and the templates with a plural but without a singular: neither an argument of `plural`, nor a
 * property `…Many` whose sibling `…One` has the singular. `line: text`.
 */
export function unpairedCounts(path: string, source: string): readonly string[] {
  const { program } = parseSync(path, source);
  const found: string[] = [];
  const check = (text: string, node: SyntaxNode): void => {
    if (
      Array.from(text.matchAll(countedNoun)).some(
        ({ index, 1: noun = '' }) => !notPlural.has(noun) && !isPart(text, index),
      )
    )
      found.push(`${source.slice(0, node.start).split('\n').length}: ${text}`);
  };
  const visit = (node: SyntaxNode, isPaired: boolean): void => {
    const callee = node.type === 'CallExpression' ? nameOfNode(node['callee']) : '';
    if (callee === 't' && !isPaired) {
      const [first] = (node['arguments'] as readonly unknown[]).filter(isSyntaxNode);
      check(first?.type === 'Literal' && typeof first['value'] === 'string' ? first['value'] : '', node);
    }
    if (node.type === 'TemplateLiteral' && !isPaired) check(countedTemplate(node), node);
    const siblings =
      node.type === 'ObjectExpression'
        ? (node['properties'] as readonly SyntaxNode[]).map(one => nameOfNode(one['key']))
        : [];
    for (const child of Object.values(node).flat().filter(isSyntaxNode)) {
      const key = node.type === 'ObjectExpression' ? nameOfNode(child['key']) : '';
      const hasSingular = key.endsWith('Many') && siblings.includes(key.replace(/Many$/, 'One'));
      visit(child, isPaired || callee === 'plural' || hasSingular);
    }
  };
  visit(program as unknown as SyntaxNode, false);
  return found;
}
