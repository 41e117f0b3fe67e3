import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Settings } from '../../ports/settings.ts';
import type { StudioPrompts, UnpairedStudio } from '../../ports/studio-prompts.ts';
import { UNPAIRED_LIMITS } from '../../protocol/limits.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';

export interface UnpairedGateDeps {
  readonly settings: Pick<Settings, 'studioUnpaired'>;
  /** `undefined` if no person can be asked; then nothing unpaired is admitted unless the setting allows it. */
  readonly prompts: StudioPrompts | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

interface Grant {
  readonly studio: UnpairedStudio;
  lastUsedAt: number;
}

/**
 * Decides about Studios that cannot prove a key: Rojo's plugin, the Atlas plugin and old versions of ours. A grant is for a dialect and a
 * place. HTTP requests do not name a place, so they are covered by any grant of their dialect.
 */
export class UnpairedGate {
  readonly #deps: UnpairedGateDeps;
  readonly #grants = new Map<string, Grant>();
  /** Studios that the person blocked until the bridge stops. */
  readonly #blocked = new Set<string>();
  /** When the next question may be asked. One dialog at a time is open, whatever the place. */
  #askAt = 0;
  readonly #open = new Map<StudioDialect, number>();

  constructor(deps: UnpairedGateDeps) {
    this.#deps = deps;
  }

  /** Whether the Studio may use more than the greeting. Asks the person if that is not decided yet. */
  admits(studio: UnpairedStudio): boolean {
    const policy = this.#deps.settings.studioUnpaired();
    if (policy !== 'ask') return policy === 'allow';
    const now = this.#deps.clock.now();
    const grant = this.#grantFor(studio, now);
    if (grant !== undefined) {
      grant.lastUsedAt = now;
      return true;
    }
    const { prompts } = this.#deps;
    if (prompts === undefined) return false;
    if (prompts.isAlwaysAllowed(studio)) {
      this.#grants.set(keyOf(studio), { studio, lastUsedAt: now });
      return true;
    }
    void this.#ask(prompts, studio, now);
    return false;
  }

  /** The reason for a refusal, with the next step. */
  reason(): string {
    if (this.#deps.settings.studioUnpaired() === 'block')
      return 'this Studio is not paired, and the setting atlas.studio.unpaired is block';
    return this.#deps.prompts === undefined
      ? 'this Studio is not paired; start the bridge with --allow-unpaired to connect it'
      : 'this Studio is not paired; allow it in VS Code, then connect again';
  }

  /** Whether every local program may act as a Studio. */
  isOpenToAll(): boolean {
    return this.#deps.settings.studioUnpaired() === 'allow';
  }

  /** Keeps the grants of the dialect while a connection is open. */
  hold(dialect: StudioDialect): Disposable {
    const count = (change: number): void => void this.#open.set(dialect, (this.#open.get(dialect) ?? 0) + change);
    count(1);
    return {
      [Symbol.dispose]: () => {
        count(-1);
        const now = this.#deps.clock.now();
        for (const grant of this.#grants.values()) if (grant.studio.dialect === dialect) grant.lastUsedAt = now;
      },
    };
  }

  #grantFor(studio: UnpairedStudio, now: number): Grant | undefined {
    for (const [key, grant] of this.#grants) {
      const isHeld = (this.#open.get(grant.studio.dialect) ?? 0) > 0;
      if (!isHeld && now - grant.lastUsedAt > UNPAIRED_LIMITS.idleMs) this.#grants.delete(key);
      else if (covers(grant.studio, studio)) return grant;
    }
    return undefined;
  }

  async #ask(prompts: StudioPrompts, studio: UnpairedStudio, now: number): Promise<void> {
    const key = keyOf(studio);
    if (this.#blocked.has(key) || now < this.#askAt) return;
    this.#askAt = Infinity;
    const { log, clock } = this.#deps;
    log.info('asked about a Studio without pairing', { dialect: studio.dialect, place: studio.place });
    let isAllowed = false;
    try {
      const answer = await prompts.allowUnpaired(studio);
      isAllowed = answer === 'once' || answer === 'always';
      if (answer === 'block') this.#blocked.add(key);
      if (isAllowed) this.#grants.set(key, { studio, lastUsedAt: clock.now() });
    } catch (error) {
      log.error('the question about a Studio without pairing failed', error);
    }
    this.#askAt = clock.now() + (isAllowed ? 0 : UNPAIRED_LIMITS.askAgainMs);
  }
}

const keyOf = ({ dialect, place }: UnpairedStudio): string => `${dialect} ${place ?? ''}`;

const covers = (granted: UnpairedStudio, studio: UnpairedStudio): boolean =>
  granted.dialect === studio.dialect &&
  (granted.place === undefined || studio.place === undefined || granted.place === studio.place);
