import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

const lines: string[] = [];
let isClosed = false;
const write = (line: string): void => {
  if (isClosed) throw new Error('Channel has been closed');
  lines.push(line);
};
installFakeVsCode({
  window: {
    createOutputChannel: () => ({ append: write, appendLine: write, dispose: () => (isClosed = true) }),
  },
});
const { createLogger } = await import('../../../src/vscode/logger.ts');
const { createSafeOutput } = await import('../../../src/vscode/safe-output.ts');

test('logs nothing, and does not fail, after VS Code has closed the channel', () => {
  isClosed = false;
  const log = createLogger({ debug: write, info: write, warn: write, error: write }, line => line);
  log.info('bridge listens', { port: 1 });
  isClosed = true;
  const child = log.child('studio');
  for (const level of ['debug', 'info', 'warn'] as const) child[level]('Studio disconnected');
  child.error('failed', new Error('gone'));
  assert.deepEqual(lines.splice(0), ['bridge listens {"port":1}']);
});

test('adds nothing, and does not fail, after an output was disposed', () => {
  isClosed = false;
  const output = createSafeOutput('Atlas Bridge Headless Studio');
  output.addLine('Opened obby.rbxl');
  output[Symbol.dispose]();
  output.addLine('Saved obby.rbxl');
  output.addLines('a\nb');
  output.addPart('c');
  assert.deepEqual(lines.splice(0), ['Opened obby.rbxl']);
});
