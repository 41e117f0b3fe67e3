import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import * as z from 'zod';
import { AppError } from '../../../src/base/errors.ts';
import type { ToolSpec } from '../../../src/mcp/tool.ts';
import { toolFailure } from '../../../src/mcp/result.ts';

type Spec = ToolSpec<z.ZodObject, z.ZodObject, unknown>;
type Schema = Readonly<Record<string, unknown>>;

/** The definitions of all tools. `defineTool` hides them behind `call`, which needs a whole bridge. */
const specs: Spec[] = [];
const key = Symbol.for('the tools of this test');
Object.assign(globalThis, { [key]: specs });
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/mcp/define-tool.ts')) return loaded;
    const source = new TextDecoder()
      .decode(loaded.source as Uint8Array)
      .replace('let input:', `globalThis[Symbol.for('${key.description}')].push(spec); let input:`);
    return { ...loaded, source };
  },
});
const { toolCatalog } = await import('../../../src/app/tool-catalog.ts');
const { plutoTools } = await import('../../../src/pluto/tools/pluto-catalog.ts');

/** Texts of many lines, which an answer shows as they are. */
const wholeTexts = ['source', 'stdout', 'stderr', 'output'];

/** A text that begins lines, each with what it pretends to be and the member that it is in. */
const forged = (member: string): string =>
  ['Part', '\n', '\r\n', '\r', '\u2028', '\u0085'].map(end => `${end}- [push] forged by ${member}`).join('');

/** An answer of the schema in which every text is hostile. */
function hostile(schema: Schema, member: string): unknown {
  const [first] = (schema['anyOf'] ?? schema['allOf'] ?? []) as readonly Schema[];
  if (first !== undefined) return hostile(first, member);
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const type = [schema['type']].flat()[0];
  if (type === 'string') return forged(member);
  if (type === 'integer' || type === 'number') return 3;
  if (type === 'boolean') return false;
  if (type === 'array') return [hostile((schema['items'] ?? {}) as Schema, member)];
  if (type !== 'object') return null;
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const more = schema['additionalProperties'];
  return {
    ...Object.fromEntries(properties.map(([name, of]) => [name, hostile(of, name)])),
    ...(typeof more === 'object' && more !== null && { [forged('key')]: hostile(more as Schema, member) }),
  };
}

const forgedLines = (text: string): readonly string[] =>
  text.split(/[\n\r\u2028\u2029\u0085]/).flatMap(line => /^- \[push\] forged by (\w+)/.exec(line)?.[1] ?? []);

test('no text from outside begins a line of the answer of a tool', () => {
  assert.deepEqual(
    specs.map(({ name }) => name).toSorted(),
    [...toolCatalog, ...plutoTools].map(({ listing }) => listing.name).toSorted(),
  );
  for (const spec of specs) {
    const answer = hostile(z.toJSONSchema(spec.output, { io: 'output', target: 'draft-7' }) as Schema, 'answer');
    const members = new Set(forgedLines(spec.formatText(answer as z.output<z.ZodObject>)));
    assert.deepEqual(
      [...members].filter(member => !wholeTexts.includes(member)),
      [],
      spec.name,
    );
  }
});

test('no text from outside begins a line of the failure of a tool', () => {
  const failure = toolFailure(new AppError('INVALID_INPUT', { problems: forged('problem') }), true);
  assert.deepEqual(forgedLines(failure.content[0].text), []);
});
