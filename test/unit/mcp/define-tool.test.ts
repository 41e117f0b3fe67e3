import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { AppError, errorCatalog } from '../../../src/base/errors.ts';
import { defineTool } from '../../../src/mcp/define-tool.ts';
import type { Effect, Tool } from '../../../src/mcp/tool.ts';
import { Acknowledgement } from '../../../src/protocol/acknowledgement.ts';
import { toolCall } from '../../harness/tool-call.ts';

const described = {
  name: 'count_things',
  title: 'Count things',
  description: 'Counts.',
  toolset: 'sync' as const,
  input: z.strictObject({ count: z.number().default(1), tags: z.record(z.string(), z.string()).optional() }),
  output: z.object({ total: z.number() }),
  formatText: ({ total }: { total: number }) => `${total} things`,
  isError: ({ total }: { total: number }) => total < 0,
};
type Count = (args: { count: number }) => Promise<{ total: number }>;
const tool = (effect: Effect, run: Count): Tool<undefined> =>
  effect === 'read'
    ? defineTool({ ...described, effect, run: (_deps: undefined, args) => run(args) })
    : defineTool({
        ...described,
        effect,
        output: described.output.extend(Acknowledgement.shape),
        run: async (_deps: undefined, args) => ({ ...(await run(args)), outcome: 'done' as const, elapsedMs: 1 }),
      });
const twice = async ({ count }: { count: number }): Promise<{ total: number }> => ({ total: count * 2 });

const twiceOf = async (_deps: undefined, { count }: { count: number }) => ({ total: count * 2 });

test('derives the hints from the effect and from network access', () => {
  const hints = (effect: Effect): readonly unknown[] => {
    const { annotations } = tool(effect, twice).listing;
    return [
      annotations.readOnlyHint,
      annotations.destructiveHint,
      annotations.idempotentHint,
      annotations.openWorldHint,
    ];
  };
  assert.deepEqual(hints('read'), [true, false, true, false]);
  assert.deepEqual(hints('write'), [false, false, false, false]);
  assert.deepEqual(hints('destructive'), [false, true, false, false]);
  const far = defineTool({ ...described, effect: 'read', reachesOut: true, run: twiceOf });
  assert.equal(far.listing.annotations.openWorldHint, true);
});

test('creates plain JSON schemas: strict input, optional defaults, only supported keywords', () => {
  const { inputSchema, outputSchema } = tool('read', twice).listing;
  assert.deepEqual(inputSchema, {
    type: 'object',
    properties: {
      count: { type: 'number', default: 1 },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
    },
    additionalProperties: false,
  });
  assert.equal(outputSchema.type, 'object');
  assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /\$schema|propertyNames/);
});

test('answers the same facts as structured content and in the <json> block of the text', async () => {
  const result = await tool('read', twice).call(undefined, { count: 4 }, toolCall());
  assert.deepEqual(result.structuredContent, { total: 8 });
  assert.equal(result.content[0].text, '8 things\n\n<json>\n{"total":8}\n</json>');
  assert.equal(result.isError, false);
});

test('[R14] refuses to compile an acting tool without an outcome, and adds one to failures', async () => {
  // @ts-expect-error an acting tool that answers a bare total
  void defineTool({ ...described, effect: 'write', run: twiceOf });
  const failing = (error: AppError): Promise<unknown> =>
    tool('write', () => Promise.reject(error))
      .call(undefined, {}, toolCall())
      .then(({ structuredContent }) => structuredContent['outcome']);
  assert.equal(await failing(new AppError('PATH_OUTSIDE_ROOT', { path: 'x' })), 'refused');
  assert.equal(await failing(new AppError('INTERNAL', { reason: 'x' })), 'unknown');
  const wrong = await tool('write', twice).call(undefined, { count: 'x' }, toolCall());
  assert.equal(wrong.structuredContent['outcome'], 'refused');
  const reading = await tool('read', twice).call(undefined, { count: 'x' }, toolCall());
  assert.equal(reading.structuredContent['outcome'], undefined);
});

test('uses the defaults of absent arguments', async () => {
  assert.deepEqual((await tool('read', twice).call(undefined, undefined, toolCall())).structuredContent, { total: 2 });
});

test('sets isError for an output that is a failure, and keeps its shape', async () => {
  const result = await tool('read', twice).call(undefined, { count: -1 }, toolCall());
  assert.deepEqual([result.isError, result.structuredContent], [true, { total: -2 }]);
});

test('answers invalid arguments with a sentence, and never calls the tool', async () => {
  const result = await tool('read', () => assert.fail('ran')).call(undefined, { count: 'x', nope: 1 }, toolCall());
  assert.equal(result.isError, true);
  const { error } = result.structuredContent as { error: { code: string; message: string } };
  assert.equal(error.code, 'INVALID_INPUT');
  assert.match(error.message, /count: must be a number, but is "x"/);
  assert.match(error.message, /arguments: unknown key nope; allowed: count, tags/);
});

test('answers errors of the catalog with their code, and all others as INTERNAL', async () => {
  const failing = (error: unknown): Promise<{ total: number }> => Promise.reject(error as Error);
  const coded = await tool('read', () => failing(new AppError('UNKNOWN_OPERATION', { operationId: '7' }))).call(
    undefined,
    {},
    toolCall(),
  );
  assert.deepEqual(coded.structuredContent, {
    status: 'error',
    summary: 'There is no run or operation 7.',
    error: {
      code: 'UNKNOWN_OPERATION',
      message: 'There is no run or operation 7.',
      hint: errorCatalog.UNKNOWN_OPERATION.hint,
      retry: 'no',
      retryable: false,
      details: { operationId: '7' },
    },
  });
  assert.equal(coded.isError, true);
  assert.match(coded.content[0].text, /^There is no run or operation 7\.\nUse the runId/);
  const bug = await tool('read', () => failing(new TypeError('x is undefined'))).call(undefined, {}, toolCall());
  assert.equal((bug.structuredContent as { error: { code: string } }).error.code, 'INTERNAL');
});
