import type { ProjectPath } from '../../base/brand.ts';
import { ScriptProperties } from '../../roblox/instances/script-properties.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { readText } from './pass.ts';
import type { FileKind } from './rules.ts';
import { fileSnapshot, type Middleware, type SnapshotPass } from './middleware.ts';
import type { SnapshotSettings } from './source-snapshot.ts';

export type ScriptKind = Extract<FileKind, `${string}Script`>;

/** Numbers of the items of Enum.RunContext. */
export const RUN_CONTEXT = { Legacy: 0, Server: 1, Client: 2, Plugin: 3 } as const;

/**
 * A script file: its text, with LF line ends and without a byte-order mark, is the Source. Both belong to the file: they are kept when it
 * is written back, and Luau could not read a mark. `reference/project-format.md`, section 2.6.
 */
export const script =
  (kind: ScriptKind): Middleware =>
  async (pass, file) => {
    const read = await readScript(pass, file.path, kind, file.settings);
    if (read === 'broken' || read === undefined) return read;
    return fileSnapshot(pass, file, { ...read, home: { text: { path: file.path, property: 'Source' } } });
  };

export interface ScriptText {
  readonly className: string;
  readonly properties: ReadonlyMap<string, Variant>;
}

export async function readScript(
  pass: SnapshotPass,
  path: ProjectPath,
  kind: ScriptKind,
  settings: SnapshotSettings,
): Promise<ScriptText | 'broken' | undefined> {
  const read = await readText(pass, path);
  if (read === 'broken' || read === undefined) return read;
  const { className, runContext } = scriptClass(kind, settings);
  const source = pass.texts.keep(sourceOf(read.text));
  return { className, properties: new ScriptProperties(source, runContext && RUN_CONTEXT[runContext]) };
}

/** What the kind of a script file makes of it; `writeback/script-files.ts` goes the other way. */
export function scriptClass(
  kind: ScriptKind,
  settings: Pick<SnapshotSettings, 'dialect' | 'emitLegacyScripts'>,
): { readonly className: string; readonly runContext?: keyof typeof RUN_CONTEXT } {
  const isLegacy = settings.dialect === 'rojo' && settings.emitLegacyScripts;
  switch (kind) {
    case 'moduleScript':
      return { className: 'ModuleScript' };
    case 'localScript':
      return { className: 'LocalScript' };
    case 'legacyScript':
      return { className: 'Script', runContext: 'Legacy' };
    case 'pluginScript':
      return { className: 'Script', runContext: 'Plugin' };
    case 'runContextServerScript':
      return { className: 'Script', runContext: 'Server' };
    case 'runContextClientScript':
      return { className: 'Script', runContext: 'Client' };
    case 'serverScript':
      return { className: 'Script', runContext: isLegacy ? 'Legacy' : 'Server' };
    case 'clientScript':
      return isLegacy ? { className: 'LocalScript' } : { className: 'Script', runContext: 'Client' };
  }
}

/** The Source that a script file with that text has. */
export const sourceOf = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
