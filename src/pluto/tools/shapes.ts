import * as z from 'zod';
import { parseRootPath } from '../../base/root-path.ts';
import type { Finding } from '../session/findings.ts';
import { type ItemAt, qualifiedName } from '../session/items.ts';
import type { Site } from '../session/sites.ts';
import { kindWords } from '../language/syntax/parts.ts';

/** In the spelling that declarations have theirs in, which is told apart letter by letter. */
export const idArgument = z
  .string()
  .describe('The id of a declaration, as list_declarations and find_declaration give it.')
  .transform(id => (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id));

/** `./a`, `a/../b` and `a\b` are paths too; one that leads out of the project is left to whoever refuses it. */
export const pathArgument = z.string().transform(path => parseRootPath(path) ?? path);
export const moduleArgument = pathArgument.describe('Path of the module, relative to the project: math/vectors.pluto.');
export const positionArgument = z
  .string()
  .default('end')
  .describe('before:<id>, after:<id>, or end; the id is that of a neighbour.');

/** The kinds of declarations and of what is nested in them. */
const kinds = Object.values(kindWords);
export const kindArgument = z.enum([kinds[0] ?? 'function', ...kinds.slice(1)]).optional();

export const Summary = z.string().describe('The result in one sentence.');
const ByteSpan = z.object({ start: z.number(), end: z.number() });

const Diagnostic = z.object({
  severity: z.enum(['error', 'warning', 'hint']),
  code: z.string(),
  message: z.string(),
  file: z.string(),
  span: ByteSpan.describe('UTF-8 bytes of the text of the module.'),
  line: z.number(),
  column: z.number(),
});
export const Diagnostics = z.array(Diagnostic);

export const ErrorName = z.object({ id: z.string(), name: z.string() });

/** A place, in the words that the tool has for what it is in. */
export const placeShape = {
  module: z.string(),
  source_snippet: z.string(),
  span: ByteSpan.describe('UTF-8 bytes of the text of the module.'),
  line: z.number(),
  column: z.number(),
};

export const UsageSite = z.object({
  function_id: z.string().nullable().describe('What it is in; null at the top of a module.'),
  function_name: z.string().nullable(),
  ...placeShape,
});

export const placeOf = ({ module, snippet, span, line, column }: Site) => ({
  module,
  source_snippet: snippet,
  span,
  line,
  column,
});

export const usageOf = (site: Site) => ({
  function_id: site.from?.id ?? null,
  function_name: site.from?.name ?? null,
  ...placeOf(site),
});

export const toDiagnostics = (findings: readonly Finding[]): z.infer<typeof Diagnostics> =>
  findings.map(({ span, ...finding }) => ({ ...finding, span: { ...span } }));

/** Where a declaration is, for lists. */
export const listedAt = (at: ItemAt) => ({
  id: at.id,
  name: qualifiedName(at),
  kind: kindWords[at.item.kind],
  module: at.module.path,
});

export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

export const problemsInWords = (diagnostics: z.infer<typeof Diagnostics>): string =>
  diagnostics.length === 0
    ? 'The checker has nothing to say.'
    : diagnostics
        .map(({ file, line, column, severity, message }) => `${file}:${line}:${column}: ${severity}: ${message}`)
        .join('\n');
