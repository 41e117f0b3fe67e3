import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { readLuauFolder } from '../../../src/headless-studio/luau-folder.ts';
import { AppError } from '../../../src/base/errors.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { forPerson, toErrorBody } from '../../../src/protocol/error-body.ts';
import { type Reason, reasonOf, reasonSentence, reasonTemplates, reasonText } from '../../../src/protocol/reason.ts';
import { LiveFromPlugin } from '../../../src/protocol/studio/live.ts';
import { Compared, FromPlugin } from '../../../src/protocol/studio/stream.ts';
import { studioReasons } from '../../../src/protocol/studio-reasons.ts';
import { ReportedReason } from '../../../src/protocol/studio/reported-reason.ts';
import { startTestVm } from '../../harness/luau-vm.ts';

const sources = await readLuauFolder(fileURLToPath(new URL('../../../studio-plugin/src', import.meta.url)), 'plugin');
const codes = Object.keys(studioReasons);
const arity: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(studioReasons).map(([code, row]) => [code, row.length]),
);

/** The reasons that Luau code creates: the code and the number of arguments. */
function created(source: string): readonly { readonly code: string; readonly args: number }[] {
  return Array.from(source.matchAll(/reasons\.of\(/g), ({ index }) => {
    let depth = 0;
    let args = 0;
    let end = index + 'reasons.of('.length;
    for (; depth >= 0; end += 1) {
      const char = source.charAt(end);
      if ('({['.includes(char)) depth += 1;
      else if (')}]'.includes(char)) depth -= 1;
      else if (char === ',' && depth === 0) args += 1;
    }
    const [, code = ''] = /^\s*"(\w+)"/.exec(source.slice(index + 'reasons.of('.length, end)) ?? [];
    return { code, args };
  });
}

test('has the same sentences in the plugin and in the catalog', async () => {
  const vm = await startTestVm();
  const [sentences] = vm.run('return require(args[1]).sentences', 'chunk', '@plugin/core/reasons');
  const templates = reasonTemplates();
  assert.deepEqual(sentences, Object.fromEntries(codes.map(code => [code, templates[code]])));
});

test('quotes the engine without the position in the plugin where its error was raised', async () => {
  const vm = await startTestVm();
  const quoted = (raised: string): unknown =>
    vm.run('return require(args[1]).caught(args[2]).args[1]', 'chunk', '@plugin/core/reasons', raised)[0];
  assert.equal(quoted('plugin/core/push:254: Unable to create a Camera'), 'Unable to create a Camera');
  assert.equal(quoted('user_Atlas Bridge.rbxmx.core.push:254: Unable to set it'), 'Unable to set it');
  assert.equal(quoted('The Parent property: 12: is locked'), 'The Parent property: 12: is locked');
});

test('creates every reason of the plugin with the arguments of its sentence', () => {
  const all = Array.from(sources.values(), created).flat();
  assert.ok(all.length > 30);
  assert.deepEqual(
    all.filter(({ code, args }) => arity[code] !== args),
    [],
  );
  assert.deepEqual(created('reasons.of("value_now", f(a, b), { c, d })'), [{ code: 'value_now', args: 2 }]);
});

test('sends no reason as text from the plugin', () => {
  const isText =
    /\b(?:reason|message) = [`"]|\b(?:push\.)?fail\(\w+, (?:"\w+"|[\w.]+), [`"]|\berror\([`"]|\breturn (?:nil|false), [`"]/;
  for (const [path, source] of sources) assert.doesNotMatch(source, isText, path);
  const planted = [
    'reason = `{name} changed`',
    'message = "no such place"',
    'push.fail(outcome, "engine", "failed")',
    'error(`expected {what}`, 0)',
    'return nil, "no answer"',
    'return false, `{name} has no value`',
  ];
  for (const text of planted) assert.match(text, isText);
});

test('quotes a failure and an unreadable value of a plugin that sends text', () => {
  const quoted = reasonOf('quoted', 'no such place');
  const failed = { type: 'failed', requestId: 'a', code: 'http' };
  assert.deepEqual(FromPlugin.parse({ ...failed, message: 'no such place' }), { ...failed, message: quoted });
  const known = reasonOf('place_not_served', 7, 'Game');
  assert.deepEqual(FromPlugin.parse({ ...failed, message: known }), { ...failed, message: known });
  assert.deepEqual(LiveFromPlugin.parse({ type: 'liveFailed', message: 'no such place' }), {
    type: 'liveFailed',
    message: quoted,
  });
  const value = { path: 'A', property: 'Size' };
  const compared = {
    type: 'compared',
    requestId: 'a',
    place: { name: 'P', placeId: 0 },
    messageCursor: 0,
    changes: [],
  };
  const read = Compared.parse({ ...compared, overrides: [], unreadable: [{ ...value, reason: 'no such place' }] });
  assert.deepEqual(read.unreadable, [{ ...value, reason: quoted }]);
});

test('translates the failure of a command with its reason', () => {
  const reason = reasonSentence(reasonOf('place_not_served', 7, 'Game'));
  const failure = toErrorBody(new AppError('STUDIO_FAILED', { reason }));
  const templates: string[] = [];
  const translate = (template: string, ...values: (string | number)[]): string => {
    templates.push(template);
    return formatSentence({ template, values });
  };
  assert.match(formatSentence(forPerson(failure), translate), /: place 7 is not in servePlaceIds of project Game\./);
  assert.ok(templates.includes(reason.template));
});

test('quotes everything that a plugin reports but the reasons of the catalog', () => {
  const read = (reported: unknown): string => reasonText(ReportedReason.parse(reported));
  assert.equal(read('not written: {0}'), '"not written: {0}"');
  assert.equal(read(reasonOf('value_now', 'Size', '4')), 'Size in Studio is now 4');
  const others: readonly Reason[] = [
    // A reason of the bridge, which a plugin cannot give.
    { code: 'no_project', args: [] },
    { code: 'value_now', args: ['Size'] },
    { code: 'source_already_written', args: [{ code: 'no_project', args: [] }] },
    { code: 'of_tomorrow', args: [1, 'x'] },
    { code: 'constructor', args: [] },
  ];
  assert.deepEqual(others.map(read), [
    '"no_project"',
    '"value_now Size"',
    '"source_already_written no_project"',
    '"of_tomorrow 1 x"',
    '"constructor"',
  ]);
});
