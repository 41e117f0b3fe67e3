import { isScriptClass } from '../protocol/script-class.ts';
import { reasonOf } from '../protocol/reason.ts';
import { AppError } from '../base/errors.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { StudioChannel } from '../ports/studio-channel.ts';
import type {
  Applied,
  AppliedItem,
  ApplyDecision,
  Compared,
  Instances,
  StudioChange,
  StudioInstance,
} from '../protocol/studio/stream.ts';
import type { ComparedOverride } from '../protocol/studio/stream.ts';
import type { WireVariant } from '../protocol/values.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { StudioIdentity, StudioLink } from './studio-link.ts';
import { checkOverrides, toStudioChange } from './legacy-changes.ts';
import { confirmPull, confirmPush, failAll, refuseAll, selectionFor } from './legacy-outcomes.ts';
import { LegacyStream, type LegacyStreamDeps } from './legacy-stream.ts';

/** Retry interval and time limit while the plugin is busy with its previous sync. */
const BUSY = { retryMs: 250, maxMs: 10_000 };

export interface LegacyLinkDeps extends LegacyStreamDeps {
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly session: () => ProjectSession;
  readonly hasher: Hasher;
  /** The revision at which a plugin last read the whole tree; `undefined` if none has. */
  readonly lastRead: () => number | undefined;
}

export interface LegacyLink extends StudioLink {
  /** Whether the plugin is applying one of our runs. It then gets no Git metadata and stages no files. */
  isActiveClient(): boolean;
}

interface Comparison {
  readonly compared: Compared;
  readonly byId: ReadonlyMap<string, StudioChange>;
}

/**
 * Adapts the unmodified Atlas plugin, which supports only `sync` and `getScript`, to `StudioLink`. The plugin reports "success" before it
 * applies anything, so a change is confirmed only when a second comparison finds both sides equal. A change that the plugin does not support
 * fails with a reason.
 */
