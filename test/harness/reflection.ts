import { readFileSync } from 'node:fs';
import { createReflection } from '../../src/core/dom/reflection.ts';
import type { ReflectionData } from '../../src/core/dom/reflection-data.ts';

const file = new URL('../../src/core/dom/reflection.generated.json', import.meta.url);

/** The data that the product ships, as text and parsed. */
export const reflectionText = readFileSync(file, 'utf8');
export const reflectionData = JSON.parse(reflectionText) as ReflectionData;
export const reflection = createReflection(reflectionText);
