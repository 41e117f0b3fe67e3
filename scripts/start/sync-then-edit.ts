import { connectAgent } from './agent.ts';
import { pushEverything } from './push-everything.ts';
import { startBridge } from './bridge-process.ts';
import { editInStudio, editOnDisk } from './demo-edits.ts';
import type { HeadlessStudio } from './headless-process.ts';

/** Brings both sides in step by a real sync, without VS Code, and then lets each side move on. The bridge has ended when it resolves. */
export async function syncThenEdit(options: {
  readonly project: string;
  readonly studio: HeadlessStudio;
  /** Where Studio looks for the bridge. */
  readonly port: number;
  /** Where the bridge keeps its token and its journal. */
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
