import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanLuau } from '../../../../src/sync/merge/scan-luau.ts';
import { splitDeclarations } from '../../../../src/sync/merge/split-declarations.ts';
import { splitTable } from '../../../../src/sync/merge/split-table.ts';

const keysOf = (text: string): readonly string[] | undefined => splitDeclarations(text)?.map(part => part.key);

test('splits a text into functions, types, assignments and other statements', () => {
  const text = `--!strict
-- A module.
local Players = game:GetService("Players")
local a, b = 1, 2

export type Pet = {
	name: string,
}
type Kind = "cat"
	| "dog"

@native
local function size(value: number): number
	local x = if value > 1 then 1 else if value < 0 then 2 else 3
	while x do x = nil end
	repeat local y = function() return end until y
	return x
end

function Pets.Cat:feed() end
Pets.count = 0
Pets.list["x"] = [==[ end ]]
]==]
print(\`{ size(1) } end {"}"} \`)
if Pets.count then
	print("end")
elseif x then
else
end

return Pets
-- The end.
`;
  assert.deepEqual(keysOf(text), [
    'local Players',
    'local a',
    'type Pet',
    'type Kind',
    'function size',
    'function Pets.Cat:feed',
    'set Pets.count',
    'text Pets.list["x"] = [==[ end ]]\n]==]',
    'text print(`{ size(1) } end {"}"} `)',
    'text if Pets.count then\n\tprint("end")\nelseif x then\nelse\nend',
    'return',
    'end of text',
  ]);
});

test('splits nothing when a block, bracket or string does not close', () => {
  for (const text of ['function a()', 'local a = {', 'local a = "x', 'a = [[x', 'end', 'a = )', '--[[ x', 'print(`{`)'])
    assert.equal(splitDeclarations(text), undefined, text);
});

test('splits nothing when two declarations have one name', () => {
  assert.equal(splitDeclarations('x = 1\nx = 2\n'), undefined);
});

test('splits every script of the plugin into parts that add up to it', () => {
  const folder = join(import.meta.dirname, '../../../../studio-plugin/src/core');
  let split = 0;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.luau')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    assert.ok(scanLuau(text), name);
    const parts = splitDeclarations(text);
    if (parts === undefined) continue;
    split += 1;
    assert.equal(parts.map(part => part.text).join(''), text, name);
  }
  assert.ok(split > 20, `${split} of the scripts`);
});

test('splits any text into parts that add up to it', () => {
  const pieces = fc.constantFrom(
    'local x = 1\n',
    'end',
    '\n',
    '{',
    '}',
    '"',
    '--[[',
    ']]',
    '`',
    ' ',
    'function f()',
    'if ',
    'x',
    '=',
    ',',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), list => {
      const text = list.join('');
      const parts = splitDeclarations(text);
      if (parts !== undefined) assert.equal(parts.map(part => part.text).join(''), text);
    }),
  );
});

test('splits a table into its entries with their comments', () => {
  const split = splitTable(
    'return {\n\t-- Fast.\n\tspeed = 1, -- studs\n\t["a b"] = {\n\t\tx = 1,\n\t},\n\tlast = f(1, 2)\n}\n',
  );
  assert.deepEqual(split, {
    head: 'return {\n',
    entries: [
      { key: 'speed', text: '\t-- Fast.\n\tspeed = 1, -- studs\n', isNamed: true },
      { key: '["a b"]', text: '\t["a b"] = {\n\t\tx = 1,\n\t},\n', isNamed: true },
      { key: 'last', text: '\tlast = f(1, 2),\n', isNamed: true },
    ],
    tail: '}\n',
  });
});

test('splits no table whose entries have no names or share a line', () => {
  for (const text of ['x = {\n\t1,\n\t2,\n}', 'x = {\n\ta = 1, b = 2,\n}', 'x = { a = 1 }', 'f({\n\ta = 1,\n})'])
    assert.equal(splitTable(text), undefined, text);
});
