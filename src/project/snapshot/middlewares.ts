import { csv } from './csv.ts';
import { json } from './json.ts';
import { jsonModel } from './json-model.ts';
import type { Middleware } from './middleware.ts';
import { snapshotProject } from './project.ts';
import type { FileKind } from './rules.ts';
import { script } from './script.ts';
import { rbxm, rbxmx } from './model-file.ts';
import { text } from './text.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

export const middlewares: { readonly [K in FileKind]: Middleware } = {
  serverScript: script('serverScript'),
  clientScript: script('clientScript'),
  pluginScript: script('pluginScript'),
  legacyScript: script('legacyScript'),
  localScript: script('localScript'),
  moduleScript: script('moduleScript'),
  runContextServerScript: script('runContextServerScript'),
  runContextClientScript: script('runContextClientScript'),
  project: (pass, { path, name, settings }) =>
    snapshotProject(pass, { entry: path, file: path, outer: settings, byRule: name }),
  jsonModel,
  json,
  toml,
  yaml,
  csv,
  rbxm,
  rbxmx,
  text,
};

export const isScriptKind = (kind: FileKind): boolean => kind.endsWith('Script');
