import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const root = new URL('../../../', import.meta.url);
const scope = 'source.luau.atlas-bridge';
let grammar: textmate.IGrammar;

before(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  // Another file of this process may have loaded it.
  await oniguruma.loadWASM(wasm).catch(() => undefined);
  const file = new URL('media/luau/luau.tmLanguage.json', root);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: sources => oniguruma.createOnigScanner(sources),
      createOnigString: text => oniguruma.createOnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, 'utf8'), 'luau.json'),
  });
  const loaded = await registry.loadGrammar(scope);
  assert.ok(loaded !== null);
  grammar = loaded;
});

/** Returns `text: innermost scope` of every piece of the text that has a scope. */
function colors(text: string): readonly string[] {
  let state = textmate.INITIAL;
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens)
      if (scopes.length > 1 && line.slice(startIndex, endIndex).trim() !== '')
        found.push(`${line.slice(startIndex, endIndex).trim()}: ${scopes.at(-1)?.replace('.luau', '')}`);
  }
  return found;
}

/** Whether a later line starts outside of every string and comment. */
const endsOutside = (text: string): boolean =>
  colors(`${text}\nlocal after = 1`).includes('local: storage.modifier.local');

test('colors functions with parameters and types', () => {
  const found = colors('local function scale(part: BasePart, by: number?): Vector3');
  for (const one of [
    'local: storage.modifier.local',
    'function: keyword.control',
    'scale: entity.name.function',
    'part: variable.parameter',
    'BasePart: entity.name.type',
    'number: entity.name.type',
    'Vector3: entity.name.type',
  ])
    assert.ok(found.includes(one), `${one} in ${found.join(' | ')}`);
});

test('colors type aliases, casts, attributes and methods', () => {
  assert.ok(colors('export type Point = { x: number }').includes('Point: entity.name.type'));
  assert.ok(colors('local part = workspace.Part :: BasePart').includes('BasePart: entity.name.type'));
  assert.ok(colors('@native').includes('native: storage.type.annotation'));
  const call = colors('game:GetService("Players")');
  assert.deepEqual(call.slice(0, 3), [
    'game: support.constant',
    ':: punctuation.accessor',
    'GetService: entity.name.function',
  ]);
});

test('colors expressions in interpolated strings', () => {
  const found = colors('print(`{count + 1} of {#list}: {names[1]}`)');
  assert.ok(found.includes('count: variable.other'), found.join(' | '));
  assert.ok(found.includes('1: constant.numeric'));
  assert.ok(endsOutside('local text = `a \\` \\{ {({ x = 1 }).x} b`'));
});

test('ends strings and comments where Luau ends them', () => {
  for (const text of [
    'local a = "quoted \\" -- no comment"',
    "local a = 'quoted \\' -- no comment'",
    'local a = [==[ one ]] two\n]=] three ]==]',
    '--[[ one\ntwo ]]',
    '--[=[ ]] ]=]',
    '-- a line [[',
    '--!strict',
    'local a = "unfinished',
  ])
    assert.ok(endsOutside(text), text);
});

test('colors numbers in every notation, and no range as a number', () => {
  for (const number of ['0xFF_FF', '0b1010', '1_000.5e-3', '.5', '3.'])
    assert.ok(
      colors(`local n = ${number}`).some(one => one.startsWith(`${number}: constant.numeric`)),
      number,
    );
  assert.ok(colors('local s = 1 .. 2').includes('..: keyword.operator'));
});

test('every script of the example ends outside of strings and comments', () => {
  const files = globSync('examples/obby/src/**/*.luau', { cwd: root });
  assert.ok(files.length > 50);
  for (const file of files) assert.ok(endsOutside(readFileSync(new URL(file, root), 'utf8')), file);
});
