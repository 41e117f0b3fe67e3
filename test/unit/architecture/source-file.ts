import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isSyntaxNode, type SyntaxNode } from '../../../scripts/source/syntax-node.ts';

/** A reference of a file to another module. */
export interface ImportOf {
  readonly specifier: string;
  readonly line: number;
  readonly kind: 'static' | 'reexport' | 'dynamic';
  /** Whether it is removed at run time (`import type`). */
  readonly isType: boolean;
}

/** The facts about a TypeScript file that the checks use. Paths are relative to the repository, with `/` as separator. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly ImportOf[];
  readonly defaultExportLine: number | undefined;
  readonly starExportLine: number | undefined;
  /** Whether all exports are re-exports. */
  readonly isBarrel: boolean;
  /** In `src`: names that are not declared in the file, and members of globals such as `Date.now`. */
  readonly globals: readonly { readonly name: string; readonly line: number }[];
}

/** @throws Error when the text does not parse */
export function parseSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text);
  const { module } = parsed;
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const exports = module.staticExports.flatMap(statement => statement.entries);
  const starExport = exports.find(entry => entry.importName.kind.startsWith('All'));
  const defaultExport = exports.find(entry => entry.exportName.kind === 'Default');
  // Decoding the tree takes most of the time.
  const found: Found = needsTree(path, text)
    ? walk(parsed.program as unknown as SyntaxNode, text)
    : { imports: [], globals: [] };
  return {
    path,
    lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length,
    imports: [
      ...module.staticImports.map(statement => ({
        specifier: statement.moduleRequest.value,
        line: lineAt(statement.start),
        kind: 'static' as const,
        isType: statement.entries.length > 0 && statement.entries.every(entry => entry.isType),
      })),
      ...exports.flatMap(entry =>
        entry.moduleRequest === null
          ? []
          : [
              {
                specifier: entry.moduleRequest.value,
                line: lineAt(entry.start),
                kind: 'reexport' as const,
                isType: entry.isType,
              },
            ],
      ),
      ...found.imports.map(({ start, ...rest }) => ({ ...rest, line: lineAt(start) })),
    ],
    defaultExportLine: defaultExport === undefined ? undefined : lineAt(defaultExport.start),
    starExportLine: starExport === undefined ? undefined : lineAt(starExport.start),
    isBarrel: exports.length > 0 && exports.every(entry => entry.moduleRequest !== null),
    globals: found.globals.map(({ name, start }) => ({ name, line: lineAt(start) })),
  };
}

/** Whether the module record may lack something: the checks read globals of `src` alone, and other imports start with these words. */
const needsTree = (path: string, text: string): boolean =>
  path.startsWith('src/') || /\b(?:import|require)\s*(?:\/[/*]|\()/.test(text);

/** The file of a relative specifier, or `undefined` for a package. */
export function targetOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}

interface Found {
  readonly imports: (Omit<ImportOf, 'line'> & { readonly start: number })[];
  readonly globals: { readonly name: string; readonly start: number }[];
}

/** Collects what the module record lacks: dynamic imports, imports in types, and uses of globals. */
function walk(program: SyntaxNode, text: string): Found {
  const found: Found = { imports: [], globals: [] };
  const declared = new Set<string>();
  const used: { name: string; start: number }[] = [];
  const literal = (node: unknown): string =>
    isSyntaxNode(node) && typeof node['value'] === 'string'
      ? node['value']
      : isSyntaxNode(node)
        ? text.slice(node.start, node['end'] as number)
        : '?';

  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined, role: string): void => {
    if (node.type === 'ImportExpression')
      found.imports.push({ specifier: literal(node['source']), start: node.start, kind: 'dynamic', isType: false });
    if (node.type === 'TSImportType')
      found.imports.push({
        specifier: literal(node['source'] ?? node['argument']),
        start: node.start,
        kind: 'static',
        isType: true,
      });
    if (node.type === 'TSExternalModuleReference')
      found.imports.push({ specifier: literal(node['expression']), start: node.start, kind: 'static', isType: false });
    if (
      node.type === 'NewExpression' &&
      isSyntaxNode(node['callee']) &&
      node['callee']['name'] === 'Date' &&
      empty(node['arguments'])
    )
      used.push({ name: 'new Date', start: node.start });
    if (
      node.type === 'MemberExpression' &&
      isSyntaxNode(node['object']) &&
      node['object'].type === 'Identifier' &&
      isSyntaxNode(node['property'])
    )
      used.push({ name: `${String(node['object']['name'])}.${String(node['property']['name'])}`, start: node.start });
    if (node.type === 'Identifier') {
      const name = String(node['name']);
      if (isDeclaration(parent, role)) declared.add(name);
      else if (!isLabel(parent, role)) used.push({ name, start: node.start });
    }
    for (const [key, value] of Object.entries(node)) {
      if (isSyntaxNode(value)) visit(value, node, key);
      else if (Array.isArray(value)) for (const item of value) if (isSyntaxNode(item)) visit(item, node, key);
    }
  };
  visit(program, undefined, '');
  found.globals.push(...used.filter(({ name }) => !declared.has(name.split('.')[0] ?? name)));
  return found;
}

const empty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether an identifier declares its name. Scopes are ignored: a name that is declared anywhere in a file is not a global. */
function isDeclaration(parent: SyntaxNode | undefined, role: string): boolean {
  if (parent === undefined) return false;
  if (role === 'params' || role === 'param' || role === 'id' || role === 'local') return true;
  if (role === 'elements' && parent.type === 'ArrayPattern') return true;
  if (role === 'argument' && parent.type === 'RestElement') return true;
  if (role === 'left' && parent.type === 'AssignmentPattern') return true;
  // For `{ a }` as a pattern, the parser returns both key and value.
  return role === 'value' && parent['shorthand'] === true && parent['kind'] === 'init' && parent['method'] === false;
}

/** Whether a name is not a value: a key, a member or a type. */
function isLabel(parent: SyntaxNode | undefined, role: string): boolean {
  if (parent === undefined) return false;
  if (role === 'property' && parent.type === 'MemberExpression') return parent['computed'] !== true;
  if (role === 'key' || role === 'label' || role === 'imported' || role === 'exported') return true;
  return parent.type.startsWith('TS');
}
