import type { PluginFiles } from '../../src/ports/plugin-files.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Files of a machine in memory, by absolute path. */
export class MemoryPluginFiles implements PluginFiles {
  readonly texts: Map<string, string>;
  kept: unknown;

  constructor(texts: Readonly<Record<string, string>> = {}) {
    this.texts = new Map(Object.entries(texts));
  }

  isFolder = async (path: string): Promise<boolean> =>
    Array.from(this.texts.keys()).some(one => one.startsWith(`${path}/`));
  read = async (path: string): Promise<Uint8Array | undefined> => {
    const text = this.texts.get(path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  };
  replace = async (path: string, bytes: Uint8Array, expected: Uint8Array | undefined): Promise<boolean> => {
    const isExpected = this.texts.get(path) === (expected && utf8.decode(expected));
    if (isExpected) this.texts.set(path, utf8.decode(bytes));
    return isExpected;
  };
  writeSecret = async (
    path: string,
    bytes: Uint8Array,
    mayReplace: (there: Uint8Array | undefined) => boolean,
  ): Promise<boolean> => {
    const isReplaced = mayReplace(await this.read(path));
    if (isReplaced) this.texts.set(path, utf8.decode(bytes));
    return isReplaced;
  };
  remove = async (path: string, expected: Uint8Array): Promise<boolean> =>
    this.texts.get(path) === utf8.decode(expected) && this.texts.delete(path);
  receipt = async (): Promise<unknown> => this.kept;
  saveReceipt = async (value: unknown): Promise<void> => void (this.kept = JSON.parse(JSON.stringify(value)));
}
