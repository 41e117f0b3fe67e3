import { readFileSync } from 'node:fs';
import { createReflection, type ReflectionData } from '../../src/core/dom/reflection.ts';

const file = new URL('../../src/core/dom/reflection.generated.json', import.meta.url);

/** The data that the product ships. */
export const reflectionData = JSON.parse(readFileSync(file, 'utf8')) as ReflectionData;
export const reflection = createReflection(reflectionData);
