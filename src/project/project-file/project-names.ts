import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, nameOf } from '../../base/project-path.ts';
import type { Dialect } from './project-file.ts';

/** Default names of the project file of a folder, in order of preference. Without a dialect, the names of both dialects. */
export const defaultProjectNames = (dialect?: Dialect): readonly string[] => {
  if (dialect === 'rojo') return ['default.project.json', 'default.project.jsonc'];
  if (dialect === 'atlas') return ['default.project.json5', 'default.project.json'];
  return ['default.project.json5', 'default.project.json', 'default.project.jsonc'];
};

/**
 * The name of the root instance of a project: its `name` field; else the folder name, for a default file name; else the name from the sync
 * rule, or the file name without its extension.
 *
 * @param workspace the name of the folder that paths are relative to, for a project file directly in it
 */
export function projectName(file: ProjectPath, name: string | undefined, workspace: string, byRule?: string): string {
  if (name !== undefined) return name;
  if (defaultProjectNames().includes(nameOf(file))) return nameOf(folderOf(file)) || workspace;
  return byRule ?? nameOf(file).replace(/\.project\.json[5c]?$/, '');
}
