import { connectAgent } from './agent.ts';
import { pushEverything } from './push-everything.ts';
import { startBridge } from './bridge-process.ts';
import { editInStudio, editOnDisk } from './demo-edits.ts';
import type { HeadlessStudio } from './headless-process.ts';

/** Syncs both sides without VS Code, then changes each side. The bridge has stopped when the promise resolves. */
export async function syncThenEdit(options: {
  readonly project: string;
  readonly studio: HeadlessStudio;
  /** Port to which Studio connects. */
  readonly port: number;
  /** State folder of the bridge, for its token and its journal. */
  readonly dir: string;
}): Promise<void> {
  const { project, studio, port, dir } = options;
  await using bridge = await startBridge(project, dir, port);
  await studio.connected();
  await using agent = await connectAgent(bridge.mcpUrl, bridge.token);
  await pushEverything(agent);
  editOnDisk(project);
  await studio.run(editInStudio);
}
