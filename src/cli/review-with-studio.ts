import * as z from 'zod';
import type { Bridge } from '../app/app.ts';
import { AppError } from '../base/errors.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { ElicitationAnswer, AskPerson } from '../mcp/elicitation.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import { SyncResult } from '../protocol/sync-result.ts';
import { callWithForms } from '../transport/mcp/relay/call-with-forms.ts';
import { createClientBridge } from './client-bridge.ts';
import { projectFolderAbove } from '../app/find-project.ts';
import { findFolder } from './find-folder.ts';
import type { CliIo } from './io.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { commandLog } from './log-level.ts';
import type { SettingValues } from './setting-args.ts';
import { targetOf } from './shared-bridge.ts';
import { FormScreen } from './review/form-screen.ts';
import type { Terminal } from './review/terminal.ts';
import { safeTerminalLine } from '../base/safe-text.ts';

export interface StudioReview {
  /** The project folder as given. */
  readonly project: string;
  readonly settings: SettingValues;
  /** `undefined`: as the project file says. */
  readonly dialect: Dialect | undefined;
  readonly terminal: Terminal;
  readonly loadPluto: LoadPlutoToolset;
  /** Runs the sync in a bridge of this process. */
  run(bridge: Bridge): Promise<SyncResult>;
}

/**
 * Syncs a folder with the connected Studio; a person decides in the terminal. Uses the bridge of another program, whose forms it shows, or
 * starts one and waits for Studio.
 */
export async function reviewWithStudio(review: StudioReview, io: CliIo): Promise<SyncResult> {
  const given = await findFolder(io.cwd, review.project);
  if (given === undefined) throw new AppError('NO_PROJECT', { folder: review.project, lookedFor: ['a folder'] });
  const folder = await projectFolderAbove(given);
  const log = commandLog(io, 'error');
  const { settings, dialect, loadPluto } = review;
  await using shared = createClientBridge({ program: 'sync', folder, settings, dialect, log, loadPluto }, io);
  const found = await shared.require();
  if (found.kind === 'own') {
    const { bridge } = found.own;
    await untilConnected(bridge, io);
    return await review.run(bridge);
  }
  const answer = await callWithForms(
    targetOf(found),
    {
      tool: 'atlas_sync',
      args: { mode: 'manual' },
      who: { name: 'atlas-bridge-sync', title: 'CLI', version: io.version },
      ask: askInTerminal(review.terminal),
    },
    io.stop,
  );
  return SyncResult.parse(answer);
}

async function untilConnected(bridge: Bridge, io: CliIo): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (bridge.studios.all().length > 0) resolve();
  };
  using _connected = bridge.studios.onDidChange(look);
  look();
  if (bridge.studios.all().length === 0)
    io.err(`Waiting for Studio to connect to ${bridge.studioUrl}. Press Ctrl+C to stop.`);
  await untilAborted(promise, io.stop);
}

/** The forms that the bridge sends, which only have choices. */
const ChoiceForm = z.object({
  message: z.string(),
  requestedSchema: z.object({
    type: z.literal('object'),
    properties: z.record(
      z.string(),
      z.object({
        type: z.literal('string'),
        title: z.string(),
        description: z.string().exactOptional(),
        oneOf: z.array(z.object({ const: z.string(), title: z.string() })),
        default: z.string().exactOptional(),
      }),
    ),
    required: z.array(z.string()),
  }),
});

const askInTerminal =
  (terminal: Terminal): AskPerson =>
  async (question, signal) => {
    const screen = new FormScreen(ChoiceForm.parse(question));
    using opened = terminal.open();
    const draw = (): void => {
      const { columns, rows } = opened.size();
      opened.draw(screen.lines(columns, rows).map(safeTerminalLine));
    };
    const { promise, resolve } = Promise.withResolvers<ElicitationAnswer>();
    opened.onResize(draw);
    opened.onKey(key => {
      const answer: ElicitationAnswer | undefined = key === 'ctrl-c' ? { action: 'cancel' } : screen.press(key);
      if (answer === undefined) draw();
      else resolve(answer);
    });
    draw();
    return await untilAborted(promise, signal);
  };
