import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resultLines } from '../../../src/game-tests/cli/text-report.ts';
import { renderJunit } from '../../../src/game-tests/reports/junit.ts';
import { renderTap } from '../../../src/game-tests/reports/tap.ts';
import type { GameTestResult } from '../../../src/protocol/game-tests.ts';
import { EFFECTS, inXml, type JunitCase, parseJunit, parseTap, shown, shownLine } from './parse-reports.ts';

/** Texts with the characters that could forge a line, a directive, an element or the order of a text. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        '\n',
        '\r',
        '\r\n',
        '\t',
        '\0',
        '\u001B[2J',
        '\u0085',
        '\u2028',
        '\u202E',
        '\u2066',
        '\uD800',
        '\uFFFE',
        '#',
        ' # SKIP',
        '\\',
        '"',
        "'",
        '&',
        '<',
        '>',
        ']]>',
        '<![CDATA[',
        '&#0;',
        '</testcase>',
        '-->',
        '\nok 9 - forged',
        '\nBail out!',
        '\n  ...',
        '\n1..9',
        '\npragma +strict',
        'a',
        ' ',
        'é',
        '😀',
      ),
      { maxLength: 8 },
    )
    .map(parts => parts.join('')),
);

const results: fc.Arbitrary<readonly GameTestResult[]> = fc.array(
  fc
    .record({
      file: fc.oneof(fc.constant('src/a.spec.luau'), text),
      names: fc.array(text, { maxLength: 3 }),
      line: fc.integer({ min: 1, max: 99_999 }),
      ms: fc.integer({ min: 0, max: 99_999 }),
      status: fc.constantFrom('passed' as const, 'failed' as const, 'skipped' as const),
      message: text,
      stack: fc.array(fc.record({ file: text, line: fc.integer({ min: 1, max: 9 }) }), { maxLength: 2 }),
      unavailable: fc.array(text, { maxLength: 2 }),
      output: fc.array(fc.record({ level: fc.constant('output' as const), message: text }), { maxLength: 2 }),
    })
    .map(({ message, stack, unavailable, ...result }) => ({
      event: 'test' as const,
      ...result,
      output: result.status === 'skipped' ? [] : result.output,
      ...(result.status === 'failed' && { failure: { message, stack, unavailable } }),
    })),
  { maxLength: 4 },
);

const byFile = (all: readonly GameTestResult[]): readonly GameTestResult[] =>
  all.toSorted((a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1));

const fullName = ({ file, names }: GameTestResult): string => shownLine([file, ...names].join(' > '));

const assertInert = (report: string): void => assert.equal(report.search(EFFECTS), -1);

test('reads every TAP report back, with any name, message and output', () => {
  fc.assert(
    fc.property(results, all => {
      const report = renderTap(all);
      assertInert(report);
      assert.deepEqual(
        parseTap(report),
        byFile(all).map(result => ({
          ok: result.status !== 'failed',
          name: fullName(result),
          isSkipped: result.status === 'skipped',
          ...(result.failure && {
            message: result.failure.message.toWellFormed(),
            unavailable: result.failure.unavailable.map(name => name.toWellFormed()),
            ms: result.ms,
          }),
          comments: result.output.flatMap(({ message }) => message.split(/\r\n|\r|\n/).map(shownLine)),
        })),
      );
    }),
  );
});

test('reads every JUnit report back, with any name, message and output', () => {
  fc.assert(
    fc.property(results, all => {
      const report = renderJunit(all);
      assertInert(report);
      assert.ok(!report.includes(']]>'));
      const parsed = parseJunit(report);
      assert.equal(parsed.tests, all.length);
      assert.equal(parsed.failures, all.filter(({ status }) => status === 'failed').length);
      assert.deepEqual(
        parsed.cases,
        byFile(all).map((result): JunitCase => {
          const { file, names, line, failure, output, status } = result;
          return {
            suite: inXml(shownLine(file)),
            classname: inXml(shownLine([file, ...names.slice(0, -1)].join(' > '))),
            name: inXml(shownLine(names.at(-1) ?? file)),
            line: String(line),
            isSkipped: status === 'skipped',
            message: failure && inXml(shown(failure.message)),
            output: output.length === 0 ? undefined : inXml(shown(output.map(({ message }) => message).join('\n'))),
          };
        }),
      );
    }),
  );
});

test('prints one line for the title of a test, with any name', () => {
  fc.assert(
    fc.property(results, all => {
      for (const result of all) {
        const lines = resultLines(result);
        assert.ok(!lines[0]?.includes('\n'));
        for (const line of lines.slice(1)) assert.match(line, /^ {4}/);
      }
    }),
  );
});
