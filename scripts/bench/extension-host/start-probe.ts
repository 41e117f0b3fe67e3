import { mkdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { RpcRequest, RpcReply } from '../../../src/base/worker-rpc.ts';
import { ensureCodeServer } from '../../set-up/code-server.ts';
import { bundleExtension } from '../../vscode/bundle-extension.ts';
import { launchBrowser } from '../../vscode/launch-browser.ts';
import { installExtensions, launchCodeServer } from '../../vscode/launch-code-server.ts';
import { packExtension, packFolder } from '../../vscode/pack-extension.ts';
import type { Probe } from './probe/questions.ts';

/** A real VS Code with the probe in its extension host. */
export interface ProbedVsCode extends AsyncDisposable {
  readonly page: Page;
  readonly ask: <N extends keyof Probe>(
    name: N,
    args: Parameters<Probe[N]>[0],
  ) => Promise<Awaited<ReturnType<Probe[N]>>>;
}

export interface ProbeOptions {
  /** A temporary folder. */
  readonly dir: string;
  /** The workspace. */
  readonly folder: string;
  /** Whether the extension is installed; without it VS Code itself is measured. */
  readonly isWithExtension: boolean;
}

/** Resolves when the probe listens, before the other extensions have started. */
export async function startProbe({ dir, folder, isWithExtension }: ProbeOptions): Promise<ProbedVsCode> {
  await ensureCodeServer();
  mkdirSync(dir, { recursive: true });
  await using stack = new AsyncDisposableStack();
  // Short, because the path of a socket has at most 107 bytes.
  const socketPath = join(dir, 'probe.sock');
  const link = stack.use(await listen(socketPath));
  const packed = await packProbe(dir);
  const vsixFiles = isWithExtension ? [packed, await packExtension(dir)] : [packed];
  const extensions = await installExtensions(dir, vsixFiles);
  const settings = { 'atlas.port': 0, 'atlas.rojoPort': 0 };
  const env = { ATLAS_PROBE_SOCKET: socketPath };
  const server = stack.use(await launchCodeServer({ dir, extensions, settings, env }));
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
  await page.goto(`${server.url}?folder=${encodeURIComponent(folder)}`);
  const ask = await link.connected;
  const owned = stack.move();
  return { page, ask, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function packProbe(dir: string): Promise<string> {
  const from = fileURLToPath(new URL('probe', import.meta.url));
  return packFolder(await bundleExtension(from, join(dir, 'probe')), join(dir, 'probe.vsix'));
}

async function listen(path: string): Promise<AsyncDisposable & { readonly connected: Promise<ProbedVsCode['ask']> }> {
  const arrived = Promise.withResolvers<ProbedVsCode['ask']>();
  const server = createServer(socket => arrived.resolve(askOver(socket)));
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(path, resolve));
  return {
    connected: arrived.promise,
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  };
}

function askOver(socket: Socket): ProbedVsCode['ask'] {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  // The window closes only when the measurement ends.
  socket.on('error', () => undefined);
  createInterface({ input: socket }).on('line', line => {
    // The probe writes only these messages.
    const reply = JSON.parse(line) as RpcReply;
    const waiter = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) waiter?.resolve(reply.answer);
    else waiter?.reject(new Error(reply.message));
  });
  return <N extends keyof Probe>(name: N, args: Parameters<Probe[N]>[0]) => {
    const question: RpcRequest = { id: (lastId += 1), name, args };
    const waiter = Promise.withResolvers<unknown>();
    waiting.set(question.id, waiter);
    socket.write(`${JSON.stringify(question)}\n`);
    // `Probe`, which the other end implements, pairs names, arguments and results.
    return waiter.promise as Promise<Awaited<ReturnType<Probe[N]>>>;
  };
}
