import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainSentence } from '../../../src/base/sentence.ts';
import {
  Reason,
  type ReasonCode,
  reasonOf,
  reasonSentence,
  reasonSentences,
  reasonTemplates,
  reasonText,
  toReason,
} from '../../../src/protocol/reason.ts';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';
import { reviewStrings } from '../../../src/review/review-strings.ts';
import { formatReason } from '../../../src/webview/review/format-reason.ts';

const root = resolve(import.meta.dirname, '../../..');
const codes = Object.keys(reasonSentences) as readonly ReasonCode[];
const args = [11, 12, 13, 14];
const page = reviewStrings(plainL10n, 'en');

test('inserts the arguments of every reason in the order of its sentence', () => {
  // A page inserts them in the same way.
  for (const code of codes) {
    const { template, values } = reasonSentence({ code, args });
    assert.deepEqual(values, args.slice(0, values.length), code);
    const holes = [...template.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at));
    assert.deepEqual(
      holes,
      values.map((_, at) => at),
      code,
    );
  }
});

test('shows the same words in the review page as in every other place', () => {
  for (const code of codes) assert.equal(formatReason(page, { code, args }), reasonText({ code, args }), code);
  const nested = reasonOf('partly_written', reasonOf('shares_file', 'src/a.luau', 'A/B'), 'src/c.luau');
  assert.equal(formatReason(page, nested), reasonText(nested));
  assert.match(reasonText(nested), /^src\/a\.luau also contains A\/B, .* \(already written: src\/c\.luau\)$/);
});

test('keeps every reason when it travels as JSON', () => {
  const arg = fc.letrec<{ readonly reason: Reason; readonly arg: string | number | Reason }>(tie => ({
    reason: fc.record(
      { code: fc.constantFrom(...codes), args: fc.array(tie('arg'), { maxLength: 4 }) },
      { noNullPrototype: true },
    ),
    arg: fc.oneof({ maxDepth: 2 }, fc.string(), fc.integer(), tie('reason')),
  }));
  fc.assert(
    fc.property(arg.reason, reason => {
      const received = Reason.parse(JSON.parse(JSON.stringify(reason)));
      assert.deepEqual(received, reason);
      assert.equal(reasonText(received), reasonText(reason));
    }),
  );
});

test('shows the code of a reason of another version, and the text of an older one', () => {
  assert.deepEqual(reasonSentence({ code: 'of_tomorrow', args: ['x'] }), plainSentence('of_tomorrow'));
  assert.deepEqual(reasonSentence({ code: 'constructor', args: [] }), plainSentence('constructor'));
  assert.equal(reasonText(toReason('the file moved')), 'the file moved');
  assert.equal(Object.keys(reasonTemplates()).length, codes.length);
});

/** Reading words of a reason, a message or a summary back. */
const readsWords =
  /\b(?:reason|message|summary)\b\??(?:\.(?:startsWith|endsWith|match|search|split)\(|\.includes\()|\.(?:exec|test)\((?:[\w.]*\.)?(?:reason|message|summary)\b/;

/** Files that may read words, each with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'src/studio/legacy-stream.ts': 'the unmodified plugin sends words only',
  'src/studio/studio-output.ts': 'the log prefix of Rojo, whose plugin sends nothing else',
  'src/roblox/formats/toml.ts': 'the TOML library throws words only',
  'src/pluto/program/runtime/run-program.ts': 'JavaScript engines report these errors in words only',
  'src/pluto/program/runtime/wasm.ts': 'WebAssembly engines report these errors in words only',
  'src/headless-studio/worker.ts': 'the Luau VM reports the end of its memory in words only',
  'src/game-tests/host/run-test-file.ts': 'threads and the Luau VM report the end of their memory in words only',
  'src/game-tests/reports/tap.ts': 'divides the output of a test into lines',
  'src/game-tests/reports/test-name.ts': 'divides the message of a failed test into lines',
  'src/game-tests/cli/text-report.ts': 'divides the output of a test into lines',
  'src/game-tests/tools/run-tests.ts': 'divides the message of a failed test into lines',
  'src/base/describe-cause.ts': 'VS Code and threads report failed system calls in words only',
  'src/docs/search/line-matcher.ts': 'RE2 throws words only',
  'src/docs/adapters/ripgrep/ripgrep.ts': 'ripgrep reports in words only',
  'src/docs/adapters/ripgrep/ripgrep-records.ts': 'ripgrep reports in words only',
  'src/docs/adapters/git-roots/fetch-commit.ts': 'git reports in words only, in a fixed language',
  'src/docs/adapters/git-roots/git-version.ts': 'cuts the first line of the output of git',
  'src/adapters/git/git-client.ts': 'git reports in words only, in a fixed language',
  'src/sync/history/recorded-runs.ts': 'looks for a place of the journal that a summary already names',
  'src/sync/tools/format-sync-result.ts': 'does not repeat a message that the summary already has',
};

test('reads no English back anywhere in the source', () => {
  const found = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(path =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .some(line => readsWords.test(line)),
  );
  assert.deepEqual(
    found.map(path => path.replaceAll('\\', '/')).filter(path => !(path in allowed)),
    [],
  );
  for (const planted of [
    "reason.startsWith('place 0 ')",
    '/^rejected: (.*)$/.exec(reason)',
    'error.message.includes(x)',
  ])
    assert.match(planted, readsWords);
});

/** The English message of an error as the argument of a reason. */
const wrapsMessage = /'failure',\s*(?:AppError\.from\(\w+\)|error|failure|cause)\.message/;

test('puts no English message of an error into a reason', () => {
  const found = globSync('src/**/*.ts', { cwd: root }).filter(path =>
    wrapsMessage.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(found, []);
  assert.match("reasonOf('failure', AppError.from(error).message)", wrapsMessage);
});

test('uses every reason of the catalog', () => {
  const sources = globSync(['src/**/*.ts', 'studio-plugin/src/**/*.luau'], { cwd: root }).map(path =>
    readFileSync(join(root, path), 'utf8'),
  );
  assert.deepEqual(
    codes.filter(code => !sources.some(text => text.includes(`'${code}'`) || text.includes(`"${code}"`))),
    [],
  );
});
