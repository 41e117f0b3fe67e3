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
import type { SyncOverride } from '../protocol/sync.ts';
import type { WireVariant } from '../protocol/values.ts';
import { isScriptClass } from '../roblox/instances/instance.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { StudioIdentity, StudioLink } from './studio-link.ts';
import { judgeOverrides, toStudioChange } from './legacy-changes.ts';
import { confirmPull, confirmPush, refuseAll, selectionFor } from './legacy-proof.ts';
import { LegacyStream, type LegacyStreamDeps } from './legacy-stream.ts';

/** How often a plugin that is still busy with its last sync is asked again, in milliseconds, and for how long. */
const BUSY = { everyMs: 250, mostMs: 10_000 };

export interface LegacyLinkDeps extends LegacyStreamDeps {
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly session: () => ProjectSession;
  readonly hasher: Hasher;
  /** The revision at which a plugin has last read the whole tree; `undefined`: none has. */
  readonly lastRead: () => number | undefined;
}

export interface LegacyLink extends StudioLink {
  /** A run of ours is being carried out: the plugin then gets no defaults to select by, and stages nothing. */
  isActiveClient(): boolean;
}

interface Comparison {
  readonly compared: Compared;
  readonly byId: ReadonlyMap<string, StudioChange>;
}

/**
 * The reference plugin, which knows `sync` and `getScript` alone, behind the same port as ours. It says "success" before it has applied
 * anything, so nothing rests on that: what was applied is what a comparison afterwards finds to be the same on both sides
 * (`reference/ack-contract.md`, section 3.5). What it cannot do is refused in words, for the change that needs it.
 */
export function createLegacyLink(channel: StudioChannel, who: StudioIdentity, deps: LegacyLinkDeps): LegacyLink {
  const { hello } = who;
  const stream = new LegacyStream(channel, deps);
  let kept: Comparison | undefined;
  let isDriving = false;

  /** A dry run, once the plugin has time for one. */
  const look = async (signal: AbortSignal): Promise<readonly StudioChange[]> => {
    const session = deps.session();
    for (let waited = 0; ; waited += BUSY.everyMs) {
      const { status, changes, message } = await stream.sync('dryrun', [], 'comparing', signal);
      if (status === 'dryrun' || status === 'empty')
        return changes.map(change => toStudioChange(change, session, deps.hasher));
      if (status !== 'sync_in_progress' || waited >= BUSY.mostMs)
        throw new AppError('STUDIO_FAILED', { reason: reasonOf(status, message), code: status });
      await new Promise<void>(resolve => deps.clock.after(BUSY.everyMs, resolve));
    }
  };

  const compare = async (overrides: readonly SyncOverride[], signal: AbortSignal): Promise<Compared> => {
    const session = deps.session();
    const known = session.revision();
    const changes = await look(signal);
    const read = deps.lastRead() ?? -1;
    // Whoever has not read the tree has not compared it.
    if (read < known) throw new AppError('STUDIO_FAILED', { reason: 'it compared without having read the project' });
    const compared: Compared = {
      type: 'compared',
      requestId: deps.random.uuid(),
      place: { name: hello.placeName, placeId: hello.placeId },
      messageCursor: read,
      changes: [...changes],
      overrides: [...judgeOverrides(overrides, changes, session)],
    };
    kept = { compared, byId: new Map(changes.map(change => [change.id, change])) };
    return compared;
  };

  const comparisonOf = (compareId: string): Comparison => {
    if (kept?.compared.requestId === compareId) return kept;
    const reason = 'that comparison is no longer kept; compare again';
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

  /** Scripts with an unsaved text in their editor: a push would overwrite it, a pull pass over it. */
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
        refused.push({ id, ok: false, code: 'draft_open', reason: 'its editor in Studio holds an unsaved text' });
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
    if (inStudioOnly > 0)
      return refuseAll(
        pushes,
        `${inStudioOnly} instances are only in Studio, and this plugin cannot leave them alone in a sync from outside; sync from the plugin's own window, or install the Atlas Bridge plugin`,
      );
    const { status, message } = await stream.sync('fastfail', selectionFor(decisions, byId), 'applying', signal);
    if (status === 'success' || status === 'empty') return [];
    const reason =
      status === 'fastfail_unresolved'
        ? 'Studio has moved since the comparison, so the plugin applied nothing'
        : reasonOf(status, message);
    return refuseAll(pushes, reason);
  };

  const apply = async (
    command: { readonly compareId: string; readonly decisions: readonly ApplyDecision[] },
    signal: AbortSignal,
  ): Promise<Applied> => {
    const comparison = comparisonOf(command.compareId);
    const { decisions } = command;
    isDriving = true;
    try {
      const failed = new Map((await openDrafts(decisions, comparison.byId, signal)).map(item => [item.id, item]));
      const left = decisions.filter(({ id }) => !failed.has(id));
      if (left.some(({ direction }) => direction === 'push'))
        for (const item of await push(left, comparison, signal)) failed.set(item.id, item);
      const now = new Map((await look(signal)).map(change => [change.id, change]));
      const results: AppliedItem[] = [];
      for (const decision of decisions) {
        const before = comparison.byId.get(decision.id);
        const known = failed.get(decision.id);
        if (known !== undefined || before === undefined)
          results.push(known ?? { id: decision.id, ok: false, code: 'stale_id' });
        else if (decision.direction === 'pull') results.push(confirmPull(before, now.get(decision.id)));
        else results.push(await confirmPush(before, now.get(decision.id), id => stream.getScript(id, false, signal)));
      }
      return { type: 'applied', requestId: deps.random.uuid(), results };
    } finally {
      isDriving = false;
    }
  };

  return {
    ...who,
    isActiveClient: () => isDriving,
    isOpen: () => stream.isOpen(),
    onClosed: channel.onClosed,
    compare: (overrides, signal) => compare(overrides, signal),
    async read(compareId, ids, signal): Promise<Instances> {
      const { byId } = comparisonOf(compareId);
      const instances: StudioInstance[] = [];
      const missing: string[] = [];
      for (const id of ids) {
        const change = byId.get(id);
        // The plugin shows nothing of what only Studio has: half of it must not stand for the whole.
        if (change === undefined || change.patchType === 'Remove') missing.push(id);
        else instances.push(await readOne(change, signal));
      }
      return {
        type: 'instances',
        requestId: deps.random.uuid(),
        instances,
        missing,
        missingBecause:
          "the plugin does not show what only Studio has; pull it from the plugin's own window, or install the Atlas Bridge plugin",
      };
    },
    apply,
    async getScript(id, fromDraft, signal) {
      return { type: 'script', status: 'success', ...(await stream.getScript(id, fromDraft, signal)) };
    },
  };
}

function reasonOf(status: string, message: string | undefined): string {
  switch (status) {
    case 'already_connected':
      return "the plugin holds a live session; end it in the plugin's window, or let it sync by itself";
    case 'sync_in_progress':
      return 'the plugin is busy with a sync; look whether it waits for somebody in its window';
    default:
      return message ?? `the plugin answered "${status}"`;
  }
}
