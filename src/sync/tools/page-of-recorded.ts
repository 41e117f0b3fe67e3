import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { RecordedRun } from '../../protocol/history.ts';
import { type ChangeResult, formatRecordedRun, type RecordedResult } from '../../protocol/run-result.ts';
import type { PageQuery } from '../../protocol/sync-page.ts';
import { PatchType } from '../../protocol/sync-result.ts';
import { ANSWER_BYTES, choosePage, positionOf } from './page-of-changes.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

/** Number of changes per run in a list of runs. */
const CHANGES_IN_LIST = 10;

/** One page of the changes of a recorded run, as `pageOf` for a run of this session. @throws AppError INVALID_INPUT for its cursor */
export async function pageOfRecorded(
  run: RecordedResult,
  query: PageQuery,
  { clock }: Pick<SyncToolDeps, 'clock'>,
): Promise<RecordedRun> {
  if (run.changes.length === 0) return formatRecordedRun(run);
  const { from, filters } = positionOf(query, run.runId);
  const listed = { runId: run.runId, changes: run.changes.map(listedChange) };
  const work = choosePage(listed, { ...query, ...filters }, from, { space: ANSWER_BYTES });
  const { page, changes } = await runInSlices(work, new TimeSlice(clock));
  const byId = new Map(run.changes.map(change => [change.id, change]));
  return { ...formatRecordedRun({ ...run, changes: changes.flatMap(({ id }) => byId.get(id) ?? []) }), page };
}

/** The parts of a recorded change by which a page is chosen. */
function listedChange({ patchType, choice, ...change }: RecordedResult['changes'][number]): ChangeResult {
  return {
    ...change,
    patchType: PatchType.safeParse(patchType).data ?? 'Edit',
    direction: choice,
    defaultSelection: null,
    defaultReason: 'restored',
  };
}

/** The runs of a page with their first changes: at least one, and not more than fit into about 8,000 tokens. */
export function firstRuns(runs: readonly RecordedResult[]): readonly RecordedRun[] {
  const encoder = new TextEncoder();
  const shown: RecordedRun[] = [];
  let used = 0;
  for (const run of runs) {
    const short = formatRecordedRun({ ...run, changes: run.changes.slice(0, CHANGES_IN_LIST) });
    // Counted twice: in the text's block and in the structured content.
    used += 2 * encoder.encode(JSON.stringify(short)).length + encoder.encode(short.summary).length;
    if (used > ANSWER_BYTES && shown.length > 0) break;
    shown.push(short);
  }
  return shown;
}
