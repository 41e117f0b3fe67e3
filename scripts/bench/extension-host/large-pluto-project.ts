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
/** A machine that others use too. */
const timeout = 600_000;
const Found = z.object({ result: z.array(z.object({ id: z.string() })) });

/** How long a real extension host is held up at a time by a project of many Pluto modules, asked as agents ask. */
export async function largePlutoProject(): Promise<readonly Row[]> {
  // The bridge says its folder without links.
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'atlas-pluto-')));
  using _gone = {
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
    if ((await callers(id)) === 0) throw new Error('nobody calls load0x0');
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
        // It counts from a new start of the bridge, which reads the modules again when it is asked.
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
    row(`a new start of the bridge beside ${modules}`, starts, 'until an agent is connected'),
    row(`the first questions about ${modules}, which are read for them`, readings, ''),
    row(`questions about ${modules}`, questions, 'one of 2,500 results among them'),
    row(`an edit in one of ${modules}`, edits, 'until it is found'),
    once(`the start of a window with ${modules}, which are read and asked`, start, 'VS Code starts too'),
  ];
}
