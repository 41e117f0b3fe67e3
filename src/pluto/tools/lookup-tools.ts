import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { moduleName } from '../language/modules/module-name.ts';
import { printDeclaration, printModule } from '../language/print/print-declaration.ts';
import { isItem, kindWords, nameOfItem } from '../language/syntax/parts.ts';
import { describe, isPub } from '../session/describe.ts';
import { declarationsOf } from '../session/edits/snippet.ts';
import { itemsNamed, itemWithId, qualifiedName } from '../session/items.ts';
import { signatureOf } from '../session/signature.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, ErrorName, idArgument, inLines, kindArgument, moduleArgument, Summary } from './shapes.ts';

export const listModules = defineTool({
  name: 'list_modules',
  title: 'List Pluto modules',
  description: `Lists every Pluto module of the project by path. Start here, then call list_declarations.

A .pt file beside a .pluto of the same name is a view of it, not a module. is_dirty marks modules with unsaved edits.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    result: z.array(
      z.object({
        path: z.string(),
        name: z.string().describe('Dotted, from the project folder.'),
        is_dirty: z.boolean(),
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps) {
    const dirty = new Set(pluto.dirty);
    const result = pluto.files.map(path => ({ path, name: moduleName(path), is_dirty: dirty.has(path) }));
    return { result, summary: `${count(result.length, 'module')}, ${dirty.size} with unsaved edits.` };
  },
  inWords: ({ summary, result }) =>
    inLines(
      summary,
      result.map(({ path }) => path),
    ),
});

export const listDeclarations = defineTool({
  name: 'list_declarations',
  title: 'List the declarations of a module',
  description: `Lists the declarations of a module in source order: id, name, kind, visibility, signature.

Ids stay the same through edits, renames and moves. Imports are listed only with kind "import". get_declaration returns the details of one.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    path: moduleArgument,
    kind: kindArgument,
    visibility: z.enum(['pub', 'private', 'all']).default('all'),
  }),
  output: z.object({
    result: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.string(),
        is_pub: z.boolean(),
        signature: z.string().optional(),
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { path, kind, visibility }) {
    const { module } = await pluto.module(path);
    const result = declarationsOf(module).flatMap(item => {
      const word = kindWords[item.kind];
      if (kind === undefined ? word === 'import' : word !== kind) return [];
      const is_pub = isPub(item);
      if (visibility !== 'all' && is_pub !== (visibility === 'pub')) return [];
      const signature = signatureOf(module.text, item);
      const found = { id: item.id ?? '', name: nameOfItem(item), kind: word, is_pub };
      return [signature === undefined ? found : { ...found, signature }];
    });
    return { result, summary: `${count(result.length, 'declaration')} in ${path}.` };
  },
  inWords: ({ summary, result }) =>
    inLines(
      summary,
      result.map(({ id, name, kind, signature }) => `${id} ${kind} ${signature ?? name}`),
    ),
});

export const getSource = defineTool({
  name: 'get_source',
  title: 'Read the source of a module',
  description:
    'Returns the source of a module, or of one declaration in it, as written, with comments and unsaved edits.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ path: moduleArgument, id: idArgument.optional().describe('Only this declaration.') }),
  output: z.object({ source: z.string() }),
  async run({ pluto }: PlutoToolDeps, { path, id }, { signal }) {
    const module = await pluto.module(path);
    if (id === undefined) return { source: module.module.text };
    const at = itemWithId([module], id);
    if (at === undefined) throw inOtherModule(id, (await pluto.item(id, signal)).module.path);
    return { source: module.module.text.slice(at.item.start, at.item.end) };
  },
  inWords: ({ source }) => source,
});

const TypedField = z.object({ id: z.string(), name: z.string(), type: z.string() });
const TypedName = z.object({ name: z.string(), type: z.string() });

