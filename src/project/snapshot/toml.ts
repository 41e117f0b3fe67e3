import { readToml } from '../../roblox/formats/toml.ts';
import { dataFile } from './data-module.ts';

/** `*.toml`: a ModuleScript that returns its table. */
export const toml = dataFile(readToml);
