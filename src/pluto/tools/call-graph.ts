import * as z from 'zod';
import { callGraph as graphOf } from '../session/call-graph.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { count, idArgument, Summary } from './shapes.ts';

export const callGraph = defineTool({
  name: 'call_graph',
  title: 'Follow the calls of a function',
  description:
    'Says whom a function calls, whom they call, and so on, each pair once. A method of a trait leads on to what implements it.',
  toolset: 'pluto',
  effect: 'read',
  input: z.strictObject({
    id: idArgument,
    depth: z.int().min(1).max(20).default(3).describe('Calls between the function and the last one that is listed.'),
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
    truncated: z.boolean().describe('Whether there are more calls than are listed.'),
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
    [summary, ...calls.map(({ caller_name, callee_name }) => `${caller_name} → ${callee_name}`)].join('\n'),
});
