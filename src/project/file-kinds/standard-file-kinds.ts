import { csv } from './csv.ts';
import { json, toml, yaml } from './data.ts';
import { FileKinds } from './file-kinds.ts';
import { jsonModel } from './json-model.ts';
import { rbxm, rbxmx } from './model-file.ts';
import { project } from './project.ts';
import { scriptKinds } from './scripts.ts';
import { text } from './text.ts';

/** Every kind of file that a project can have. */
export const standardKinds = [csv, jsonModel, json, toml, yaml, text, ...scriptKinds, project, rbxm, rbxmx] as const;

export const standardFileKinds = new FileKinds(standardKinds);
