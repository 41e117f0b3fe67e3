import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { standardFileKinds } from '../../../../src/project/file-kinds/standard-file-kinds.ts';
import { FileNames } from '../../../../src/project/writeback/file-names.ts';
import { TakenNames } from '../../../../src/project/writeback/taken-names.ts';

const names = new FileNames(standardFileKinds);
const read = (
  file: string,
  dialect: 'rojo' | 'atlas',
): { readonly kind: string; readonly name: string } | undefined => {
  const rule = standardFileKinds.ruleFor(file, dialect);
  return rule && { kind: rule.kind.name, name: rule.name };
};

test('replaces characters when a name cannot be a file name', () => {
  const table = {
    'A/B': 'A_B',
    '.git': '_git',
    '.GIT': '_GIT',
    '.env': '_env',
    con: 'con_',
    'Hi?': 'Hi_',
    'CON.': 'CON_',
    ' x ': 'x',
    Init: 'Init_',
    'v~2': 'v_2',
    '???': 'instance',
    '': 'instance',
    'a.meta.server': 'a_meta_server',
    'foo.server.': 'foo_server',
    'v1.0': 'v1.0',
    'a.': 'a',
    'a b': 'a b',
    'nul.txt': 'nul_.txt',
    COM0: 'COM0_',
    'lpt²': 'lpt²_',
    CONIN$: 'CONIN$_',
    'a:b': 'a_b',
    'a\uFFFDb': 'a_b',
    'a\uD800b': 'a_b',
    'C:\\x': 'C__x',
    'trail. .': 'trail',
    'bell\u0007': 'bell_',
    'line\nbreak': 'line_break',
    'zero\0': 'zero_',
    '😀': '😀',
  };
  for (const [name, slug] of Object.entries(table)) assert.equal(names.slugOf(name), slug, name);
});

test('creates slugs that are stable, valid on every file system and read back as the name', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: fc.constantFrom(...Array.from('a. ~/\0'), 'init', '.server', 'ß') }),
      ),
      name => {
        const slug = names.slugOf(name);
        assert.equal(names.slugOf(slug), slug);
        assert.ok(new TextEncoder().encode(slug).length <= 210);
        for (const dialect of ['rojo', 'atlas'] as const) {
          assert.deepEqual(read(`${slug}.luau`, dialect), { kind: 'moduleScript', name: slug });
          if (!names.needsSlug(name, dialect)) assert.equal(read(`${name}.luau`, dialect)?.name, name);
        }
      },
    ),
  );
});

test('treats names that differ in case or composition as equal', () => {
  const taken = new TakenNames(standardFileKinds, ['Door.luau', 'caf\u00e9']);
  assert.ok(taken.has('DOOR.luau') && taken.has('cafe\u0301') && !taken.has('door'));
  assert.ok(taken.hasFileOf('door') && !taken.hasFileOf('do'));
});

test('numbers a taken name in the Atlas dialect and finds no base in the Rojo dialect', () => {
  const free = (base: string): boolean => base !== 'A' && base !== 'A~2';
  assert.deepEqual(names.chooseBase('A', 'atlas', free, 'file'), { base: 'A~3', isExact: true, number: 3 });
  assert.equal(names.chooseBase('A', 'rojo', free, 'file'), undefined);
});

test('allows more names for model files and folders than for scripts in the Rojo dialect', () => {
  const free = (): boolean => true;
  for (const name of ['Init', 'a.server', 'x.meta', 'v~2']) {
    for (const kind of ['model', 'folder'] as const)
      assert.deepEqual(names.chooseBase(name, 'rojo', free, kind), { base: name, isExact: true, number: 1 });
    assert.deepEqual(read(`${name}.model.json`, 'rojo'), { kind: 'jsonModel', name });
  }
  for (const name of ['A/B', '', ' x', 'con', 'CON.', '???'])
    assert.equal(names.chooseBase(name, 'rojo', free, 'model'), undefined);
  assert.deepEqual(names.chooseBase('a.', 'rojo', free, 'model'), { base: 'a.', isExact: true, number: 1 });
  assert.equal(names.chooseBase('a.', 'rojo', free, 'folder'), undefined);
  assert.deepEqual(names.chooseBase('Init', 'atlas', free, 'model'), { base: 'Init_', isExact: false, number: 1 });
});

test('replaces every name, of any length, by one that the Rojo dialect accepts', () => {
  const unit = fc.constantFrom(...Array.from('a. ~é€'), 'init', '.server', 'con');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300, size: 'max' }), name => {
      for (const kind of ['file', 'folder', 'model'] as const)
        assert.ok(names.fitsRojo(names.slugOf(name), kind), `${kind} ${names.slugOf(name)}`);
    }),
  );
  for (const length of [198, 199, 200, 201, 3_000_000])
    for (const kind of ['file', 'folder', 'model'] as const)
      assert.ok(names.fitsRojo(names.slugOf('x'.repeat(length)), kind), String(length));
});
