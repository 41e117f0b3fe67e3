import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { threadCpuTime } from '../../../../../scripts/bench/cpu-time.ts';
import { printModule } from '../../../../../src/pluto/language/print/print-declaration.ts';
import type { ParsedModule } from '../../../../../src/pluto/language/syntax/ast/decl.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { keywords } from '../../../../../src/pluto/language/syntax/token.ts';
import { commentedText, programText } from '../program-text.ts';

/** Checks that every node is within the text and its parent, and that findings are in order. */
function checkSpans({ text, tree, diagnostics }: ParsedModule): void {
  const walk = (node: unknown, outer: { start: number; end: number }): void => {
    if (Array.isArray(node)) for (const child of node) walk(child, outer);
    else if (typeof node === 'object' && node !== null) {
      const { start, end, kind } = node as { start: number; end: number; kind?: string };
      assert.ok(
        start <= end && outer.start <= start && end <= outer.end,
        `${kind} ${start}..${end} in ${outer.start}..${outer.end}`,
      );
      for (const child of Object.values(node)) walk(child, { start, end });
    }
  };
  walk(tree.items, tree);
  for (const [index, { span }] of diagnostics.entries()) {
    assert.ok(span.start >= (diagnostics[index - 1]?.span.start ?? 0));
    assert.ok(span.start <= span.end && span.end <= text.length);
  }
}

const signs =
  '++ + -- - * / % += = == != ! << < <= > >= & && | || ^ ~ ( ) { } [ ] , : :: -> => . .. ..= ? " f" // ; @ é 1 2.5 0x 0b2 \\'.split(
    ' ',
  );
const scraps = fc
  .array(fc.constantFrom(...keywords, ...signs, 'name', 'Other', '\n', ' ', '"text"', 'f"a{b}"', '\r\n', '\t'), {
    maxLength: 60,
  })
  .map(words => words.join(' '));

test('parses any text to a tree with valid spans', () => {
  fc.assert(
    fc.property(fc.oneof(scraps, fc.string({ unit: 'binary', maxLength: 100 })), text => checkSpans(parseModule(text))),
    {
      numRuns: 2000,
    },
  );
});

test('keeps spans valid when a piece of a program is removed or duplicated', () => {
  fc.assert(
    fc.property(programText, fc.nat(), fc.nat(30), fc.boolean(), (text, from, length, isDouble) => {
      const at = text.length === 0 ? 0 : from % text.length;
      const piece = text.slice(at, at + length);
      checkSpans(parseModule(text.slice(0, at) + (isDouble ? piece + piece : '') + text.slice(at + length)));
    }),
    { numRuns: 500 },
  );
});

const corpus = ['accepted', 'rejected'].flatMap(kind => {
  const folder = new URL(`../../../../fixtures/pluto/${kind}/`, import.meta.url);
  return readdirSync(folder).map(name => readFileSync(new URL(name, folder), 'utf8'));
});

test('keeps spans valid when a piece of one program is inserted into another', () => {
  const program = fc.constantFrom(...corpus);
  fc.assert(
    fc.property(program, program, fc.nat(), fc.nat(), fc.nat(30), fc.nat(30), (text, other, at, from, cut, length) => {
      const start = at % (text.length + 1);
      const piece = other.slice(from % (other.length + 1)).slice(0, length);
      checkSpans(parseModule(text.slice(0, start) + piece + text.slice(start + cut)));
    }),
    { numRuns: 2000 },
  );
});

const nests: Readonly<Record<string, string>> = {
  parentheses: `fn f() {\n    let x = ${'('.repeat(10_000)}1${')'.repeat(10_000)}\n}\n`,
  'open parentheses': `fn f() { ${'('.repeat(10_000)}`,
  'prefix operators': `fn f() { return ${'!'.repeat(10_000)}true }`,
  arrays: `fn f() { return ${'['.repeat(10_000)} }`,
  types: `fn f(a: ${'['.repeat(10_000)}int) {}`,
  'type arguments': `fn f(a: ${'A<'.repeat(10_000)}int) {}`,
  blocks: `fn f() ${'{ if a '.repeat(10_000)}`,
  'else if': `fn f() { if a {} ${'else if b {} '.repeat(10_000)} }`,
  'else if values': `fn f() { let x = if a { 1 } ${'else if b { 2 } '.repeat(10_000)} else { 3 } }`,
  operators: `fn f() { return 1${' + 1'.repeat(10_000)} }`,
  members: `fn f() { return a${'.b'.repeat(10_000)} }`,
  calls: `fn f() { ${'g('.repeat(10_000)} }`,
  closures: `fn f() { return ${'() => '.repeat(10_000)}1 }`,
  handlers: `fn f() { return ${'g() catch '.repeat(10_000)}1 }`,
  casts: `fn f() { return a${' as int'.repeat(10_000)} }`,
  interpolations: `fn f() { return f"${'{f\\"'.repeat(10_000)}" }`,
  'interpolations after an escape': `fn f() { return f"{\\"\\" + ${'('.repeat(10_000)}1${')'.repeat(10_000)}}" }`,
  comparisons: `fn f() { return ${'a<'.repeat(10_000)}b }`,
  'open braces': '{'.repeat(10_000),
};

