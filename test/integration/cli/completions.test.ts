import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { renderCompletions, type Shell } from '../../../src/cli/shell/render-completions.ts';
import { globalOptions, listedOptions } from '../../../src/cli/table/command-spec.ts';
import { commandTable } from '../../../src/cli/table/command-table.ts';

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-completions-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** Why a shell cannot run here; false if it can. */
const isMissing = (shell: string): string | false =>
  spawnSync(shell, ['--version']).status === 0 ? false : `requires ${shell}`;

function script(shell: Shell): string {
  const file = join(dir, `completions.${shell}`);
  writeFileSync(file, renderCompletions(shell, commandTable));
  return file;
}

/** Typed texts, each with the completions that every shell must offer. */
const offers: readonly (readonly [line: string, ...words: readonly string[]])[] = [
  ['atlas-bridge s', 'serve', 'sourcemap', 'sync', 'syncback'],
  ['atlas-bridge build --', '--output', '--watch', '--json'],
  ['atlas-bridge init --kind ', 'library', 'model', 'place', 'plugin'],
  ['atlas-bridge plugin ', 'install', 'uninstall'],
  ['atlas-bridge completions ', 'bash', 'fish', 'powershell', 'zsh'],
  ['atlas-bridge test --reporter ', 'junit', 'tap', 'text'],
  ['atlas-bridge -v bui', 'build'],
  ['atlas-bridge --color ', 'always', 'auto', 'never'],
  ['atlas-bridge --color always sync', 'sync', 'syncback'],
  ['atlas-bridge -v build --', '--output', '--watch'],
  ['atlas-bridge --', '--color', '--help', '--verbose', '--version'],
  ['atlas-bridge help s', 'serve', 'sourcemap', 'sync', 'syncback'],
];

/** Completions of another command than the first word that is not an option. */
const notOffered: readonly (readonly [line: string, ...words: readonly string[]])[] = [
  ['atlas-bridge pluto sync --', '--place', '--review', '--mode'],
  ['atlas-bridge plugin install build --', '--output'],
];

/** Types a line in bash, which separates words at spaces and `=`. */
const typeIntoBash = `source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_atlas_bridge
printf '%s\\n' "\${COMPREPLY[@]}"
`;

test('bash completes commands, options and their values', { skip: isMissing('bash') }, () => {
  const file = script('bash');
  const type = (line: string): readonly string[] => {
    const words = line.split(/ |(=)/).filter(word => word !== undefined);
    return execFileSync('bash', ['-c', typeIntoBash, '_', file, ...words], { encoding: 'utf8' }).split('\n');
  };
  const withEquals = [
    ['atlas-bridge build --dialect=', 'atlas', 'rojo'],
    ['atlas-bridge --color=al', 'always'],
    ['atlas-bridge --color=always bui', 'build'],
  ] as const;
  for (const [line, ...words] of [...offers, ...withEquals]) {
    const offered = type(line);
    for (const word of words) assert.ok(offered.includes(word), `${line}: ${word} in ${offered.join(' ')}`);
  }
  for (const [line, ...words] of notOffered) {
    const offered = type(line);
    for (const word of words) assert.ok(!offered.includes(word), `${line}: ${word}`);
  }
  assert.deepEqual(type('atlas-bridge build --o'), ['--output', '']);
  assert.deepEqual(type('atlas-bridge plugin in'), ['install', '']);
});

test('fish completes commands, options and their values', { skip: isMissing('fish') }, () => {
  const file = script('fish');
  for (const [line, ...words] of offers) {
    const code = `source ${file}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync('fish', ['--no-config', '-c', code], { encoding: 'utf8' });
    const offered = new Set(out.split('\n').map(each => each.split('\t')[0]));
    for (const word of words) assert.ok(offered.has(word), `${line}: ${word} in ${out}`);
  }
  for (const [line, ...words] of notOffered) {
    const code = `source ${file}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync('fish', ['--no-config', '-c', code], { encoding: 'utf8' });
    for (const word of words) assert.ok(!out.split(/\s/).includes(word), `${line}: ${word}`);
  }
});

