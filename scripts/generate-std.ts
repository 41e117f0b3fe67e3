/** Writes `std-texts.generated.json` from the Pluto sources of the standard library. Run it after you change one of them. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(fileURLToPath(import.meta.url), '../../src/pluto/language/std');

/** The generated file: workers and the bundle have no folder to read the sources from. */
export const stdTextsFile = join(folder, 'std-texts.generated.json');

/** The texts of all modules by name, sorted. */
export function stdTexts(): string {
  const paths = globSync('modules/*.pt', { cwd: folder }).toSorted();
  const texts = paths.map(path => [basename(path, '.pt'), readFileSync(join(folder, path), 'utf8')]);
  return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(stdTextsFile, stdTexts());
  console.log('wrote std-texts.generated.json');
}