test('reports 10,000 nested levels quickly, and parses the code after them', () => {
  for (const [what, text] of Object.entries(nests)) {
    const before = threadCpuTime();
    const { tree, diagnostics } = parseModule(`${text}\nfn after() {}\n`);
    assert.ok(threadCpuTime() - before < 1000, what);
    assert.ok(diagnostics.length > 0, what);
    const last = tree.items.at(-1);
    if (what !== 'interpolations') assert.ok(last?.kind === 'FunctionDecl' && last.name.text === 'after', what);
  }
});

test('parses long texts in linear time', () => {
  const heavy: Readonly<Record<string, string>> = {
    'functions on one line': 'fn f() {} '.repeat(30_000),
    'quotes that are all escaped': `fn f() { "${'\n\\"'.repeat(60_000).replaceAll('\\n', '\n')}`,
    'open angles': `fn f() { ${'a < '.repeat(500).concat('b\n').repeat(150)} }`,
    'comments on comments': '// note\n'.repeat(40_000),
    'one error per line': 'fn f() { ) }\n'.repeat(20_000),
    'unexpected characters': '\u00a7 '.repeat(150_000),
  };
  for (const [what, text] of Object.entries(heavy)) {
    const before = threadCpuTime();
    parseModule(text);
    const took = threadCpuTime() - before;
    assert.ok(took < 5000, `${what}: ${took.toFixed(0)} ms`);
  }
});

test('reports up to 200 errors in a file, and each mistake once', () => {
  const broken =
    'fn f() {\n    let = 1\n    return )\n    x +\n}\n\nfn g( {\n}\n\nclass { x int }\n\nenum E { A, B }\n';
  const { tree, diagnostics } = parseModule(broken);
  assert.deepEqual(
    diagnostics.map(({ code, span }) => `${code} ${broken.slice(0, span.start).split('\n').length}`),
    [
      'name-expected 2',
      'expression-expected 3',
      'expression-expected 5',
      'name-expected 7',
      'name-expected 10',
      'token-expected 10',
      'comma-misplaced 12',
    ],
  );
  assert.deepEqual(
    tree.items.map(({ kind }) => kind),
    ['FunctionDecl', 'FunctionDecl', 'ClassDecl', 'EnumDecl'],
  );
  assert.equal(parseModule('let\n'.repeat(1000)).diagnostics.length, 1);
  assert.equal(parseModule('fn f() { ) }\n'.repeat(1000)).diagnostics.length, 201);
});

test('parses the functions below one with a missing brace', () => {
  const { tree, diagnostics } = parseModule(
    'fn a() {\n    if x {\n        y()\n}\n\nfn b() {\n}\n\npub class C {\n}\n',
  );
  assert.equal(diagnostics.length, 1);
  assert.deepEqual(
    tree.items.map(({ kind }) => kind),
    ['FunctionDecl', 'FunctionDecl', 'ClassDecl'],
  );
});

test('keeps all comments in order when printing, and prints the same text again', () => {
  fc.assert(
    fc.property(commentedText, text => {
      const parsed = parseModule(text);
      assert.deepEqual(parsed.diagnostics, []);
      const printed = printModule(parsed);
      const again = parseModule(printed);
      const notes = ({ comments, text: source }: ParsedModule): string[] =>
        comments.flatMap(({ start, end }) => source.slice(start + 2, end).split('//')).map(note => note.trim());
      assert.deepEqual(again.diagnostics, [], printed);
      assert.deepEqual(notes(again), notes(parsed), `${text}\n=====\n${printed}`);
      assert.equal(printModule(again), printed);
    }),
    { numRuns: 300, endOnFailure: true },
  );
});
