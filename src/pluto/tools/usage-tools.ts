import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { kindWords } from '../language/syntax/parts.ts';
import { callGraph as graphOf } from '../session/call-graph.ts';
import { callSitesOf, sitesOf } from '../session/sites.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, ErrorName, idArgument, inLines, siteShape, Summary, toSite, toUsage, UsageSite } from './shapes.ts';

interface LineSite {
  readonly module: string;
  readonly line: number;
  readonly source_snippet: string;
}
const siteLine = ({ module, line, source_snippet }: LineSite, what: string): string =>
  `${module}:${line}: ${what}: ${source_snippet}`;

export const callersOf = defineTool({
  name: 'callers_of',
  title: 'Find the callers of a function',
  description:
    'Finds every call of a function or method in the project. A call through a trait is listed for the trait method and for every method that it may dispatch to.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({
    result: z.array(
      z.object({
        caller_id: z.string().nullable().describe('The enclosing function, method or test.'),
        caller_name: z.string().nullable(),
        ...siteShape,
        through: z
          .string()
          .optional()
          .describe('The trait method that is called: whether it dispatches to this method is known only at run time.'),
      }),
    ),
    summary: Summary,
  }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const result = (await callSitesOf(pluto, at, signal)).map(site => ({
      caller_id: site.from?.id ?? null,
      caller_name: site.from?.name ?? null,
      ...toSite(site),
      ...(site.through === undefined ? {} : { through: site.through }),
    }));
    return { result, summary: `${count(result.length, 'call')}.` };
  },
  inWords: ({ summary, result }) =>
    inLines(
      summary,
      result.map(one => siteLine(one, one.caller_name ?? 'module')),
    ),
});

export const constructorsOf = defineTool({
  name: 'constructors_of',
  title: 'Find where a class is constructed',
  description: 'Finds every object literal of a class in the project. Useful after add_field.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({ result: z.array(UsageSite), summary: Summary }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const result = (await sitesOf(pluto, at.id, signal)).filter(({ kind }) => kind === 'construct').map(toUsage);
    return { result, summary: `${count(result.length, 'object literal')}.` };
  },
  inWords: ({ summary, result }) =>
    inLines(
      summary,
      result.map(one => siteLine(one, one.function_name ?? 'module')),
    ),
});

const usageKinds = ['call', 'construct', 'enum_variant', 'raise', 'impl', 'type_ref', 'field'] as const;

export const usagesOf = defineTool({
  name: 'usages_of',
  title: 'Find all usages of a declaration',
  description: `Finds every reference to a declaration or member in the project, and how it is used.

catch is listed as type_ref. Call it before you delete a declaration or change its signature.`,
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({ result: z.array(UsageSite.extend({ usage_kind: z.enum(usageKinds) })), summary: Summary }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const at = await pluto.item(id, signal);
    const sites = await sitesOf(pluto, at.id, signal);
    const result = sites.map(site => ({ ...toUsage(site), usage_kind: site.kind }));
    return { result, summary: `${count(result.length, 'usage')}.` };
  },
  inWords: ({ summary, result }) =>
    inLines(
      summary,
      result.map(one => siteLine(one, one.usage_kind)),
    ),
});

export const errorSet = defineTool({
  name: 'error_set',
  title: 'List the errors that a function can raise',
  description:
    'Lists every error that a function, method or test can raise to its caller, directly or through the functions that it calls. Errors that it catches are not included.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({ id: idArgument }),
  output: z.object({ result: z.array(ErrorName), summary: Summary }),
  async run({ pluto }: PlutoToolDeps, { id }, { signal }) {
    const { item, id: known } = await pluto.item(id, signal);
    const found = pluto.checker.errorSetOf(known);
    if (found === undefined)
      throw new AppError('PLUTO_WRONG_KIND', { kind: kindWords[item.kind], wanted: 'a function or method' });
    const result = found.errors.map(error => ({ id: error.id, name: error.name }));
    const names = result.map(({ name }) => name).join(', ');
    return { result, summary: names === '' ? 'It raises no errors.' : `It can raise ${names}.` };
  },
  inWords: ({ summary }) => summary,
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
      summary: `${count(calls.length, 'call')}.`,
    };
  },
  inWords: ({ summary, calls }) =>
    inLines(
      summary,
      calls.map(({ caller_name, callee_name }) => `${caller_name} → ${callee_name}`),
    ),
});
