import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { lex, NEWLINE_BEFORE } from '../../../src/pluto/language/syntax/lexer.ts';
import { SyntaxReport } from '../../../src/pluto/language/syntax/report.ts';
import { FIRST_KEYWORD, keywords, LAST_KEYWORD, Tok } from '../../../src/pluto/language/syntax/token.ts';

const media = new URL('../../../media/pluto/', import.meta.url);
const fixtures = new URL('../../fixtures/pluto/accepted/', import.meta.url);
let grammar: textmate.IGrammar;

before(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: sources => oniguruma.createOnigScanner(sources),
      createOnigString: text => oniguruma.createOnigString(text),
    }),
    loadGrammar: async () =>
      textmate.parseRawGrammar(readFileSync(new URL('pluto.tmLanguage.json', media), 'utf8'), 'pluto.json'),
  });
  const loaded = await registry.loadGrammar('source.pluto');
  assert.ok(loaded !== null);
  grammar = loaded;
});

/** Returns the scopes of every character, outermost first. */
function scopesOf(text: string): readonly (readonly string[])[] {
  const scopes: (readonly string[])[] = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) scopes.push(...Array<string[]>(token.endIndex - token.startIndex).fill(token.scopes));
    // The scanner expects a newline after each line.
    scopes.length -= Math.max(0, (tokens.at(-1)?.endIndex ?? 0) - line.length);
    scopes.push(['source.pluto']);
    state = ruleStack;
  }
  return scopes;
}

/** Returns `text: innermost scope` for every piece of a line that has a scope. */
function innermostScopes(text: string): readonly string[] {
  const { tokens } = grammar.tokenizeLine(text, textmate.INITIAL);
  return tokens
    .filter(({ scopes }) => scopes.length > 1)
    .map(({ startIndex, endIndex, scopes }) => `${text.slice(startIndex, endIndex).trim()}: ${scopes.at(-1)}`)
    .filter(line => !line.startsWith(':'));
}

const words = (lines: readonly string[]): readonly string[] =>
  lines.filter(line => !line.includes('punctuation')).map(line => line.replace('.pluto', ''));

test('colors the keyword, name, parameters and types of declarations', () => {
  assert.deepEqual(words(innermostScopes('pub fn scale(mut self, by: int) Point! {')), [
    'pub: storage.modifier',
    'fn: storage.type.function',
    'scale: entity.name.function',
    'mut: storage.modifier',
    'self: variable.language.self',
    'by: variable.other',
    'int: support.type.primitive',
    'Point: entity.name.type',
    '!: keyword.operator.propagate',
  ]);
  assert.deepEqual(words(innermostScopes('transient class Box<T> uses Clock [db: remote Store] impl Named {')), [
    'transient: storage.modifier',
    'class: storage.type.class',
    'Box: entity.name.type.class',
    'T: entity.name.type',
    'uses: storage.modifier',
    'Clock: entity.name.type',
    'db: variable.other',
    'remote: storage.modifier.remote',
    'Store: entity.name.type',
    'impl: storage.modifier',
    'Named: entity.name.type',
  ]);
  assert.deepEqual(words(innermostScopes('import std.json as j')), [
    'import: keyword.control.import',
    'std.json: entity.name.namespace',
    'as: keyword.control.as',
    'j: entity.name.namespace',
  ]);
});

test('colors calls, members, errors and numbers in statements', () => {
  assert.deepEqual(words(innermostScopes('let n = geo.origin().x + find(0xFF, 1.5e3)! catch 0')), [
    'let: storage.type',
    'n: variable.other',
    '=: keyword.operator.assignment',
    'geo: variable.other',
    'origin: entity.name.function.member',
    'x: variable.other.property',
    '+: keyword.operator.arithmetic',
    'find: entity.name.function',
    '0xFF: constant.numeric.hex',
    '1.5e3: constant.numeric.float',
    '!: keyword.operator.propagate',
    'catch: keyword.control.exception',
    '0: constant.numeric.integer',
  ]);
});

test('colors code in interpolated strings, and the string after it', () => {
  const line = 'f"{{no}} {name.len()} {m[\\"k\\"]} end \\q"';
  const at = (marked: string): string => scopesOf(line)[line.indexOf(marked)]?.slice(1).join(' ') ?? '';
  assert.match(at('{{'), /^string\.interpolated\.pluto constant\.character\.escape/);
  assert.match(at('len'), /meta\.embedded\.interpolation\.pluto entity\.name\.function\.member/);
  assert.match(at('k\\'), /meta\.embedded.*string\.quoted\.double\.nested/);
  assert.equal(at('end'), 'string.interpolated.pluto');
  assert.match(at('\\q'), /invalid\.illegal\.escape/);
});

test('colors lines that a view adds differently from comments', () => {
  assert.match(
    innermostScopes('// @uuid: 00000000-0000-4000-8000-000000000001')[1] ?? '',
    /comment\.line\.double-slash\.identity/,
  );
  assert.match(innermostScopes('// @uuid is an id')[1] ?? '', /: comment\.line\.double-slash\.pluto/);
});

test('colors every reserved word, but not inside a longer name', () => {
  for (const word of keywords) {
    assert.match(
      innermostScopes(`${word} x`)[0] ?? '',
      /: (?:keyword|storage|constant\.language|variable\.language)/,
      word,
    );
    assert.match(innermostScopes(`${word}x`)[0] ?? '', /: variable\.other/, word);
  }
});

test('agrees with the lexer in every program of the corpus', () => {
  for (const name of readdirSync(fixtures)) {
    const text = readFileSync(new URL(name, fixtures), 'utf8').replaceAll('\r\n', '\n');
    const scopes = scopesOf(text);
    const { kinds, starts, count, comments } = lex(text, new SyntaxReport());
    for (let index = 0; index < count; index += 1) {
      const kind = (kinds[index] ?? 0) & ~NEWLINE_BEFORE;
      const start = starts[index] ?? 0;
      const seen = (scopes[start] ?? []).join(' ');
      const wanted =
        kind >= FIRST_KEYWORD && kind <= LAST_KEYWORD
          ? /(?:keyword|storage|constant\.language|variable\.language)\.[^ ]*$/
          : kind === Tok.Ident
            ? /(?:entity|variable|support|storage\.modifier\.remote|constant\.language\.strategy)\.?[^ ]*$/
            : kind === Tok.Int || kind === Tok.Float
              ? /constant\.numeric/
              : kind === Tok.String || kind === Tok.FString
                ? /punctuation\.definition\.string\.begin/
                : /^source\.pluto(?: (?:keyword\.operator|punctuation|entity\.name\.namespace)|$)/;
      assert.match(seen, wanted, `${name}: ${JSON.stringify(text.slice(start, start + 20))}`);
    }
    for (const { start } of comments) assert.match((scopes[start] ?? []).join(' '), /comment\.line/, name);
  }
});
