import { DisposableStore } from '../../../base/disposable-store.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Hasher } from '../../../ports/hasher.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { LiveMode, Settings } from '../../../ports/settings.ts';
import type { SyncEngine } from '../../sync/sync-engine.ts';
import type { ServedProject } from '../served-project.ts';
import type { StudioDirectory } from '../studio-link.ts';
import { LiveSession, type LiveSessionState } from './live-session.ts';

/** Reasons that come together are one question. */
const QUIET_MS = 500;

/** `waiting`: on, but no Studio is there that could. `unsupported`: the Studio that is there starts live sessions by itself, if at all. */
export type LiveState = { readonly kind: 'off' | 'waiting' | 'unsupported' } | LiveSessionState;

export interface LiveControlDeps {
  readonly studios: StudioDirectory;
  readonly served: () => ServedProject | undefined;
  /** Fires when `served` answers another. */
  readonly onDidServe: Event<void>;
  readonly engine: SyncEngine;
  /** Whether a person can be asked. */
  readonly canReview: boolean;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly log: Logger;
}

/** The live session with our own plugin: whether there is one, and how it goes. */
export interface LiveControl extends Disposable {
  mode(): LiveMode;
  /** Counts until the bridge stops, or until `undefined` gives it back to the setting. */
  setMode(mode: LiveMode | undefined): void;
  state(): LiveState;
  readonly onDidChange: Event<void>;
  /** Something has to be decided that a live session does not decide; a review is on its way where there can be one. */
  readonly onDidNeedSync: Event<string>;
}

export function createLiveControl(deps: LiveControlDeps): LiveControl {
  const { studios, settings, clock, log } = deps;
  const changed = new Emitter<void>();
  const needed = new Emitter<string>();
  const lifetime = new DisposableStore();
  let chosen: LiveMode | undefined;
  let session: LiveSession | undefined;
  let state: LiveState = { kind: 'off' };
  let reasons = new Set<string>();
  let cancelTimer = (): void => {};

  const mode = (): LiveMode => chosen ?? settings.live();
  const setState = (next: LiveState): void => {
    state = next;
    changed.fire();
  };

  /** One review for all that has come together; while a run is on, what it leaves is asked for after it. */
  const ask = (): void => {
    const running = deps.engine.current();
    if (running !== undefined) return void running.result.then(() => later());
    const reason = Array.from(reasons).join('; ');
    reasons = new Set();
    if (reason === '') return;
    log.warn('the two sides need a decision', { reason });
    needed.fire(reason);
    if (deps.canReview) deps.engine.start({ mode: 'manual', overrides: [], requestedBy: 'live session' });
  };
  const later = (): void => {
    cancelTimer();
    cancelTimer = clock.after(QUIET_MS, ask);
  };

  const restart = (): void => {
    session?.[Symbol.dispose]();
    session = undefined;
    const wanted = mode();
    const link = studios.current();
    const served = deps.served();
    if (wanted === 'off') return setState({ kind: 'off' });
    if (link === undefined || served === undefined) return setState({ kind: 'waiting' });
    if (link.live === undefined) return setState({ kind: 'unsupported' });
    session = new LiveSession({
      ...deps,
      channel: link.live,
      served,
      mode: wanted,
      log: log.child('live'),
      onState: setState,
      needsSync(reason) {
        reasons.add(reason);
        later();
      },
    });
  };

  lifetime.add(studios.onDidChange(restart));
  lifetime.add(deps.onDidServe(restart));
  lifetime.defer(() => cancelTimer());
  restart();

  return {
    mode,
    setMode(next) {
      chosen = next;
      restart();
    },
    state: () => state,
    onDidChange: changed.event,
    onDidNeedSync: needed.event,
    [Symbol.dispose]() {
      lifetime[Symbol.dispose]();
      session?.[Symbol.dispose]();
      session = undefined;
    },
  };
}
