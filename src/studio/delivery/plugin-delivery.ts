import { AppError } from '../../base/errors.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { StudioKey } from '../../ports/studio-keys.ts';
import type { PluginFiles } from '../../ports/plugin-files.ts';
import { withInstalledKey } from './installed-key.ts';
import { type Machine, type PluginFolder, pluginFolders } from './plugin-folders.ts';
import type { PluginReceipt } from '../../protocol/plugin-receipt.ts';
import { classifyFile, readReceipt } from './plugin-receipt.ts';

/** File name of the plugin in each plugin folder. */
export const PLUGIN_FILE = 'AtlasBridge.rbxmx';

export interface PluginDeliveryDeps {
  readonly files: PluginFiles;
  readonly hasher: Hasher;
  /** Called only when needed, because detection is slow in WSL. */
  readonly machine: () => Promise<Machine>;
  /** The plugin that is bundled with this version, without a key. */
  readonly plugin: () => Promise<Uint8Array>;
  /** The key of this computer, which installed plugins contain. */
  readonly key: () => Promise<StudioKey>;
  readonly version: string;
}

/** Absolute paths of the plugin files after an operation. */
export interface DeliveryResult {
  /** Written or removed by this operation. */
  readonly changed: readonly string[];
  /** Already up to date. */
  readonly current: readonly string[];
}

/**
 * Status of the plugin on this computer. `oldKey`: its key was replaced since; `noStudio`: no Studio folder was found; `foreign`: another
 * program wrote the file.
 */
export type PluginPresence =
  | { readonly kind: 'current' | 'outdated' | 'oldKey' | 'absent' | 'noStudio' }
  | { readonly kind: 'foreign'; readonly file: string };

/** Installs the Studio plugin into Studio's plugin folders. Never changes a file that it did not install. */
export interface PluginDelivery {
  /** @throws AppError STUDIO_NOT_FOUND, PLUGIN_FILE_FOREIGN, FS_WRITE_FAILED */
  install(): Promise<DeliveryResult>;
  /** Updates installed plugins to this version; installs nothing new. @throws AppError PLUGIN_FILE_FOREIGN, FS_WRITE_FAILED */
  update(): Promise<DeliveryResult>;
  /** @throws AppError PLUGIN_FILE_FOREIGN, FS_WRITE_FAILED */
  remove(): Promise<DeliveryResult>;
  /** Checks the installation without changing anything. */
  getPresence(): Promise<PluginPresence>;
}

export function createPluginDelivery(deps: PluginDeliveryDeps): PluginDelivery {
  const { files, hasher, version } = deps;
  const hashOf = async (path: string): Promise<string | undefined> => {
    const bytes = await files.read(path);
    return bytes && hasher.sha256(bytes);
  };
  const foreignFile = (path: string): AppError => new AppError('PLUGIN_FILE_FOREIGN', { file: path });
  const saveReceipt = (receipt: PluginReceipt): Promise<void> => files.saveReceipt(receipt);

  /** The file to install, and the hash of the same file without a key, which a person may have copied. */
  const build = async () => {
    const plugin = await deps.plugin();
    const key = await deps.key();
    const bytes = withInstalledKey(plugin, key);
    return { bytes, keyId: key.id, sha256: hasher.sha256(bytes), keyless: hasher.sha256(plugin) };
  };

  const writeAll = async (paths: readonly string[], receipt: PluginReceipt): Promise<DeliveryResult> => {
    const { bytes, keyId, sha256, keyless } = await build();
    const known = new Map(receipt.files.map(file => [file.path, file.sha256]));
    const verdicts = await Promise.all(
      paths.map(async path => {
        const found = await hashOf(path);
        return { path, found, verdict: classifyFile(sha256, found, known.get(path) ?? keyless) };
      }),
    );
    const foreign = verdicts.find(({ verdict }) => verdict === 'foreign');
    if (foreign !== undefined) throw foreignFile(foreign.path);
    const changed: string[] = [];
    for (const { path, found, verdict } of verdicts) {
      if (verdict === 'write') {
        const isSame = (there: Uint8Array | undefined): boolean => (there && hasher.sha256(there)) === found;
        if (!(await files.writeSecret(path, bytes, isSame))) throw foreignFile(path);
        changed.push(path);
      }
      known.set(path, sha256);
      // Saved after each file, so that a later failure leaves no unrecorded file.
      await saveReceipt({ version, keyId, files: Array.from(known, ([at, hash]) => ({ path: at, sha256: hash })) });
    }
    return { changed, current: paths.filter(path => !changed.includes(path)) };
  };

  const findTargets = async (folders: readonly PluginFolder[]): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const { path, requiredFolder } of folders)
      if (requiredFolder === undefined || (await files.isFolder(requiredFolder)))
        paths.push(joinPath(path, PLUGIN_FILE));
    return paths;
  };

  return {
    async install() {
      const folders = pluginFolders(await deps.machine());
      const paths = await findTargets(folders);
      if (paths.length === 0)
        throw new AppError('STUDIO_NOT_FOUND', {
          lookedFor: folders.map(({ path, requiredFolder }) => requiredFolder ?? path),
        });
      return writeAll(paths, readReceipt(await files.receipt()));
    },
    async getPresence() {
      const paths = await findTargets(pluginFolders(await deps.machine()));
      if (paths.length === 0) return { kind: 'noStudio' };
      const hashes = new Map<string, string | undefined>();
      for (const path of paths) hashes.set(path, await hashOf(path));
      // Without a plugin file there may be no key yet, and a check creates none.
      if (Array.from(hashes.values()).every(hash => hash === undefined)) return { kind: 'absent' };
      const { sha256: wanted, keyless, keyId } = await build();
      const receipt = readReceipt(await files.receipt());
      const known = new Map(receipt.files.map(({ path, sha256 }) => [path, sha256]));
      const old = receipt.keyId !== undefined && receipt.keyId !== keyId ? 'oldKey' : 'outdated';
      let kind: 'current' | 'outdated' | 'oldKey' | 'absent' = 'current';
      for (const [path, found] of hashes) {
        if (found === undefined) kind = 'absent';
        else if (classifyFile(wanted, found, known.get(path) ?? keyless) === 'foreign')
          return { kind: 'foreign', file: path };
        else if (found !== wanted && kind === 'current') kind = old;
      }
      return { kind };
    },
    async update() {
      const receipt = readReceipt(await files.receipt());
      // A missing file was removed by a person, so it is not installed again.
      const present: string[] = [];
      for (const { path } of receipt.files) if ((await files.read(path)) !== undefined) present.push(path);
      return present.length === 0 ? { changed: [], current: [] } : writeAll(present, receipt);
    },
    async remove() {
      const receipt = readReceipt(await files.receipt());
      const present = new Set<string>();
      for (const { path, sha256 } of receipt.files) {
        const found = await hashOf(path);
        if (found === undefined) continue;
        if (found !== sha256) throw foreignFile(path);
        present.add(path);
      }
      const changed: string[] = [];
      let left = receipt.files;
      for (const { path, sha256 } of receipt.files) {
        const found = present.has(path) ? await files.read(path) : undefined;
        if (found !== undefined) {
          // A person may have replaced the file since the first check.
          if (hasher.sha256(found) !== sha256 || !(await files.remove(path, found))) throw foreignFile(path);
          changed.push(path);
        }
        left = left.filter(file => file.path !== path);
        await saveReceipt({ ...receipt, files: left });
      }
      return { changed, current: [] };
    },
  };
}

const joinPath = (folder: string, name: string): string => `${folder}${folder.includes('\\') ? '\\' : '/'}${name}`;
