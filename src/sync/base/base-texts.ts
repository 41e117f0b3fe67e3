import { TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Settings } from '../../ports/settings.ts';
import type { BaseState } from '../../ports/base-store.ts';
import type { TextStore, TextToStore } from '../../ports/text-store.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

export interface BaseTextsDeps {
  readonly texts: TextStore;
  readonly git: Git;
  readonly journal: Pick<JournalStore, 'keepBlobs' | 'findBlob'>;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
}

const BYTES_PER_MEGABYTE = 1024 * 1024;
const never = new AbortController().signal;

/** Maximum number of hashes that are remembered as stored. Beyond it all are forgotten, because checking them again is cheap. */
const MAX_KNOWN = 200_000;

/** The last common texts of scripts. Texts that git or the journal has are not stored again. */
export class BaseTexts {
  readonly #deps: BaseTextsDeps;
  /** Texts are stored after a run, so that no run waits for it. */
  #storing: Promise<void> = Promise.resolve();
  /** Hashes whose texts the store, git or the journal had when this process last checked. */
  readonly #known = new Set<string>();

  constructor(deps: BaseTextsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores texts in the background. A failure is logged: without its base text, a script is not merged.
   *
   * @param needed the hashes of the current base, which are removed last when the store is too large
   */
  store(texts: readonly TextToStore[], needed: () => ReadonlySet<string>): void {
    if (texts.length === 0) return;
    this.#storing = this.#storing.then(async () => {
      const unknown = new Map<string, TextToStore>();
      const slice = new TimeSlice(this.#deps.clock);
      for (const text of texts) {
        await slice.yieldToEventLoop();
        if (!this.#known.has(text.hash)) unknown.set(text.hash, text);
      }
      if (unknown.size === 0) return;
      try {
        await this.#store(unknown, needed);
        if (this.#known.size > MAX_KNOWN) this.#known.clear();
        for (const hash of unknown.keys()) this.#known.add(hash);
      } catch (error) {
        this.#deps.log.warn('could not store the base texts of scripts', { reason: String(error) });
      }
    });
  }

  async #store(byHash: ReadonlyMap<string, TextToStore>, needed: () => ReadonlySet<string>): Promise<void> {
    const { texts, git, journal, settings } = this.#deps;
    const missing = await texts.missing(Array.from(byHash.keys()));
    const inGit = await git.storedBlobs(missing, never);
    const inJournal = await journal.keepBlobs(missing.filter(hash => !inGit.has(hash)));
    await texts.put(
      missing.flatMap(hash => {
        const text = inGit.has(hash) || inJournal.has(hash) ? undefined : byHash.get(hash);
        return text === undefined ? [] : [text];
      }),
    );
    await texts.prune(settings.baseMaxMegabytes() * BYTES_PER_MEGABYTE, needed);
  }

  /** The text with this git blob id, with LF line ends; `undefined` if neither the store, the journal nor git has it any more. */
  async read(hash: string, signal: AbortSignal): Promise<string | undefined> {
    const { texts, git, journal, hasher, log } = this.#deps;
    await this.#storing;
    const decode = (bytes: Uint8Array | undefined): string | undefined =>
      bytes === undefined || hasher.gitBlob(bytes) !== hash
        ? undefined
        : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    // The journal before the store, because pruning moves texts from one to the other.
    const sources = [
      async () => decode(await journal.findBlob(hash)),
      () => texts.get(hash),
      async () => decode(await git.blob(hash, signal)),
    ];
    for (const read of sources) {
      try {
        const text = await read();
        if (text !== undefined) return text;
      } catch (error) {
        log.warn('could not read a base text', { reason: String(error) });
      }
    }
    return undefined;
  }
}

/** The text of a script, for the store of base texts. */
export function textToStore({ properties }: Instance, { source }: BaseState): readonly TextToStore[] {
  const value = properties.get('Source');
  return source === undefined || value?.type !== 'String' ? [] : [{ hash: source, text: () => value.value }];
}
