import * as z from 'zod';
import { asLines, onOneLine } from '../../mcp/answer-text.ts';
import { parseRootPath } from '../../base/root-path.ts';
import { kindNames } from '../language/syntax/parts.ts';
import type { Finding } from '../session/findings.ts';
import type { Site } from '../session/sites.ts';

/** Ids are compared exactly, so the spelling is normalized. */
export const idArgument = z
  .string()
  .describe('The id of a declaration, from list_declarations or find_declaration.')
  .transform(id => (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id));

/** Normalizes `./a`, `a/../b` and `a\b`. A path that leaves the project stays as it is, for the session to refuse. */
export const pathArgument = z.string().transform(path => parseRootPath(path) ?? path);
export const moduleArgument = pathArgument.describe('Path of the module, relative to the project: math/vectors.pluto.');
export const positionArgument = z
  .string()
  .default('end')
  .describe('before:<id>, after:<id> or end, where <id> is a neighbor.');

/** The kinds of declarations and of their members. */
const kinds = Object.values(kindNames);
export const kindArgument = z
  .enum([kinds[0] ?? 'function', ...kinds.slice(1)])
  .optional()
  .describe('Only declarations of this kind.');

export const Summary = z.string().describe('The result in one sentence.');
const ByteSpan = z.object({ start: z.number(), end: z.number() }).describe('UTF-8 byte offsets in the module text.');

const Diagnostic = z.object({
  severity: z.enum(['error', 'warning', 'hint']),
  code: z.string(),
  message: z.string(),
  file: z.string(),
  span: ByteSpan,
  line: z.number(),
  column: z.number(),
});
export const Diagnostics = z.array(Diagnostic);

export const ErrorName = z.object({ id: z.string(), name: z.string() });

/** A source location, with the names that the tools use. */
export const siteShape = {
  module: z.string(),
  source_snippet: z.string(),
  span: ByteSpan,
  line: z.number(),
  column: z.number(),
};

export const UsageSite = z.object({
  function_id: z.string().nullable().describe('The enclosing declaration; null at the top level of a module.'),
  function_name: z.string().nullable(),
  ...siteShape,
});

export const toSite = ({ module, snippet, span, line, column }: Site) => ({
  module,
  source_snippet: snippet,
  span,
  line,
  column,
});

export const toUsage = (site: Site) => ({
  function_id: site.from?.id ?? null,
  function_name: site.from?.name ?? null,
  ...toSite(site),
});

export const toDiagnostics = (findings: readonly Finding[]): z.infer<typeof Diagnostics> =>
  findings.map(({ span, ...finding }) => ({ ...finding, span: { ...span } }));

export const hasErrors = (findings: readonly Pick<Finding, 'severity'>[]): boolean =>
  findings.some(({ severity }) => severity === 'error');

/** A summary, and one line for each result. */
export const inLines = (summary: string, lines: readonly string[]): string => asLines(summary, ...lines);

export const formatProblems = (diagnostics: z.infer<typeof Diagnostics>): string =>
  diagnostics.length === 0
    ? 'No problems found.'
    : diagnostics
        .map(({ file, line, column, severity, message }) =>
          onOneLine(`${file}:${line}:${column}: ${severity}: ${message}`),
        )
        .join('\n');
