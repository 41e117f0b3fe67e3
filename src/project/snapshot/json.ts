import { jsonValue } from '../../roblox/formats/json5-document.ts';
import { dataModule } from './data-module.ts';
import type { Middleware } from './middleware.ts';
import { readJson } from './pass.ts';

/** A JSON file with data: a ModuleScript that returns its value. */
export const json: Middleware = async (pass, file) => {
  const document = await readJson(pass, file.path);
  if (document === undefined || document === 'broken') return document;
  return dataModule(pass, file, jsonValue(document.root));
};
