import type { ProjectPath } from '../../base/brand.ts';
import { sortInSteps } from '../../base/sort-in-steps.ts';
import { AppError } from '../../base/errors.ts';
import { parseJson } from '../../base/parse-json.ts';
import { plural } from '../../base/plural.ts';
import { shortened } from '../../base/safe-text.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import { type ChangeFilters, type ChangePage, PageQuery, type SyncAnswer } from '../../protocol/sync-page.ts';
import { type ChangeResult, formatReasons, formatResult, type RunResult } from '../../protocol/run-result.ts';
import type { SyncChange, SyncResult } from '../../protocol/sync-result.ts';
import { formatPlan } from '../changes/format-plan.ts';
import { digestOf, matchesFilters } from '../changes/select-changes.ts';
import { changeLine, formatSyncResult } from './format-sync-result.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { refuseRun } from './wait-for-run.ts';

/**
 * Bytes of a default answer, in the text, its `<json>` block and the structured content together: at most 8,000 tokens, because lists of
 * changes have about 2.8 bytes per token, and lists of hashes 2.5.
 */
export const ANSWER_BYTES = 20_000;
/** Maximum bytes of the sentences and members that surround a page: its range, the next page, the tags of the block. */
const FRAME_BYTES = 250;
/** Minimum space for the changes on a page, in bytes, however long the rest of the answer is. */
const MIN_CHANGE_BYTES = 5_000;
/** Maximum number of verdicts of overrides in an answer. Accepted ones are left out first. */
const MAX_VERDICTS = 40;
/** Maximum bytes of the listed verdicts, in the text, its block and the structured content together. */
const VERDICT_BYTES = 6_500;
/** Maximum bytes of the listed warnings, and of the verdicts of bulk overrides, counted in the same way. */
const WARNING_BYTES = 3_000;
const BULK_BYTES = 2_000;
/** Maximum characters of an id, a path, a reason or a warning outside the page. The caller knows its own long ids and paths. */
const MAX_TEXT_LENGTH = 300;
/** Maximum number of folders and classes that are listed. */
const MAX_COUNTED = 20;

/** Pages the changes of a result, and remembers that the client was shown those on the page. */
export async function pageOf(
  result: RunResult,
  query: PageQuery,
  deps: SyncToolDeps,
  { client, signal }: Pick<ToolCall, 'client' | 'signal'>,
): Promise<SyncAnswer> {
  const rest = boundedRest(formatResult({ ...result, changes: [] }));
  if (result.changes.length === 0) return rest;
  const { from, filters } = positionOf(query);
  const slice = new TimeSlice(deps.clock);
  const asked = { ...query, ...filters };
  const planned = { ...rest, ...(result.status === 'dryrun' ? { plan: formatPlan(result.changes) } : {}) };
  const work = choosePage(result, asked, from, { hasher: deps.hasher, space: spaceBeside(planned) });
  const { space, ...chosen } = await runInSlices(work, slice);
  const shown = new Set(chosen.changes.map(({ id }) => id));
  await slice.yieldToEventLoop();
  const files = await deps.engine.newFiles(result.runId, shown, signal);
  const { page, changes } = files.size === 0 ? chosen : withNewFiles(chosen, files, result.runId, asked, space);
  deps.engine.markSeen(result.runId, new Set(changes.map(({ id }) => id)), client);
  return { ...planned, changes, page };
}

/** Adds the names of new files, and moves changes that no longer fit to the next page. */
function withNewFiles(
  { page, changes }: { readonly page: ChangePage; readonly changes: readonly SyncChange[] },
  files: ReadonlyMap<string, ProjectPath>,
  runId: string,
  query: PageQuery,
  space: number,
): { readonly page: ChangePage; readonly changes: SyncChange[] } {
  const named = changes.map(change => {
    const newFile = files.get(change.id);
    return newFile === undefined ? change : { ...change, newFile };
  });
  const fitting = query.limit === undefined ? named.slice(0, countFitting(named, space)) : named;
  const next = page.from + fitting.length;
  return {
    changes: fitting,
    page: fitting.length === named.length ? page : { ...page, cursor: cursorOf(runId, next, query) },
  };
}

/** How many changes fit on a default page; at least one. */
function countFitting(changes: readonly SyncChange[], space: number): number {
  let used = 0;
  const end = changes.findIndex((change, at) => (used += bytesOf(change)) > space && at > 0);
  return end < 0 ? changes.length : end;
}

const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;
/** The bytes that the rest of an answer leaves for its changes. */
const spaceBeside = (rest: SyncAnswer): number =>
  ANSWER_BYTES - 2 * bytes(JSON.stringify(rest)) - bytes(formatSyncResult(rest));
const bytesOf = (shown: SyncChange): number => 2 * bytes(JSON.stringify(shown)) + bytes(changeLine(shown));

