import { parseSync } from 'oxc-parser';
import { isSyntaxNode, nameOfNode, type SyntaxNode } from '../source/syntax-node.ts';

/** Texts for people in one file. */
export interface TextsOfFile {
  /** First arguments of `t(…)`, the keys of translations. */
  readonly texts: readonly string[];
  /** `line: reason` for each text that cannot be translated. */
  readonly problems: readonly string[];
}

/** Properties of VS Code's objects that VS Code shows. */
const shown = new Set([
  'title',
  'placeHolder',
  'prompt',
  'label',
  'description',
  'detail',
  'tooltip',
  'text',
  'message',
]);
/** Functions of VS Code that show their arguments. */
const shows = /^(show(Information|Warning|Error)Message|setStatusBarMessage|showInputBox)$/;
/** Classes of VS Code that show texts among their arguments. */
const made = /^(Diagnostic|TreeItem|Hover|MarkdownString|DocumentSymbol|CallHierarchyItem)$/;
/** Matches two words, or one word that starts a sentence; not an identifier, a codicon or an address. */
const isWords = (text: string): boolean =>
  /\p{L}{2,}[^\p{L}$({]*\s+[^\p{L}]*\p{L}{2,}/u.test(text) || /^\p{Lu}\p{Ll}+[.!?…]?$/u.test(text.trim());

/**
 * Collects the texts of a TypeScript file of the editor.
 * @throws Error when the file does not parse
 */
export function collectTexts(path: string, source: string): TextsOfFile {
  const { program, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const texts: string[] = [];
  const problems: string[] = [];
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const problem = (node: SyntaxNode, why: string): void => void problems.push(`${lineAt(node.start)}: ${why}`);

  /** `isShown`: whether VS Code shows the value of this expression. */
  const visit = (node: SyntaxNode, isShown: boolean): void => {
    if (isShown) {
      for (const text of literals(node)) if (isWords(text)) problem(node, `not through l10n: ${JSON.stringify(text)}`);
    }
    if (node.type === 'CallExpression' && isSyntaxNode(node['callee'])) {
      const name = nameOfNode(node['callee']);
      const args = (node['arguments'] as readonly unknown[]).filter(isSyntaxNode);
      if (name === 't') {
        const [text, ...more] = args[0] === undefined ? [] : literals(args[0]);
        if (text === undefined || more.length > 0)
          problem(node, 'the text is not a literal, so it cannot be translated');
        else texts.push(text);
        for (const arg of args.slice(1)) visit(arg, false);
        return;
      }
      visit(node['callee'], false);
      for (const arg of args) visit(arg, shows.test(name));
      return;
    }
    if (node.type === 'NewExpression' && isSyntaxNode(node['callee']) && made.test(nameOfNode(node['callee']))) {
      for (const arg of (node['arguments'] as readonly unknown[]).filter(isSyntaxNode)) visit(arg, true);
      return;
    }
    if (node.type === 'Property' && isSyntaxNode(node['key']) && isSyntaxNode(node['value'])) {
      visit(node['value'], shown.has(nameOfNode(node['key'])));
      return;
    }
    if (node.type === 'AssignmentExpression' && isSyntaxNode(node['left']) && isSyntaxNode(node['right'])) {
      visit(node['right'], node['left'].type === 'MemberExpression' && shown.has(nameOfNode(node['left'])));
      return;
    }
    const passes = node.type === 'ConditionalExpression' || node.type === 'LogicalExpression';
    for (const [key, value] of Object.entries(node)) {
      const isPart = isShown && passes && key !== 'test';
      if (isSyntaxNode(value)) visit(value, isPart);
      else if (Array.isArray(value)) for (const item of value) if (isSyntaxNode(item)) visit(item, isPart);
    }
  };
  visit(program as unknown as SyntaxNode, false);
  return { texts, problems };
}

/** The texts in a literal or template; empty for other expressions. */
function literals(node: SyntaxNode): readonly string[] {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  if (node.type !== 'TemplateLiteral') return [];
  return (node['quasis'] as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked);
}

/** Sentences for people outside the editor's folders: those tagged with `say`, and the hints of the error catalog. */
export function collectSentences(path: string, source: string): readonly string[] {
  const { program, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const texts: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'TaggedTemplateExpression' && isSyntaxNode(node['tag']) && isSyntaxNode(node['quasi'])) {
      if (nameOfNode(node['tag']) === 'say') texts.push(holed(literals(node['quasi'])));
    } else if (node.type === 'Property' && isSyntaxNode(node['key']) && isSyntaxNode(node['value'])) {
      if (isHint.test(nameOfNode(node['key'])) && node['value'].type === 'Literal')
        texts.push(...literals(node['value']).filter(text => hasLetters.test(text)));
    }
    const children = Object.values(node).flat().filter(isSyntaxNode);
    // If there is also a hint for people, this one is for agents.
    const isForAgents = children.some(child => keyOf(child) === 'personHint');
    for (const child of children) if (!isForAgents || keyOf(child) !== 'hint') visit(child);
  };
  visit(program as unknown as SyntaxNode);
  return texts;
}

const isHint = /^(hint|personHint)$/;
/** Not the color of a hint. */
const hasLetters = /\p{L}/u;

const keyOf = (node: SyntaxNode): string =>
  node.type === 'Property' && isSyntaxNode(node['key']) ? nameOfNode(node['key']) : '';

const holed = (parts: readonly string[]): string =>
  parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join('');
