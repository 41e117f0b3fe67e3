import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Settings } from '../../ports/settings.ts';
import type { BaseState } from '../../ports/base-store.ts';
import type { TextStore, TextToStore } from '../../ports/text-store.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

export interface BaseTextsDeps {
  readonly texts: TextStore;
  readonly git: Git;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly log: Logger;
}

const BYTES_PER_MEGABYTE = 1024 * 1024;
const never = new AbortController().signal;

/** The last common texts of scripts. Texts that git has are not stored again. */
export class BaseTexts {
  readonly #deps: BaseTextsDeps;
  /** Texts are stored after a run, so that no run waits for it. */
  #storing: Promise<void> = Promise.resolve();
  /** Hashes whose texts the store or git had when this process last checked. */
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
    const unknown = texts.filter(({ hash }) => !this.#known.has(hash));
    if (unknown.length === 0) return;
    for (const { hash } of unknown) this.#known.add(hash);
    this.#storing = this.#storing.then(async () => {
      try {
        await this.#store(unknown, needed);
      } catch (error) {
        for (const { hash } of unknown) this.#known.delete(hash);
        this.#deps.log.warn('could not store the base texts of scripts', { reason: String(error) });
      }
    });
  }

  async #store(added: readonly TextToStore[], needed: () => ReadonlySet<string>): Promise<void> {
    const { texts, git, settings } = this.#deps;
    const byHash = new Map(added.map(text => [text.hash, text]));
    const missing = await texts.missing(Array.from(byHash.keys()));
    const inGit = await git.storedBlobs(missing, never);
    await texts.put(
      missing.flatMap(hash => {
        const text = inGit.has(hash) ? undefined : byHash.get(hash);
        return text === undefined ? [] : [text];
      }),
    );
    await texts.prune(settings.baseMaxMegabytes() * BYTES_PER_MEGABYTE, needed());
  }

  /** The text with this git blob id, with LF line ends; `undefined` if neither the store nor git has it any more. */
  async read(hash: string, signal: AbortSignal): Promise<string | undefined> {
    const { texts, git, hasher, log } = this.#deps;
    await this.#storing;
    try {
      const stored = await texts.get(hash);
      if (stored !== undefined) return stored;
    } catch (error) {
      log.warn('could not read a base text', { reason: String(error) });
    }
    const bytes = await git.blob(hash, signal);
    return bytes === undefined || hasher.gitBlob(bytes) !== hash
      ? undefined
      : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }
}

/** The text of a script, for the store of base texts. */
export function textOf({ properties }: Instance, { source }: BaseState): readonly TextToStore[] {
  const value = properties.get('Source');
  return source === undefined || value?.type !== 'String' ? [] : [{ hash: source, text: () => value.value }];
}
