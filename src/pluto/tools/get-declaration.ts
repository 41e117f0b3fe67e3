import * as z from 'zod';
import { describe, isPub } from '../session/describe.ts';
import { kindWords, nameOfItem } from '../language/syntax/parts.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { ErrorName, idArgument } from './shapes.ts';

const TypedField = z.object({ id: z.string(), name: z.string(), type: z.string() });
const TypedName = z.object({ name: z.string(), type: z.string() });

export const getDeclaration = defineTool({
  name: 'get_declaration',
  title: 'Describe a declaration',
  description: `Says everything about one declaration or member: its text, and by kind its signature, error set, fields, methods, variants, traits and injected dependencies.

Look at it before replacing it; callers_of and usages_of say who relies on it.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    is_pub: z.boolean(),
    module: z.string(),
    owner: z.string().optional().describe('The id of what it is nested in.'),
    source: z.string(),
    signature: z
      .object({ params: z.array(TypedName), return_type: z.string(), is_fallible: z.boolean() })
      .optional()
      .describe('Of functions and methods.'),
    error_set: z.array(ErrorName).optional().describe('What it can raise to its caller.'),
    fields: z.array(TypedField).optional(),
    methods: z.array(z.object({ id: z.string(), name: z.string(), signature: z.string() })).optional(),
    variants: z.array(z.object({ id: z.string(), name: z.string(), fields: z.array(TypedField) })).optional(),
    impl_traits: z.array(z.string()).optional(),
    bracket_deps: z.array(TypedName).optional(),
  }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const owner = at.owners.at(-1)?.id;
    const { signature, error_set, fields, methods, variants, impl_traits, bracket_deps } = describe(pluto, at);
    return {
      id: at.id,
      name: nameOfItem(at.item),
      kind: kindWords[at.item.kind],
      is_pub: isPub(at.item),
      module: at.module.path,
      ...(owner === undefined ? {} : { owner }),
      source: at.module.module.text.slice(at.item.start, at.item.end),
      ...(signature && { signature: { ...signature, params: [...signature.params] } }),
      ...(error_set && { error_set: [...error_set] }),
      ...(fields && { fields: [...fields] }),
      ...(methods && { methods: [...methods] }),
      ...(variants && { variants: variants.map(one => ({ ...one, fields: [...one.fields] })) }),
      ...(impl_traits && { impl_traits: [...impl_traits] }),
      ...(bracket_deps && { bracket_deps: [...bracket_deps] }),
    };
  },
  inWords: ({ name, kind, module, source }) => `${kind} ${name} in ${module}\n\n${source}`,
});
