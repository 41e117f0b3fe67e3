import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { callTool } from './mcp-client.ts';
import { cliEntry } from './cli-entry.ts';

type Answer = Readonly<Record<string, unknown>>;

/** `atlas-bridge mcp --stdio --toolset pluto` over a new folder, with the official client. */
export interface PlutoClient extends AsyncDisposable {
  readonly client: Client;
  readonly folder: string;
  /** The structured answer; throws the message of an error. */
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** The code of the expected error. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The list in a tool's answer. */
  list(name: string, args?: Record<string, unknown>): Promise<readonly Answer[]>;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<Buffer>;
  /** A second process over the same folder. */
  again(...options: readonly string[]): Promise<PlutoClient>;
}

/** @param program the entry of the CLI */
export async function plutoClient(
  files: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  program = cliEntry,
): Promise<PlutoClient> {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-pluto-'));
  for (const [path, text] of Object.entries(files)) await put(folder, path, text);
  const made = await connect(folder, options, program);
  return {
    ...made,
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      await rm(stateOf(folder), { recursive: true, force: true });
    },
  };
}

/** The state folder of the processes over a folder. */
const stateOf = (folder: string): string => `${folder}-state`;

async function put(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function connect(folder: string, options: readonly string[], program: string): Promise<PlutoClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--stdio', '--toolset', 'pluto', '--project', folder, ...options],
    env: { ...getDefaultEnvironment(), XDG_STATE_HOME: stateOf(folder) },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test-client', version: '1' });
  await client.connect(transport);
  // The client validates output schemas only after it has listed the tools.
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const { isError, answer, text } = await callTool(client, name, args);
    if (isError) throw new Error(`${name}: ${text}`);
    return answer;
  };
  return {
    client,
    folder,
    call,
    async refused(name, args = {}) {
      const { isError, answer } = await callTool(client, name, args);
      if (!isError) throw new Error(`${name} did not refuse`);
      return String((answer['error'] as Answer | undefined)?.['code'] ?? answer['status']);
    },
    async list(name, args = {}) {
      return (await call(name, args))['result'] as readonly Answer[];
    },
    write: (path, text) => put(folder, path, text),
    read: path => readFile(join(folder, path)),
    again: (...more) => connect(folder, more, program),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
