import { snapshotProject } from '../snapshot/project.ts';
import type { FileKind } from './file-kind.ts';

/** `*.project.json`: a nested project. */
export const project: FileKind = {
  name: 'project',
  syncRuleNames: ['project'],
  suffixes: [
    { suffix: '.project.json' },
    { suffix: '.project.jsonc', dialect: 'rojo' },
    { suffix: '.project.json5', dialect: 'atlas' },
  ],
  content: 'project',
  read: (pass, { path, name, settings }) =>
    snapshotProject(pass, { entry: path, file: path, outer: settings, byRule: name }),
};
