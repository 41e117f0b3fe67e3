import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as z from 'zod';
import { announcedBridges, bridgeFor } from '../../../src/adapters/node/announced-bridges.ts';
import { userStateFolder } from '../../../src/adapters/node/state-folder.ts';
import { plutoProject } from '../pluto/generated-project.ts';
import type { Row } from '../row.ts';
import { connectClient } from '../serve-tools.ts';
import type { Watched } from './probe/questions.ts';
import { startProbe } from './start-probe.ts';
import { once, quiet, row, watch } from './watch.ts';

const MODULES = 1_000;
const ROUNDS = 5;
const POLL_MS = 20;
/** Enough for a busy machine. */
const timeout = 600_000;
const Found = z.object({ result: z.array(z.object({ id: z.string() })) });

/** Measures how long a project with many Pluto modules blocks a real extension host at a time, with the requests of agents. */
export async function largePlutoProject(): Promise<readonly Row[]> {
  // The bridge reports its folder with links resolved.
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'atlas-pluto-')));
  using _removal = {
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  const folder = join(dir, 'project');
  for (const { path, text } of plutoProject(MODULES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const tree = { $className: 'DataModel' };
  writeFileSync(join(folder, 'default.project.json'), JSON.stringify({ name: 'bench', tree }));
  await using vscode = await startProbe({ dir: join(dir, 'vscode'), folder, isWithExtension: true });
  let startedAt = '';
  const connect = async (): Promise<Client> => {
    for (;;) {
      const bridge = bridgeFor(folder, await announcedBridges(userStateFolder(process.env)));
      if (bridge !== undefined && bridge.startedAt !== startedAt) {
        ({ startedAt } = bridge);
        return connectClient(`${bridge.mcpUrl}/pluto`, { Authorization: `Bearer ${bridge.token}` });
      }
      await delay(POLL_MS);
    }
  };
  let client: Client | undefined;
  const find = async (name: string): Promise<readonly string[]> => {
    const answer = await client?.callTool({ name: 'find_declaration', arguments: { name } }, undefined, { timeout });
    return Found.parse(answer?.structuredContent).result.map(({ id }) => id);
  };
  const callers = async (id: string | undefined): Promise<number> => {
    const answer = await client?.callTool({ name: 'callers_of', arguments: { id } }, undefined, { timeout });
    return z.object({ result: z.array(z.unknown()) }).parse(answer?.structuredContent).result.length;
  };
  const readAndAsk = async (): Promise<void> => {
    const [id] = await find('load0x0');
    if ((await callers(id)) === 0) throw new Error('load0x0 has no callers');
  };
  const start = await watch(vscode, async () => {
    client = await connect();
    await readAndAsk();
  });
  await quiet(vscode);
  const starts: Watched[] = [];
  const readings: Watched[] = [];
  const questions: Watched[] = [];
  const edits: Watched[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await client?.close();
    starts.push(
      await watch(vscode, async () => {
        // The setting takes effect when the bridge restarts, which reads the modules again on the first request.
        await vscode.ask('setting', { name: 'atlas.docs.ripgrepPath', value: round % 2 === 0 ? 'rg' : '' });
        client = await connect();
      }),
    );
    readings.push(await watch(vscode, readAndAsk));
    questions.push(
      await watch(vscode, async () => {
        const all = await find('label');
        if (all.length !== MODULES * 2.5) throw new Error(`label: ${all.length}`);
        for (const id of all.slice(0, 20)) await callers(id);
      }),
    );
    edits.push(
      await watch(vscode, async () => {
        const file = join(folder, 'part000/m0011.pt');
        writeFileSync(file, `${readFileSync(file, 'utf8')}\nfn edited${round}() {}\n`);
        while ((await find(`edited${round}`)).length === 0) await delay(POLL_MS);
      }),
    );
  }
  await client?.close();
  const modules = `${MODULES.toLocaleString('en')} Pluto modules`;
  return [
    row(`a restart of the bridge with ${modules}`, starts, 'until an agent is connected'),
    row(`the first requests to ${modules}, which also read them`, readings, ''),
    row(`requests to ${modules}`, questions, 'one of them with 2,500 results'),
    row(`an edit in one of ${modules}`, edits, 'until a search finds it'),
    once(`the start of a window with ${modules}, with reading and requests`, start, 'VS Code starts too'),
  ];
}