/** Types a line and the tab key into an interactive zsh, and waits until it shows each word. */
const typeIntoZsh = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT=; RPROMPT=; LISTMAX=0; autoload -Uz compinit; compinit -u -D; source '$1'; print REA''DY'
zpty -r -m z out '*READY*'
zpty -w -n z "$2"$'\\t'
seen=
for word in \${@:3}; do
  [[ $seen == *$word* ]] || { zpty -r -m z more "*$word*"; seen+=$more }
done
print -r -- "$seen"
zpty -d z
`;

test('zsh completes commands, options and their values', { skip: isMissing('zsh') }, () => {
  const file = script('zsh');
  const typing = join(dir, 'type.zsh');
  writeFileSync(typing, typeIntoZsh);
  for (const [line, ...words] of offers) {
    const out = execFileSync('zsh', ['-f', typing, file, line, ...words], { encoding: 'utf8', timeout: 60_000 });
    for (const word of words) assert.ok(out.includes(word), `${line}: ${word} in ${out}`);
    assert.doesNotMatch(out, /command not found|_arguments:|parse error/, line);
  }
});

/** Reads a table of lists in PowerShell, by a grammar that accepts nothing else. */
function readTable(text: string, name: string): ReadonlyMap<string, readonly string[]> {
  const start = text.indexOf(`  $${name} = @{\n`);
  assert.notEqual(start, -1, name);
  const body = text.slice(text.indexOf('\n', start) + 1, text.indexOf('\n  }\n', start));
  const word = String.raw`'((?:[^'\n]|'')*)'`;
  return new Map(
    body.split('\n').map(row => {
      const [, key, list = ''] = new RegExp(`^    ${word} = @\\((.*)\\)$`).exec(row) ?? [];
      assert.ok(key !== undefined, row);
      const words = [...list.matchAll(new RegExp(`${word}(?:, |$)`, 'g'))].map(([, each = '']) => each);
      assert.equal(words.map(each => `'${each}'`).join(', '), list, row);
      return [key, words];
    }),
  );
}

test('the PowerShell script offers every command, option and value', () => {
  const text = renderCompletions('powershell', commandTable);
  const commands = readTable(text, 'commands');
  const values = readTable(text, 'values');
  assert.deepEqual([...commands.keys()], ['', ...commandTable.map(({ name }) => name), 'help']);
  assert.deepEqual(values.get(' --color'), ['auto', 'always', 'never']);
  for (const spec of commandTable) {
    const offered = commands.get(spec.name) ?? [];
    for (const [name, { choices }] of Object.entries({ ...listedOptions(spec), ...globalOptions })) {
      assert.ok(offered.includes(`--${name}`), `${spec.name} --${name}`);
      if (choices !== undefined) assert.deepEqual(values.get(`${spec.name} --${name}`), choices);
    }
  }
  assert.deepEqual(commands.get('plugin')?.slice(0, 3), ['install', 'uninstall', 'change-key']);
  // Quotes and brackets outside of the tables are balanced.
  for (const [open, close] of ['()', '{}', '[]'])
    assert.equal(text.split(open ?? '').length, text.split(close ?? '').length, `${open}${close}`);
});

test('PowerShell completes commands, options and their values', { skip: isMissing('pwsh') }, () => {
  const file = script('powershell');
  for (const [line, ...words] of offers) {
    const code = `. ${file}; (TabExpansion2 -inputScript '${line}' -cursorColumn ${line.length}).CompletionMatches.CompletionText`;
    const out = execFileSync('pwsh', ['-NoProfile', '-Command', code], { encoding: 'utf8' });
    for (const word of words) assert.ok(out.split(/\r?\n/).includes(word), `${line}: ${word} in ${out}`);
  }
});
