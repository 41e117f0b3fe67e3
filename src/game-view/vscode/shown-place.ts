import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { type BridgeLifecycle, followBridge } from '../../vscode/bridge-lifecycle.ts';
import type { WindowPendingChanges } from '../../vscode/pending-changes.ts';
import { type Differences, findDifferences, noDifferences } from '../differences.ts';
import type { GameNode } from '../game-node.ts';
import { GameTree } from '../game-tree.ts';
import { createProjectSource } from '../place-source.ts';

/**
 * The source of the Game view. `disk`: the project, because no Studio is connected or the plugin of the connected one cannot list its
 * instances. `stale`: the Studio that was connected until `at`.
 */
export type ShownPlace =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'studio'; readonly tree: GameTree; readonly link: StudioLink }
  | { readonly kind: 'stale'; readonly tree: GameTree; readonly placeName: string; readonly at: string }
  | {
      readonly kind: 'disk';
      readonly tree: GameTree;
      readonly session: ProjectSession;
      readonly unsupported: StudioLink | undefined;
    };

export interface ShownPlaceDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly pending: WindowPendingChanges;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Follows the Studio that is compared, and without one the project. */
export interface PlaceFollower extends Disposable {
  current(): ShownPlace;
  session(): ProjectSession | undefined;
  /** The number of connected Studios; one of them is shown. */
  studioCount(): number;
  /** Reads everything again, and shows the project instead of a Studio that has disconnected. */
  reload(): void;
  /** Fires with the instances whose children or state changed; `undefined`: all. */
  readonly onDidChange: Event<readonly GameNode[] | undefined>;
}

/** Milliseconds without a change of the project before it is read again, because a save touches several files. */
const QUIET_MS = 300;

export function followPlace({ lifecycle, pending, clock, log }: ShownPlaceDeps): PlaceFollower {
  const store = new DisposableStore();
  const changed = new Emitter<readonly GameNode[] | undefined>();
  let shown: ShownPlace = { kind: 'nothing' };
  let whileShown = new DisposableStore();
  store.defer(() => whileShown[Symbol.dispose]());
  let compared: { readonly changes?: unknown; readonly at?: string | undefined } = {};
  let cancelQuiet = (): void => {};
  store.defer(() => cancelQuiet());

  const session = (): ProjectSession | undefined => {
    const state = lifecycle.state();
    return state.kind === 'running' ? state.bridge.session() : undefined;
  };
  const show = (next: ShownPlace): void => {
    shown = next;
    whileShown[Symbol.dispose]();
    whileShown = new DisposableStore();
    compared = {};
    if (next.kind === 'studio') {
      const { tree, link } = next;
      whileShown.add(tree.onReadAgain(node => changed.fire(node && [node])));
      const follow = (ids: readonly string[]): void => {
        const nodes = ids.flatMap(id => tree.nodeWithId(id) ?? []);
        tree.invalidate(ids);
        changed.fire(ids.includes('') || nodes.length < ids.length ? undefined : nodes);
      };
      const listening = link.explorer?.onDidChangeChildren(follow);
      if (listening !== undefined) whileShown.add(listening);
    } else if (next.kind === 'disk') {
      const follow = (): void => {
        cancelQuiet();
        cancelQuiet = clock.after(QUIET_MS, () => {
          next.tree.invalidate();
          changed.fire(undefined);
        });
      };
      whileShown.add(next.session.onDidChange(follow));
    }
    changed.fire(undefined);
  };
  const differencesOf = async (...from: Parameters<typeof findDifferences>): Promise<Differences> => {
    try {
      return await runInSlices(findDifferences(...from), new TimeSlice(clock));
    } catch (error) {
      // Marks of an earlier comparison would be wrong.
      log.error('failed to find the differences for the Game view', error);
      return noDifferences;
    }
  };
  /** Never rejects. */
  const compare = async (): Promise<void> => {
    if (shown.kind !== 'studio') return;
    const { tree } = shown;
    const { kind, changes, at } = pending.state();
    if (compared.changes === changes && compared.at === at) return;
    // Decisions of a review do not change Refs.
    const isNew = compared.at !== at && kind === 'compared';
    const own = (compared = { changes, at });
    const project = session();
    const differences =
      kind === 'unknown' || project === undefined ? noDifferences : await differencesOf(changes, project);
    if (compared !== own) return;
    tree.setDifferences(differences, isNew);
    changed.fire(undefined);
  };
  const update = (): void => {
    const link = pending.studio();
    const project = session();
    if (link?.explorer !== undefined) {
      if (shown.kind !== 'studio' || shown.link !== link)
        show({ kind: 'studio', link, tree: new GameTree({ source: link.explorer, side: 'studio', session, clock }) });
    } else if (shown.kind === 'studio' && link === undefined) {
      shown.tree.freeze();
      show({ kind: 'stale', tree: shown.tree, placeName: shown.link.hello.placeName, at: clock.date() });
    } else if (shown.kind !== 'stale' || link !== undefined) {
      if (project === undefined) {
        if (shown.kind !== 'nothing') show({ kind: 'nothing' });
      } else if (shown.kind !== 'disk' || shown.session !== project || shown.unsupported !== link) {
        const tree = new GameTree({ source: createProjectSource(project, clock), side: 'disk', session, clock });
        show({ kind: 'disk', tree, session: project, unsupported: link });
      }
    }
    void compare();
  };
  store.add(pending.onDidChange(update));
  store.add(
    followBridge(lifecycle, (state, alive) => {
      if (state.kind === 'running') alive.add(state.bridge.onDidChangeProject(update));
      update();
    }),
  );
  return {
    current: () => shown,
    session,
    studioCount() {
      const state = lifecycle.state();
      return state.kind === 'running' ? state.bridge.studios.all().length : 0;
    },
    reload() {
      if (shown.kind === 'stale') shown = { kind: 'nothing' };
      else if (shown.kind !== 'nothing') shown.tree.invalidate();
      update();
      changed.fire(undefined);
    },
    onDidChange: changed.event,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
