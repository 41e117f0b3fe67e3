import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { moduleName } from '../language/modules/module-name.ts';
import { printDeclaration, printModule } from '../language/print/print-declaration.ts';
import { isItem, kindNames, nameOfItem } from '../language/syntax/parts.ts';
import { describe, isPub } from '../session/describe.ts';
import { itemsNamed, itemWithId, qualifiedName } from '../session/items.ts';
import { defineListTool } from './define-list-tool.ts';
import { listedDeclarations } from './listed-declarations.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { ErrorName, idArgument, kindArgument, moduleArgument } from './shapes.ts';

export const listModules = defineListTool({
  name: 'list_modules',
  title: 'List Pluto modules',
  description: `Lists every Pluto module of the project by path. Start here, then call list_declarations.

A .pt file beside a .pluto of the same name is a view of it, not a module. is_dirty marks modules with unsaved edits.`,
  input: z.strictObject({}),
  row: z.object({
    path: z.string(),
    name: z.string().describe('Dotted, from the project folder.'),
    is_dirty: z.boolean(),
  }),
  async list(pluto) {
    const dirty = new Set(pluto.dirty);
    return pluto.files.map(path => ({ path, name: moduleName(path), is_dirty: dirty.has(path) }));
  },
  summarize: rows =>
    `${counted(rows.length, 'module')}, ${rows.filter(({ is_dirty }) => is_dirty).length} with unsaved edits.`,
  formatText: ({ path }) => path,
});

export const listDeclarations = defineListTool({
  name: 'list_declarations',
  title: 'List the declarations of a module',
  description: `Lists the declarations of a module in source order: id, name, kind, visibility, signature.

Ids stay the same through edits, renames and moves. Imports are listed only with kind "import". get_declaration returns the details of one.`,
  input: z.strictObject({
    path: moduleArgument,
    kind: kindArgument,
    visibility: z.enum(['pub', 'private', 'all']).default('all'),
  }),
  row: z.object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    is_pub: z.boolean(),
    signature: z.string().optional(),
  }),
  async list(pluto, { path, kind, visibility }) {
    return listedDeclarations((await pluto.module(path)).module).filter(
      one =>
        (kind === undefined ? one.kind !== 'import' : one.kind === kind) &&
        (visibility === 'all' || one.is_pub === (visibility === 'pub')),
    );
  },
  summarize: (rows, { path }) => `${counted(rows.length, 'declaration')} in ${path}.`,
  formatText: ({ id, name, kind, signature }) => `${id} ${kind} ${signature ?? name}`,
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
  formatText: ({ source }) => source,
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
      kind: kindNames[at.item.kind],
      is_pub: isPub(at.item),
      module: at.module.path,
      ...(owner === undefined ? {} : { owner }),
      source: at.module.module.text.slice(at.item.start, at.item.end),
      ...describe(pluto, at),
    };
  },
  formatText: ({ name, kind, module, source }) => `${onOneLine(`${kind} ${name} in ${module}`)}\n\n${source}`,
});

export const findDeclaration = defineListTool({
  name: 'find_declaration',
  title: 'Find declarations by name',
  description: `Finds declarations by their exact name in all modules of the project, including methods, fields and variants, which are listed with their owner.

Parameters and imports are found only if kind asks for them. The result is empty if nothing matches.`,
  input: z.strictObject({
    name: z.string().describe('The name, with or without its owner: dot_product, length, Vector.length.'),
    kind: kindArgument,
  }),
  row: z.object({ id: z.string(), name: z.string(), kind: z.string(), module: z.string() }),
  list: async (pluto, { name, kind }, { signal }) =>
    itemsNamed(await pluto.modules(signal), name)
      .filter(({ item }) => (kind === undefined ? !onlyByKind.has(item.kind) : kindNames[item.kind] === kind))
      .map(at => ({ id: at.id, name: qualifiedName(at), kind: kindNames[at.item.kind], module: at.module.path })),
  summarize: rows => `${counted(rows.length, 'declaration')} found.`,
  formatText: ({ id, name, kind, module }) => `${id} ${kind} ${name} in ${module}`,
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
  formatText: ({ source }) => source,
});

const inOtherModule = (id: string, path: string): AppError =>
  new AppError('INVALID_INPUT', { problems: `path: ${id} is in ${path}` });