/** The page of a cursor, for a result that this session still has. An invalid cursor is answered as a refused run. */
export async function nextPage(
  query: PageQuery,
  overrides: readonly unknown[],
  deps: SyncToolDeps,
  call: ToolCall,
): Promise<SyncAnswer> {
  try {
    if (overrides.length > 0) throw invalidCursor('lists a page and syncs nothing, so pass no overrides');
    const { runId } = positionOf(query);
    const result = runId === undefined ? undefined : deps.engine.find(runId)?.latest();
    if (result === undefined) throw invalidCursor('its sync is no longer known; sync again without it');
    return await pageOf(result, query, deps, call);
  } catch (error) {
    return await refuseRun(deps, AppError.from(error), call);
  }
}

export const invalidCursor = (problem: string): AppError =>
  new AppError('INVALID_INPUT', { problems: `cursor: ${problem}` });

/** Chooses the changes of a page, and counts all that match. @param options `hasher` for the digest of the list; without it, the list cannot be decided in bulk. `space`: bytes of the page */
export function* choosePage(
  result: Pick<RunResult, 'runId' | 'changes'>,
  query: PageQuery,
  from: number,
  { hasher, space: asked }: { readonly hasher?: Hasher; readonly space: number },
): PausableWork<{ readonly page: ChangePage; readonly changes: SyncChange[]; readonly space: number }> {
  const matching: ChangeResult[] = [];
  for (const [index, change] of result.changes.entries()) {
    if (index % 256 === 255) yield;
    if (matchesFilters(change, query)) matching.push(change);
  }
  const sorted = yield* sortInSteps(matching, byRankAndPath);
  const digest = query.direction === undefined && hasher !== undefined ? yield* digestOf(matching, hasher) : undefined;
  const counts = {
    total: result.changes.length,
    matching: matching.length,
    undecided: matching.filter(({ direction }) => direction === 'unresolved').length,
    from,
    folders: largest(yield* countFolders(matching)),
    classes: largest(yield* countBy(matching, ({ className }) => className)),
    patchTypes: largest(yield* countBy(matching, ({ patchType }) => patchType)),
    directions: largest(yield* countBy(matching, ({ direction }) => direction)),
    ...(digest === undefined ? {} : { digest }),
  };
  const longest = { ...counts, cursor: cursorOf(result.runId, sorted.length, query) };
  const space = Math.max(MIN_CHANGE_BYTES, asked - FRAME_BYTES - 3 * bytes(JSON.stringify(longest)));
  const changes = query.summary === true ? [] : formatReasons(yield* firstOf(sorted, from, query.limit, space));
  const next = from + changes.length;
  const hasNext = query.summary !== true && next < sorted.length;
  const page: ChangePage = { ...counts, ...(hasNext ? { cursor: cursorOf(result.runId, next, query) } : {}) };
  return { page, changes, space };
}

/** Sorts changes that require a decision or attention first. */
const rank = ({ direction, outcome }: ChangeResult): number =>
  direction === 'unresolved' ? 0 : outcome === 'failed' || outcome === 'unknown' ? 1 : 2;

const byRankAndPath = (a: ChangeResult, b: ChangeResult): number =>
  rank(a) - rank(b) || (a.path < b.path ? -1 : a.path === b.path ? 0 : 1);

/** The changes of a page: at least one, so that every cursor makes progress. */
function* firstOf(
  sorted: readonly ChangeResult[],
  from: number,
  limit: number | undefined,
  space: number,
): PausableWork<readonly ChangeResult[]> {
  if (limit !== undefined) return yield* withinBytes(sorted.slice(from, from + limit));
  let used = 0;
  let end = from;
  for (; end < sorted.length; end += 1) {
    const change = sorted[end];
    if (change === undefined) break;
    if (end === from && 2 * bytes(JSON.stringify(change)) > space) return [withoutLongValues(change)];
    const [shown] = formatReasons([change]);
    used += shown === undefined ? 0 : bytesOf(shown);
    if (used > space && end > from) break;
  }
  return sorted.slice(from, end);
}

/** Bytes of the changes on a page with `limit` after which long values are omitted: clients disconnect at 10 MB, and an answer has three copies. */
const MAX_LIMITED_BYTES = 2_000_000;

function* withinBytes(changes: readonly ChangeResult[]): PausableWork<readonly ChangeResult[]> {
  const shown: ChangeResult[] = [];
  let used = 0;
  for (const change of changes) {
    // One value may have megabytes.
    yield;
    if (used <= MAX_LIMITED_BYTES) used += bytes(JSON.stringify(change));
    shown.push(used <= MAX_LIMITED_BYTES ? change : withoutLongValues(change));
  }
  return shown;
}

/** Maximum characters of an encoded value if its change does not fit on a page. */
const MAX_VALUE_CHARS = 500;

