import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLineLogger } from '../../../src/adapters/node/logger.ts';
import {
  exactProgramOutput,
  safeIconLabel,
  safeLabel,
  safeLine,
  safeMessage,
  safeTerminal,
  safeTerminalLine,
} from '../../../src/base/safe-text.ts';
import { createCliOutput } from '../../../src/cli/io.ts';
import type { OpenTerminal } from '../../../src/cli/review/terminal.ts';
import type { LogSink } from '../../../src/vscode/logger.ts';
import type { TextSinks } from '../../../src/vscode/safe-window.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const plain: string = '[Part](command:x)';

/** Never called. It compiles only while each of these lines is a type error. */
export function passesPlainText(window: TextSinks, log: LogSink, terminal: OpenTerminal): void {
  // @ts-expect-error a notification takes text without links that run commands
  void window.showInformationMessage(plain);
  // @ts-expect-error text without control characters may still have links
  void window.showErrorMessage(safeLine(plain));
  // @ts-expect-error the details of a dialog may contain text from outside
  void window.showWarningMessage<{ detail: string }>(safeMessage(plain), { modal: true, detail: plain }, plain);
  // @ts-expect-error the entries of a list could show icons
  void window.showQuickPick([{ label: plain }], {});
  // @ts-expect-error the title of a list is one line
  void window.showQuickPick([{ label: safeLabel(plain) }], { title: plain });
  // @ts-expect-error the status bar renders icons
  window.setStatusBarMessage(safeMessage(plain), 1);
  // @ts-expect-error a progress title renders links
  void window.withProgress({ location: 1, title: plain }, async () => {});
  // @ts-expect-error a progress step renders links
  void window.withProgress({ location: 1 }, async progress => progress.report({ message: plain }));
  // @ts-expect-error a line of the log could look like several
  log.info(plain);
  // @ts-expect-error a terminal runs escape sequences
  terminal.draw([plain]);
  // @ts-expect-error a line feed would move the rest of the screen
  terminal.draw([safeTerminal(plain)]);
}

test('passes only safe text to the command line and the log', () => {
  const written: string[] = [];
  const output = createCliOutput(
    text => written.push(text),
    text => written.push(text),
  );
  output.out('\u001B[2J');
  output.err('\u001B[2J');
  output.out('\u001B[2J', 'program');
  createLineLogger(text => written.push(text), 'info').error('a\nb', new Error('c\u001B[2J'));
  assert.deepEqual(written.slice(0, 3), ['\\u001b[2J\n', '\\u001b[2J\n', '\u001B[2J\n']);
  assert.ok(!written.slice(3).join('').includes('\u001B'));
  assert.equal(written.length, 5);
});

test('keeps a terminal line on one line, and shows only icons of Atlas Bridge', () => {
  assert.equal(safeTerminalLine('a\tb\nc\u001B[1m\u061C'), 'a    b\\u000ac\\u001b[1m\\u061c');
  assert.equal(exactProgramOutput('\u001B[1m'), '\u001B[1m');
  const label = safeIconLabel('$(error) Game', { before: 'check', after: { icon: 'diff', count: 2 } });
  assert.deepEqual(label.match(/\$\([a-z]+\)/g), ['$(check)', '$(diff)']);
});

const streams = /\bprocess\.std(?:out|err)\b|\bconsole\s*\.(?:log|info|warn|error|debug)|\bas Safe[A-Z]\w*/;
/** The entries of the command line, its streams, the frames of the process that runs a program, and the only module that makes safe text. */
const owners: ReadonlySet<string> = new Set([
  'src/cli.ts',
  'src/cli/main.ts',
  'src/cli/process-io.ts',
  'src/pluto/program/host/run-process.ts',
  'src/base/safe-text.ts',
]);

test('only the CLI entry writes to the streams, and only safe-text creates safe text', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(path => !owners.has(path));
  const found = files.flatMap(path =>
    (streams.exec(readFileSync(resolve(root, path), 'utf8')) ?? []).map(use => `${path}: ${use}`),
  );
  assert.deepEqual(found, []);
  for (const planted of ['process.stderr.write(name)', 'console.log(name)', 'name as SafeMessage'])
    assert.match(planted, streams);
});