export const getDeclaration = defineTool({
  name: 'get_declaration',
  title: 'Describe a declaration',
  description: `Returns one declaration or member: its source, and depending on its kind the signature, error set, fields, methods, variants, traits and injected dependencies.

Read it before you replace it; callers_of and usages_of find the code that depends on it.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    is_pub: z.boolean(),
    module: z.string(),
    owner: z.string().optional().describe('The id of the enclosing declaration.'),
    source: z.string(),
    signature: z
      .object({ params: z.array(TypedName), return_type: z.string(), is_fallible: z.boolean() })
      .optional()
      .describe('Of functions and methods.'),
    error_set: z.array(ErrorName).optional().describe('The errors that it can raise to its caller.'),
    fields: z.array(TypedField).optional(),
    methods: z.array(z.object({ id: z.string(), name: z.string(), signature: z.string() })).optional(),
    variants: z.array(z.object({ id: z.string(), name: z.string(), fields: z.array(TypedField) })).optional(),
    impl_traits: z.array(z.string()).optional(),
    bracket_deps: z.array(TypedName).optional(),
  }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const owner = at.owners.at(-1)?.id;
    return {
      id: at.id,
      name: nameOfItem(at.item),
      kind: kindWords[at.item.kind],
      is_pub: isPub(at.item),
      module: at.module.path,
      ...(owner === undefined ? {} : { owner }),
      source: at.module.module.text.slice(at.item.start, at.item.end),
      ...describe(pluto, at),
    };
  },
  inWords: ({ name, kind, module, source }) => `${kind} ${name} in ${module}\n\n${source}`,
});

export const findDeclaration = defineTool({
  name: 'find_declaration',
  title: 'Find declarations by name',
  description: `Finds declarations by their exact name in all modules of the project, including methods, fields and variants, which are listed with their owner.

Parameters and imports are found only by kind. The result is empty if nothing matches.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    name: z.string().describe('The name, with or without its owner: dot_product, length, Vector.length.'),
    kind: kindArgument,
  }),
  output: z.object({
    result: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), module: z.string() })),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { name, kind }, { signal }) {
    const result = itemsNamed(await pluto.modules(signal), name)
      .filter(({ item }) => (kind === undefined ? !onlyByKind.has(item.kind) : kindWords[item.kind] === kind))
      .map(at => ({ id: at.id, name: qualifiedName(at), kind: kindWords[at.item.kind], module: at.module.path }));
    return { result, summary: `${count(result.length, 'declaration')} found.` };
  },
  inWords: ({ summary, result }) =>
    inLines(
      summary,
      result.map(({ id, name, kind, module }) => `${id} ${kind} ${name} in ${module}`),
    ),
});

const onlyByKind: ReadonlySet<string> = new Set(['Param', 'Receiver', 'ImportDecl']);

export const prettyPrint = defineTool({
  name: 'pretty_print',
  title: 'Print canonical source',
  description:
    'Returns the canonical source of a module or of one top-level declaration, and writes nothing. get_source returns the source as written.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    id: idArgument.optional().describe('A top-level declaration.'),
    path: moduleArgument
      .optional()
      .describe('A whole module, or the module of the declaration. Either id or path is required.'),
  }),
  output: z.object({ source: z.string() }),
  async run({ pluto }: PlutoToolDeps, { id, path }, { signal }) {
    if (id === undefined) {
      if (path === undefined) throw new AppError('INVALID_INPUT', { problems: 'either id or path is required' });
      return { source: printModule((await pluto.module(path)).module) };
    }
    const at = await pluto.item(id, signal);
    const { item, module } = at;
    if (path !== undefined && module.path !== (await pluto.module(path)).path) throw inOtherModule(id, module.path);
    const decl = module.module.tree.items.find(one => isItem(one) && one === item);
    if (decl === undefined) {
      const text = module.module.text.slice(item.start, item.end);
      throw new AppError('PLUTO_WRONG_KIND', { kind: `part (${qualifiedName(at)}: ${text})`, wanted: 'a declaration' });
    }
    return { source: printDeclaration(module.module, decl) };
  },
  inWords: ({ source }) => source,
});

const inOtherModule = (id: string, path: string): AppError =>
  new AppError('INVALID_INPUT', { problems: `path: ${id} is in ${path}` });
