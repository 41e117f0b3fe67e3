import type { ProjectPath } from '../../base/brand.ts';
import { folderOf } from '../../base/project-path.ts';
import type { JsonDocument } from '../../roblox/formats/json5-document.ts';
import { type Dialect, readProjectFile } from '../project-file/project-file.ts';
import { type LoadedProject, reportProblem, reportWarning, type SnapshotPass } from '../snapshot/pass.ts';
import type { SnapshotSettings } from '../snapshot/source-snapshot.ts';

interface CachedProject {
  readonly text: string;
  readonly outer: SnapshotSettings | undefined;
  readonly loaded: LoadedProject;
}

/** Returns the same objects for the same text, so that instances read with them stay valid. */
export class ProjectCache {
  readonly #byFile = new Map<ProjectPath, CachedProject>();

  load(
    pass: SnapshotPass,
    file: ProjectPath,
    document: JsonDocument,
    outer: SnapshotSettings | undefined,
    dialect: Dialect | undefined,
  ): LoadedProject | undefined {
    const known = this.#byFile.get(file);
    const loaded =
      known?.text === document.text && known.outer === outer
        ? known.loaded
        : load(pass, file, document, outer, dialect);
    if (loaded === undefined) return undefined;
    this.#byFile.set(file, { text: document.text, outer, loaded });
    for (const warning of loaded.project.warnings) reportWarning(pass, file, warning);
    return loaded;
  }
}

function load(
  pass: SnapshotPass,
  file: ProjectPath,
  document: JsonDocument,
  outer: SnapshotSettings | undefined,
  dialect: Dialect | undefined,
): LoadedProject | undefined {
  const project = readProjectFile(file, document, pass.fileNames.syncRuleNames, outer?.dialect ?? dialect);
  if ('expected' in project) {
    reportProblem(pass, file, project);
    return undefined;
  }
  const rules = project.globIgnorePaths.map(rule => ({ folder: folderOf(file), rule }));
  return {
    project,
    settings: {
      dialect: project.dialect,
      // Not inherited: each project sets it for its own files.
      emitLegacyScripts: project.emitLegacyScripts,
      syncScriptsOnly: outer?.syncScriptsOnly ?? project.syncScriptsOnly,
      syncRules: project.syncRules.length > 0 ? { folder: folderOf(file), rules: project.syncRules } : undefined,
      ignoreRules: [...(outer?.ignoreRules ?? []), ...rules],
      projects: [...(outer?.projects ?? []), file],
    },
  };
}
