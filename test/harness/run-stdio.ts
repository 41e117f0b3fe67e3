import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cliEntry } from './cli-entry.ts';

export interface StdioRun {
  readonly exitCode: number | null;
  /** Parsed lines of the standard output. */
  readonly out: readonly Record<string, unknown>[];
  /** Lines of the standard error output. */
  readonly err: readonly string[];
  /** Finds the message with this id. */
  answer(id: unknown): Record<string, unknown>;
}

/** Runs `atlas-bridge mcp --stdio --toolset docs`, sends `messages` (objects, or raw lines) and closes its input. */
export async function runStdio(
  environment: Readonly<Record<string, string>>,
  messages: readonly (object | string)[],
  nodeArguments: readonly string[] = [],
): Promise<StdioRun> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...nodeArguments, cliEntry, 'mcp', '--stdio', '--toolset', 'docs'], {
    env: { PATH, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => {});
  child.stdin.end(messages.map(one => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`)).join(''));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const lines = (text: string): readonly string[] => text.split('\n').filter(line => line !== '');
  const parsed = lines(out).map(line => JSON.parse(line) as Record<string, unknown>);
  return {
    exitCode,
    out: parsed,
    err: lines(err),
    answer(id) {
      const found = parsed.find(message => message['id'] === id);
      if (found === undefined) throw new Error(`no answer to ${String(id)}:\n${out}\n${err}`);
      return found;
    },
  };
}

export const greet = {
  jsonrpc: '2.0',
  id: 'greeting',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
export const callTool = (id: unknown, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
