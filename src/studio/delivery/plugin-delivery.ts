import { AppError } from '../../base/errors.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { PluginFiles } from '../../ports/plugin-files.ts';
import { type Machine, type PluginFolder, pluginFolders } from './plugin-folders.ts';
import type { PluginReceipt } from '../../protocol/plugin-receipt.ts';
import { judgeFile, readReceipt } from './plugin-receipt.ts';

/** The name under which the plugin lies in each folder. */
export const PLUGIN_FILE = 'AtlasBridge.rbxmx';

export interface PluginDeliveryDeps {
  readonly files: PluginFiles;
  readonly hasher: Hasher;
  /** Asked when it is needed: in WSL it takes a moment to learn. */
  readonly machine: () => Promise<Machine>;
  /** The plugin that this version carries. */
  readonly plugin: () => Promise<Uint8Array>;
  readonly version: string;
}

/** What came of it; paths are absolute. */
export interface Delivered {
  /** Written or removed now. */
  readonly changed: readonly string[];
  /** Were as they should be already. */
  readonly current: readonly string[];
}

/** How the plugin stands on this machine. `noStudio`: no folder of Studio was found. */
export type PluginPresence =
  | { readonly kind: 'current' | 'outdated' | 'absent' | 'noStudio' }
  | { readonly kind: 'foreign'; readonly file: string };

/** Puts the Studio plugin where Studio looks for it. Touches no file that it did not put there itself. */
export interface PluginDelivery {
  /** @throws AppError STUDIO_NOT_FOUND, PLUGIN_FILE_FOREIGN, FS_WRITE_FAILED */
  install(): Promise<Delivered>;
  /** Brings what is installed to this version; nothing where nothing is. @throws AppError PLUGIN_FILE_FOREIGN, FS_WRITE_FAILED */
  update(): Promise<Delivered>;
  /** @throws AppError PLUGIN_FILE_FOREIGN, FS_WRITE_FAILED */
  remove(): Promise<Delivered>;
  /** Changes nothing. */
  look(): Promise<PluginPresence>;
}

export function createPluginDelivery(deps: PluginDeliveryDeps): PluginDelivery {
  const { files, hasher, version } = deps;
  const hashOf = async (path: string): Promise<string | undefined> => {
    const bytes = await files.read(path);
    return bytes && hasher.sha256(bytes);
  };
  const keep = (receipt: PluginReceipt): Promise<void> => files.saveReceipt(JSON.stringify(receipt));

  const put = async (paths: readonly string[], receipt: PluginReceipt): Promise<Delivered> => {
    const bytes = await deps.plugin();
    const sha256 = hasher.sha256(bytes);
    const known = new Map(receipt.files.map(file => [file.path, file.sha256]));
    const verdicts = await Promise.all(
      paths.map(async path => ({ path, verdict: judgeFile(sha256, await hashOf(path), known.get(path)) })),
    );
    const foreign = verdicts.find(({ verdict }) => verdict === 'foreign');
    if (foreign !== undefined) throw new AppError('PLUGIN_FILE_FOREIGN', { file: foreign.path });
    const changed: string[] = [];
    for (const { path, verdict } of verdicts) {
      if (verdict === 'write') {
        await files.write(path, bytes);
        changed.push(path);
      }
      known.set(path, sha256);
      // After each, so that a failure at the next one leaves no file behind that nobody knows.
      await keep({ version, files: Array.from(known, ([at, hash]) => ({ path: at, sha256: hash })) });
    }
    return { changed, current: paths.filter(path => !changed.includes(path)) };
  };

  const targets = async (folders: readonly PluginFolder[]): Promise<readonly string[]> => {
    const there: string[] = [];
    for (const { path, proof } of folders)
      if (proof === undefined || (await files.isFolder(proof))) there.push(joined(path, PLUGIN_FILE));
    return there;
  };

  return {
    async install() {
      const folders = pluginFolders(await deps.machine());
      const there = await targets(folders);
      if (there.length === 0)
        throw new AppError('STUDIO_NOT_FOUND', { lookedFor: folders.map(({ path, proof }) => proof ?? path) });
      return put(there, readReceipt(await files.receipt()));
    },
    async look() {
      const there = await targets(pluginFolders(await deps.machine()));
      if (there.length === 0) return { kind: 'noStudio' };
      const wanted = hasher.sha256(await deps.plugin());
      const known = new Map(readReceipt(await files.receipt()).files.map(({ path, sha256 }) => [path, sha256]));
      let kind: 'current' | 'outdated' | 'absent' = 'current';
      for (const path of there) {
        const found = await hashOf(path);
        if (found === undefined) kind = 'absent';
        else if (judgeFile(wanted, found, known.get(path)) === 'foreign') return { kind: 'foreign', file: path };
        else if (found !== wanted && kind === 'current') kind = 'outdated';
      }
      return { kind };
    },
    async update() {
      const receipt = readReceipt(await files.receipt());
      // Gone by somebody's hand: to bring it back would undo what a person did.
      const present: string[] = [];
      for (const { path } of receipt.files) if ((await files.read(path)) !== undefined) present.push(path);
      return present.length === 0 ? { changed: [], current: [] } : put(present, receipt);
    },
    async remove() {
      const receipt = readReceipt(await files.receipt());
      const present = new Set<string>();
      for (const { path, sha256 } of receipt.files) {
        const found = await hashOf(path);
        if (found === undefined) continue;
        if (found !== sha256) throw new AppError('PLUGIN_FILE_FOREIGN', { file: path });
        present.add(path);
      }
      const changed: string[] = [];
      let left = receipt.files;
      for (const { path } of receipt.files) {
        if (present.has(path)) {
          await files.remove(path);
          changed.push(path);
        }
        left = left.filter(file => file.path !== path);
        await keep({ ...receipt, files: left });
      }
      return { changed, current: [] };
    },
  };
}

const joined = (folder: string, name: string): string => `${folder}${folder.includes('\\') ? '\\' : '/'}${name}`;
