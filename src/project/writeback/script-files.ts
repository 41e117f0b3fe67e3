import { RUN_CONTEXT, scriptClass, type ScriptKind } from '../snapshot/script.ts';
import type { SnapshotSettings } from '../snapshot/source-snapshot.ts';

const suffixes = {
  rojo: { moduleScript: '', serverScript: '.server', clientScript: '.client', pluginScript: '.plugin' },
  atlas: {
    moduleScript: '',
    serverScript: '.server',
    clientScript: '.client',
    pluginScript: '.plugin',
    localScript: '.local',
    legacyScript: '.legacy',
  },
} satisfies { readonly [D in SnapshotSettings['dialect']]: { readonly [K in ScriptKind]?: string } };

/**
 * How the file of a script ends. `runContext`: the kind of file does not say it, so a meta file must. `undefined`: no kind of file gives
 * that class. `reference/project-format.md`, appendix B.1.
 */
export function scriptFile(
  className: string,
  runContext: number | undefined,
  settings: SnapshotSettings,
): { readonly suffix: string; readonly runContext?: number } | undefined {
  const context = className === 'Script' ? (runContext ?? RUN_CONTEXT.Legacy) : undefined;
  const kinds = Object.entries(suffixes[settings.dialect]).map(([kind, suffix]) => {
    // The keys of `suffixes` are kinds of scripts.
    const made = scriptClass(kind as ScriptKind, settings);
    return {
      suffix: `${suffix}.luau`,
      className: made.className,
      context: made.runContext && RUN_CONTEXT[made.runContext],
    };
  });
  const ofClass = kinds.filter(kind => kind.className === className);
  const exact = ofClass.find(kind => kind.context === context);
  if (exact) return { suffix: exact.suffix };
  const server = ofClass.find(kind => kind.suffix === '.server.luau');
  return server && context !== undefined ? { suffix: server.suffix, runContext: context } : undefined;
}
