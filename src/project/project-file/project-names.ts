import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, nameOf } from '../../base/project-path.ts';
import type { Dialect } from './project-file.ts';

/** Names of the project file of a folder, first found first; without a known dialect the names of both. */
export const defaultProjectNames = (dialect?: Dialect): readonly string[] => {
  if (dialect === 'rojo') return ['default.project.json', 'default.project.jsonc'];
  if (dialect === 'atlas') return ['default.project.json5', 'default.project.json'];
  return ['default.project.json5', 'default.project.json', 'default.project.jsonc'];
};

/**
 * What the top instance of a project is called: its `name`; else its folder for a default name; else what the rule says that found the
 * file, or the file without its ending.
 *
 * @param workspace the name of the folder that the paths start in, for a project file right there
 */
export function projectName(file: ProjectPath, name: string | undefined, workspace: string, byRule?: string): string {
  if (name !== undefined) return name;
  if (defaultProjectNames().includes(nameOf(file))) return nameOf(folderOf(file)) || workspace;
  return byRule ?? nameOf(file).replace(/\.project\.json[5c]?$/, '');
}
