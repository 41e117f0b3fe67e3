import type { TextStore, TextToStore } from '../../src/ports/text-store.ts';

/** A text store in memory. Its size is the number of UTF-16 units of its texts. */
export class MemoryTextStore implements TextStore {
  readonly texts = new Map<string, string>();

  async put(texts: readonly TextToStore[]): Promise<void> {
    for (const { hash, text } of texts) if (!this.texts.has(hash)) this.texts.set(hash, text());
  }

  async get(hash: string): Promise<string | undefined> {
    return this.texts.get(hash);
  }

  async missing(hashes: readonly string[]): Promise<readonly string[]> {
    return hashes.filter(hash => !this.texts.has(hash));
  }

  async prune(maxBytes: number, needed: () => ReadonlySet<string>): Promise<void> {
    const kept = needed();
    const hashes = Array.from(this.texts.keys());
    const size = (): number => Array.from(this.texts.values()).reduce((sum, text) => sum + text.length, 0);
    const inOrder = [...hashes.filter(hash => !kept.has(hash)), ...hashes.filter(hash => kept.has(hash))];
    for (const hash of inOrder) if (size() > maxBytes) this.texts.delete(hash);
  }
}
