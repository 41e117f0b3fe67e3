import type { Ref } from '../../base/brand.ts';

/** The id that means "no instance" on the wire. */
export const NULL_REF = '0'.repeat(32) as Ref;

/** Parses a Ref. Accepts upper and lower case and up to 32 hex digits, as the Rojo server does; `undefined` for anything else. */
export function parseRef(text: string): Ref | undefined {
  return /^[0-9a-fA-F]{1,32}$/.test(text) ? (text.toLowerCase().padStart(32, '0') as Ref) : undefined;
}

/** Texts that mean no instance, and so are never the referent of one. */
export const isNoReferent = (text: string | undefined): boolean =>
  text === undefined || text === '' || text === 'null' || text === 'nil' || text === NULL_REF;
