import { readFileSync } from 'node:fs';
import { type ProjectField, projectFields, syncbackFields } from '../../src/project/project-file/project-fields.ts';

import { fieldOwners, projectEffects, syncbackEffects } from '../schemas/project.ts';

const page = new URL('../../docs/switching.md', import.meta.url);

/** `docs/switching.md`, which is written by hand except for the tables of fields. */
export function switchingPage(): string {
  return readFileSync(page, 'utf8')
    .replace(/(<!-- project fields -->\n).*?(<!-- end -->)/s, `$1\n${table(projectFields, projectEffects)}\n\n$2`)
    .replace(/(<!-- syncback fields -->\n).*?(<!-- end -->)/s, `$1\n${table(syncbackFields, syncbackEffects)}\n\n$2`);
}

function table(fields: Readonly<Record<string, ProjectField>>, effects: Readonly<Record<string, string>>): string {
  const rows = Object.entries(fields).map(
    ([name, { warning }]) =>
      `| \`${name}\` | ${fieldOwners[name] ?? 'Rojo and Atlas'} | ${warning === undefined ? 'used' : 'not used, with a warning'} | ${effects[name] ?? ''} |`,
  );
  return ['| Field | Of | Here | Effect |', '|---|---|---|---|', ...rows].join('\n');
}
