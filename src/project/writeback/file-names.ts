import type { Dialect } from '../project-file/project-file.ts';
import { CannotWriteError } from './cannot-write-error.ts';

// U+FFFD stands for bytes that are no text, also where somebody wrote it.
const forbidden = /[<>:"/|?*\\~\uFFFD\p{Cc}\p{Cs}]/gu;
const dangerous = /(?:\.(?:server|client|plugin|local|legacy|meta|model|project))+$/i;
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
/** Bytes; most file systems allow 255, and suffix and number come on top. */
const LONGEST = 200;

/** Whether a file of that name would be read back as another instance, or cannot exist on every platform. */
export function needsSlug(name: string, dialect: Dialect): boolean {
  return (
    slugOf(name) !== name && !(dialect === 'rojo' && slugOf(name.replaceAll('~', '')) === name.replaceAll('~', ''))
  );
}

/** What is called like an instance: a file whose ending says its kind, a folder, or a model file, whose ending says nothing else. */
export type NameKind = 'file' | 'folder' | 'model';

/** Whether what is made of an instance can have its very name in the Rojo dialect: `Init` and `a.server` are names for folders and models. */
export function fitsRojo(name: string, kind: NameKind): boolean {
  if (kind === 'file' || name === '') return !needsSlug(name, 'rojo');
  return !needsSlug(`${name}.x`, 'rojo') && !(kind === 'folder' && /[ .]$/.test(name));
}

/** A name that every platform can hold and that says nothing beside: `reference/project-format.md`, section 6.6.3. */
export function slugOf(name: string): string {
  let slug = name.replace(forbidden, '_').replace(/^ +/, '');
  for (let before = ''; before !== slug;) {
    before = slug;
    slug = slug.replace(/[ .]+$/, '').replace(dangerous, suffixes => suffixes.replaceAll('.', '_'));
  }
  if (reserved.test(slug)) slug = slug.replace(/^[^.]*/, '$&_');
  if (slug.toLowerCase() === 'init') slug += '_';
  slug = truncate(slug);
  return /^_*$/.test(slug) ? 'instance' : slug;
}

function truncate(text: string): string {
  const encoder = new TextEncoder();
  let result = text;
  while (encoder.encode(result).length > LONGEST) result = Array.from(result).slice(0, -1).join('');
  return result;
}

/**
 * The first part of the file names of a new instance: its name, or in the Atlas dialect something close to it.
 *
 * @param isFree whether a base can be used
 * @returns `isExact`: the files say the name by themselves
 * @throws Refusal in the Rojo dialect, where a file cannot have another name than its instance
 */
export function chooseBase(
  name: string,
  dialect: Dialect,
  isFree: (base: string) => boolean,
  kind: NameKind = 'file',
): { readonly base: string; readonly isExact: boolean } {
  const isExact = dialect === 'rojo' ? fitsRojo(name, kind) : !needsSlug(name, dialect);
  if (!isExact && dialect === 'rojo')
    throw new CannotWriteError(`no file can have the name ${JSON.stringify(name)}; rename the instance in Studio`);
  const slug = isExact ? name : slugOf(name);
  if (isFree(slug)) return { base: slug, isExact };
  if (dialect === 'rojo')
    throw new CannotWriteError(
      `a file of the name ${JSON.stringify(name)} is there already; rename the instance in Studio`,
    );
  for (let number = 2; ; number += 1) if (isFree(`${slug}~${number}`)) return { base: `${slug}~${number}`, isExact };
}