export function createLegacyLink(channel: StudioChannel, who: StudioIdentity, deps: LegacyLinkDeps): LegacyLink {
  const { hello } = who;
  const stream = new LegacyStream(channel, deps);
  let lastComparison: Comparison | undefined;
  let isApplying = false;

  /** Compares with a dry run; retries while the plugin is busy. */
  const dryRun = async (signal: AbortSignal): Promise<readonly StudioChange[]> => {
    const session = deps.session();
    for (let waited = 0; ; waited += BUSY.retryMs) {
      const { status, changes, message } = await stream.sync(
        'dryrun',
        [],
        'comparing',
        signal,
        session.instanceCount(),
      );
      if (status === 'dryrun' || status === 'empty')
        return changes
          .map(change => toStudioChange(change, session, deps.hasher))
          .filter(change => change !== undefined);
      if (status !== 'sync_in_progress' || waited >= BUSY.maxMs)
        throw new AppError('STUDIO_FAILED', { reason: failureText(status, message), code: status });
      await new Promise<void>(resolve => deps.clock.after(BUSY.retryMs, resolve));
    }
  };

  const compare = async (overrides: readonly ComparedOverride[], signal: AbortSignal): Promise<Compared> => {
    const session = deps.session();
    const known = session.revision();
    const changes = await dryRun(signal);
    const read = deps.lastRead() ?? -1;
    // The plugin can compare only the tree that it has read.
    if (read < known)
      throw new AppError('STUDIO_FAILED', { reason: 'the plugin compared without reading the project first' });
    const compared: Compared = {
      type: 'compared',
      requestId: deps.random.uuid(),
      place: { name: hello.placeName, placeId: hello.placeId },
      messageCursor: read,
      changes: [...changes],
      overrides: [...checkOverrides(overrides, changes, session)],
    };
    lastComparison = { compared, byId: new Map(changes.map(change => [change.id, change])) };
    return compared;
  };

  const comparisonOf = (compareId: string): Comparison => {
    if (lastComparison?.compared.requestId === compareId) return lastComparison;
    const reason = 'the comparison has expired; compare again';
    throw new AppError('STUDIO_FAILED', { reason, code: 'no_comparison' });
  };

  const readOne = async (change: StudioChange, signal: AbortSignal): Promise<StudioInstance> => {
    const { id, name, className } = change;
    const properties: Record<string, WireVariant> = {};
    for (const [property, { current }] of Object.entries(change.properties ?? {}))
      if (current !== undefined) properties[property] = current;
    if (!isScriptClass(className)) return { id, name, className, properties, children: [] };
    const { source, studioHash } = await stream.getScript(id, false, signal);
    return { id, name, className, source, studioHash, properties, children: [] };
  };

  /** Refuses scripts with an unsaved draft: a push would overwrite the draft, and a pull would miss it. */
  const openDrafts = async (
    decisions: readonly ApplyDecision[],
    byId: Comparison['byId'],
    signal: AbortSignal,
  ): Promise<readonly AppliedItem[]> => {
    const refused: AppliedItem[] = [];
    for (const { id } of decisions) {
      const change = byId.get(id);
      if (change?.patchType !== 'Edit' || !isScriptClass(change.className)) continue;
      const draft = await stream.getScript(id, true, signal);
      if (draft.isDraft && draft.studioHash !== change.studioHash)
        refused.push({ id, ok: false, code: 'draft_open', reason: reasonOf('draft_open'), unchanged: true });
    }
    return refused;
  };

  const push = async (
    decisions: readonly ApplyDecision[],
    { byId }: Comparison,
    signal: AbortSignal,
  ): Promise<readonly AppliedItem[]> => {
    const pushes = decisions.filter(decision => decision.direction === 'push');
    const inStudioOnly = Array.from(byId.values()).filter(change => change.patchType === 'Remove').length;
    if (inStudioOnly > 0) return refuseAll(pushes, reasonOf('only_in_studio', inStudioOnly));
    const { status, message } = await stream.sync(
      'fastfail',
      selectionFor(decisions, byId),
      'applying',
      signal,
      deps.session().instanceCount(),
    );
    if (status === 'success' || status === 'empty') return [];
    return status === 'fastfail_unresolved'
      ? refuseAll(pushes, reasonOf('plugin_applied_nothing'))
      : failAll(pushes, reasonOf('quoted', failureText(status, message)));
  };

  const apply = async (
    command: { readonly compareId: string; readonly decisions: readonly ApplyDecision[] },
    signal: AbortSignal,
  ): Promise<Applied> => {
    const comparison = comparisonOf(command.compareId);
    const { decisions } = command;
    isApplying = true;
    try {
      const failed = new Map((await openDrafts(decisions, comparison.byId, signal)).map(item => [item.id, item]));
      const left = decisions.filter(({ id }) => !failed.has(id));
      if (left.some(({ direction }) => direction === 'push'))
        for (const item of await push(left, comparison, signal)) failed.set(item.id, item);
      const now = new Map((await dryRun(signal)).map(change => [change.id, change]));
      const results: AppliedItem[] = [];
      for (const decision of decisions) {
        const before = comparison.byId.get(decision.id);
        const known = failed.get(decision.id);
        if (known !== undefined || before === undefined)
          results.push(known ?? { id: decision.id, ok: false, code: 'stale_id', unchanged: true });
        else if (decision.direction === 'pull') results.push(confirmPull(before, now.get(decision.id)));
        else results.push(await confirmPush(before, now.get(decision.id), id => stream.getScript(id, false, signal)));
      }
      return { type: 'applied', requestId: deps.random.uuid(), results };
    } finally {
      isApplying = false;
    }
  };

  return {
    ...who,
    isActiveClient: () => isApplying,
    isOpen: () => stream.isOpen(),
    onClosed: channel.onClosed,
    compare: (overrides, signal) => compare(overrides, signal),
    async read(compareId, ids, signal): Promise<Instances> {
      const { byId } = comparisonOf(compareId);
      const instances: StudioInstance[] = [];
      const missing: string[] = [];
      for (const id of ids) {
        const change = byId.get(id);
        // The plugin sends no instances that exist only in Studio, and a partial instance must not replace a whole one.
        if (change === undefined || change.patchType === 'Remove') missing.push(id);
        else instances.push(await readOne(change, signal));
      }
      return {
        type: 'instances',
        requestId: deps.random.uuid(),
        instances,
        missing,
        missingBecause: reasonOf('only_in_studio_unread'),
      };
    },
    apply,
    async getScript(id, fromDraft, signal) {
      const script = await stream.getScript(id, fromDraft, signal);
      // The plugin calls the text of the editor a draft also when no editor is open.
      const isDraft =
        fromDraft && script.isDraft && script.studioHash !== (await stream.getScript(id, false, signal)).studioHash;
      return { type: 'script', status: 'success', ...script, isDraft };
    },
  };
}

function failureText(status: string, message: string | undefined): string {
  switch (status) {
    case 'already_connected':
      return "the plugin is in a live session; disconnect it in the plugin's window, or let it sync automatically";
    case 'sync_in_progress':
      return 'the plugin is busy with a sync; check whether its window waits for a decision';
    default:
      return message ?? `the plugin replied "${status}"`;
  }
}
