import { planSyncback, type SyncbackInput, type SyncbackPlan } from '../writeback/syncback/plan-syncback.ts';
import type { FileProjectSession } from './file-project-session.ts';

/** Plans a syncback from a place or model file; returns a sentence when the file does not fit the project. */
export const planSessionSyncback = (
  session: Pick<FileProjectSession, 'planAlone'>,
  input: SyncbackInput,
  signal: AbortSignal,
): Promise<SyncbackPlan | string> =>
  session.planAlone((context, project, slice) => planSyncback(context, project, input, slice, signal), signal);
