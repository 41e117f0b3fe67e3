import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, connectAgent } from './agent.ts';
import { startBridge } from './bridge-process.ts';
import { type HeadlessStudio, startHeadlessStudio } from './headless-process.ts';
import { prepareExample } from './prepare-example.ts';
import { useOwnState } from '../set-up/own-state.ts';

/** A copy of the example, the bridge and headless Studio in separate processes, and an agent that uses MCP over loopback. */
export interface ExampleWorld extends AsyncDisposable {
  readonly project: string;
  readonly agent: Agent;
  readonly studio: HeadlessStudio;
}

/** Resolves when all parts are connected. */
export async function startExampleWorld(): Promise<ExampleWorld> {
  useOwnState();
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-example-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const project = join(dir, 'obby');
  await prepareExample(project);
  const bridge = stack.use(await startBridge(project, dir, 0));
  const studio = stack.use(await startHeadlessStudio(dir, Number(new URL(bridge.studioUrl).port)));
  await studio.connected();
  const agent = stack.use(await connectAgent(bridge.mcpUrl, bridge.token));
  const owned = stack.move();
  return { project, agent, studio, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
