import { readFileSync } from 'node:fs';
import { type ProjectField, projectFields, syncbackFields } from '../../src/project/project-file/project-fields.ts';

const page = new URL('../../docs/switching.md', import.meta.url);

/** `docs/switching.md`, which is written by hand except for the tables of fields. */
export function switchingPage(): string {
  return readFileSync(page, 'utf8')
    .replace(/(<!-- project fields -->\n).*?(<!-- end -->)/s, `$1\n${table(projectFields)}\n\n$2`)
    .replace(/(<!-- syncback fields -->\n).*?(<!-- end -->)/s, `$1\n${table(syncbackFields)}\n\n$2`);
}

function table(fields: Readonly<Record<string, ProjectField>>): string {
  const rows = Object.entries(fields).map(
    ([name, { of, effect, warning }]) =>
      `| \`${name}\` | ${of} | ${warning === undefined ? 'obeyed' : 'named in a warning'} | ${effect} |`,
  );
  return ['| Field | Of | Here | Effect |', '|---|---|---|---|', ...rows].join('\n');
}
