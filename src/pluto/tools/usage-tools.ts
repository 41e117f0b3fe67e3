import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { kindNames } from '../language/syntax/parts.ts';
import { callGraph as graphOf } from '../session/call-graph.ts';
import type { PlutoSession } from '../session/pluto-session.ts';
import { callSitesOf, sitesOf } from '../session/sites.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { defineListTool } from './define-list-tool.ts';
import { ErrorName, idArgument, inLines, siteShape, Summary, toSite, toUsage, UsageSite } from './shapes.ts';

interface LineSite {
  readonly module: string;
  readonly line: number;
  readonly source_snippet: string;
}
const siteLine = ({ module, line, source_snippet }: LineSite, what: string): string =>
  `${module}:${line}: ${what}: ${source_snippet}`;

export const callersOf = defineListTool({
  name: 'callers_of',
  title: 'Find the callers of a function',
  description:
    'Finds every call of a function or method in the project. A call through a trait is listed for the trait method and for every method that it may dispatch to.',
  input: z.strictObject({ id: idArgument }),
  row: z.object({
    caller_id: z.string().nullable().describe('The enclosing function, method or test.'),
    caller_name: z.string().nullable(),
    ...siteShape,
    through: z
      .string()
      .optional()
      .describe('The trait method that is called: whether it dispatches to this method is known only at run time.'),
  }),
  list: async (pluto, { id }, { signal }) =>
    (await callSitesOf(pluto, await pluto.item(id, signal), signal)).map(site => ({
      caller_id: site.from?.id ?? null,
      caller_name: site.from?.name ?? null,
      ...toSite(site),
      ...(site.through === undefined ? {} : { through: site.through }),
    })),
  summarize: rows => `${counted(rows.length, 'call')}.`,
  formatText: row => siteLine(row, row.caller_name ?? 'module'),
});

/** The places that refer to a declaration or to a member. */
const sitesOfId = async (pluto: PlutoSession, id: string, signal: AbortSignal) =>
  sitesOf(pluto, (await pluto.item(id, signal)).id, signal);

export const constructorsOf = defineListTool({
  name: 'constructors_of',
  title: 'Find where a class is constructed',
  description: 'Finds every object literal of a class in the project. Useful after add_field.',
  input: z.strictObject({ id: idArgument }),
  row: UsageSite,
  list: async (pluto, { id }, { signal }) =>
    (await sitesOfId(pluto, id, signal)).filter(({ kind }) => kind === 'construct').map(toUsage),
  summarize: rows => `${counted(rows.length, 'object literal')}.`,
  formatText: row => siteLine(row, row.function_name ?? 'module'),
});

const usageKinds = ['call', 'construct', 'enum_variant', 'raise', 'impl', 'type_ref', 'field'] as const;

export const usagesOf = defineListTool({
  name: 'usages_of',
  title: 'Find all usages of a declaration',
  description: `Finds every reference to a declaration or member in the project, and how it is used.

A catch of an error is listed as type_ref. Call it before you delete a declaration or change its signature.`,
  input: z.strictObject({ id: idArgument }),
  row: UsageSite.extend({ usage_kind: z.enum(usageKinds) }),
  list: async (pluto, { id }, { signal }) =>
    (await sitesOfId(pluto, id, signal)).map(site => ({ ...toUsage(site), usage_kind: site.kind })),
  summarize: rows => `${counted(rows.length, 'usage')}.`,
  formatText: row => siteLine(row, row.usage_kind),
});

export const errorSet = defineListTool({
  name: 'error_set',
  title: 'List the errors that a function can raise',
  description:
    'Lists every error that a function, method or test can raise to its caller, directly or through the functions that it calls. Errors that it catches are not included.',
  input: z.strictObject({ id: idArgument }),
  row: ErrorName,
  async list(pluto, { id }, { signal }) {
    const { item, id: known } = await pluto.item(id, signal);
    const found = pluto.checker.errorSetOf(known);
    if (found === undefined)
      throw new AppError('PLUTO_WRONG_KIND', { kind: kindNames[item.kind], wanted: 'a function or method' });
    return found.errors.map(error => ({ id: error.id, name: error.name }));
  },
  summarize: rows =>
    rows.length === 0 ? 'It raises no errors.' : `It can raise ${rows.map(({ name }) => name).join(', ')}.`,
  formatText: ({ id, name }) => `${id} ${name}`,
});

export const callGraph = defineTool({
  name: 'call_graph',
  title: 'Show the call graph of a function',
  description:
    'Lists the functions that a function calls, the functions that those call, and so on. Each pair is listed once. A trait method leads to its implementations.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    id: idArgument,
    depth: z.int().min(1).max(20).default(3).describe('Maximum number of calls from the function to a callee.'),
  }),
  output: z.object({
    root: z.string(),
    calls: z.array(
      z.object({
        caller_id: z.string(),
        caller_name: z.string(),
        callee_id: z.string(),
        callee_name: z.string(),
      }),
    ),
    truncated: z.boolean().describe('Whether the list was cut off.'),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { id, depth }, { signal }) {
    const root = await pluto.item(id, signal);
    const { calls, isCut } = await graphOf(pluto, root, depth, signal);
    return {
      root: root.id,
      calls: calls.map(({ callerId, callerName, calleeId, calleeName }) => ({
        caller_id: callerId,
        caller_name: callerName,
        callee_id: calleeId,
        callee_name: calleeName,
      })),
      truncated: isCut,
      summary: `${counted(calls.length, 'call')}.`,
    };
  },
  formatText: ({ summary, calls }) =>
    inLines(
      summary,
      calls.map(({ caller_name, callee_name }) => `${caller_name} → ${callee_name}`),
    ),
});
