import { readFileSync } from 'node:fs';
import { createReflection } from '../../src/roblox/instances/reflection.ts';
import type { ReflectionData } from '../../src/roblox/instances/reflection-data.ts';

const file = new URL('../../src/roblox/instances/reflection.generated.json', import.meta.url);

/** The shipped reflection data, as text and parsed. */
export const reflectionText = readFileSync(file, 'utf8');
export const reflectionData = JSON.parse(reflectionText) as ReflectionData;
export const reflection = createReflection(reflectionText);