function withoutLongValues(change: ChangeResult): ChangeResult {
  const properties = Object.entries(change.properties ?? {}).map(([name, { current, incoming, ...names }]) => {
    const isLong = (value: unknown): boolean => JSON.stringify(value ?? null).length > MAX_VALUE_CHARS;
    if (!isLong(current) && !isLong(incoming)) return [name, { current, incoming, ...names }] as const;
    return [name, { isOmitted: true as const }] as const;
  });
  return { ...change, properties: Object.fromEntries(properties) };
}

type Counts = ReadonlyMap<string, number>;

function* countBy(changes: readonly ChangeResult[], keyOf: (change: ChangeResult) => string): PausableWork<Counts> {
  const counts = new Map<string, number>();
  for (const [index, change] of changes.entries()) {
    if (index % 256 === 255) yield;
    const key = keyOf(change);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Counts by the deepest folders whose number is small enough to list. */
function* countFolders(changes: readonly ChangeResult[]): PausableWork<Counts> {
  let counts: Counts = new Map();
  for (let depth = 1; depth <= 6; depth += 1) {
    const deeper = yield* countBy(changes, ({ path }) => path.split('/').slice(0, -1).slice(0, depth).join('/'));
    if (depth > 1 && deeper.size > MAX_COUNTED) break;
    counts = deeper;
  }
  return counts;
}

function largest(counts: Counts): Record<string, number> {
  const sorted = Array.from(counts).toSorted(([, a], [, b]) => b - a);
  const rest = sorted.slice(MAX_COUNTED).reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries([...sorted.slice(0, MAX_COUNTED), ...(rest === 0 ? [] : [['…', rest] as const])]);
}

/** The result without changes, with bounded lists of verdicts and warnings. */
function boundedRest(result: SyncResult): SyncResult {
  const { overrides, bulk, warnings } = result;
  const isRefused = ({ verdict, reason }: { verdict: string; reason?: string | undefined }): boolean =>
    verdict !== 'accepted' || reason !== undefined;
  const listed = overrides.length <= MAX_VERDICTS ? overrides : overrides.filter(isRefused);
  const verdicts = firstWithin(listed.slice(0, MAX_VERDICTS).map(shortTexts), VERDICT_BYTES);
  const bulkVerdicts = bulk?.toSorted((a, b) => Number(isRefused(b)) - Number(isRefused(a))).map(shortTexts);
  return {
    ...result,
    overrides: verdicts,
    ...(bulkVerdicts === undefined ? {} : { bulk: firstWithin(bulkVerdicts, BULK_BYTES) }),
    ...(warnings === undefined ? {} : { warnings: firstWarnings(warnings) }),
  };
}

function firstWarnings(warnings: readonly string[]): string[] {
  const listed = firstWithin(
    warnings.map(warning => shortened(warning, MAX_TEXT_LENGTH)),
    WARNING_BYTES,
  );
  const rest = warnings.length - listed.length;
  return rest === 0
    ? listed
    : [...listed, plural(rest, 'There is 1 more warning.', `There are ${rest} more warnings.`)];
}

/** Shortens every text of a verdict. */
const shortTexts = <T extends object>(verdict: T): T => {
  const members = Object.entries(verdict).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? shortened(value, MAX_TEXT_LENGTH) : value,
  ]);
  // Only texts are replaced, and by texts, so the type stays the same.
  return Object.fromEntries(members) as T;
};

/** The first items, at least one, whose JSON has at most `limit` bytes in the text, its block and the structured content together. */
function firstWithin<T>(items: readonly T[], limit: number): T[] {
  let used = 0;
  const end = items.findIndex((item, at) => (used += 3 * bytes(JSON.stringify(item))) > limit && at > 0);
  return items.slice(0, end < 0 ? items.length : end);
}

const cursorOf = (runId: string, from: number, query: PageQuery): string =>
  `${runId}.${from}.${encodeURIComponent(JSON.stringify(filtersOf(query)))}`;

const filtersOf = ({ under, patchType, className, direction, undecided }: PageQuery): ChangeFilters =>
  // JSON omits undefined members.
  ({ under, patchType, className, direction, undecided }) as ChangeFilters;

/** Reads the position of a cursor. @param ofRun the run that the cursor must belong to @throws AppError INVALID_INPUT */
export function positionOf(
  query: PageQuery,
  ofRun?: string,
): {
  readonly runId: string | undefined;
  readonly from: number;
  readonly filters: PageQuery;
} {
  if (query.cursor === undefined) return { runId: undefined, from: 0, filters: {} };
  // The filters may contain further dots.
  const [runId, from, ...filters] = query.cursor.split('.');
  const parsed = PageQuery.safeParse(parseFilters(filters.join('.')));
  if (runId === undefined || (ofRun !== undefined && runId !== ofRun) || !/^\d+$/.test(from ?? '') || !parsed.success)
    throw invalidCursor('is not a page.cursor of an answer');
  return { runId, from: Number(from), filters: parsed.data };
}

function parseFilters(text: string): unknown {
  try {
    return parseJson(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}
