import { readYaml } from '../../roblox/formats/yaml.ts';
import { dataFile } from './data-module.ts';

/** `*.yml`, `*.yaml`: a ModuleScript that returns its value. */
export const yaml = dataFile(readYaml);
