import type { RawDiagnostic } from '../report/check-codes.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { CallSite } from './call-site.ts';
import type { ErrorsOf } from './effects.ts';

/** Reports unhandled fallible calls and handlers of infallible calls. In an instance only the former: other instances may be fallible. */
export function checkErrorHandling(
  sites: readonly CallSite[],
  errorsOf: ErrorsOf,
  isInstance: boolean,
): readonly RawDiagnostic[] {
  if (sites.length === 0) return NOTHING;
  const found: RawDiagnostic[] = [];
  for (const site of sites) {
    const errors = raisedBy(site, errorsOf);
    if (site.how === 'bare' && errors.size === 0) continue;
    const report = (code: RawDiagnostic['code'], message: string): void => {
      found.push({ severity: 'error', code, message, start: site.start, end: site.end });
    };
    const kind = site.what.split(' ', 1)[0] ?? 'function';
    if (errors.size > 0) {
      if (site.how === 'bare')
        report(
          'error-unhandled',
          `call to fallible ${site.what} must be handled with '!' or catch: it can raise ${namesOf(errors)}`,
        );
      if (site.covers === undefined) continue;
      const { covers } = site;
      const open = Array.from(errors).filter(error => !covers.includes(error));
      if (open.length > 0) report('catch-incomplete', `no catch handler covers ${namesOf(open, covers)}`);
      continue;
    }
    if (isInstance || site.isOpen) continue;
    if (site.how === 'propagate')
      report(
        'propagate-infallible',
        `'!' applied to infallible ${kind}: ${site.what} raises nothing, so remove the '!'`,
      );
    if (site.how === 'catch')
      report(
        'catch-infallible',
        `catch applied to infallible ${kind}: ${site.what} raises nothing, so remove the 'catch'`,
      );
  }
  return found.length === 0 ? NOTHING : found;
}

const NOTHING: readonly RawDiagnostic[] = [];

function raisedBy({ key, direct }: CallSite, errorsOf: ErrorsOf): ReadonlySet<ErrorSymbol> {
  const behind = key === undefined ? undefined : errorsOf(key);
  if (direct.length === 0 && behind !== undefined) return behind;
  return new Set([...direct, ...(behind ?? [])]);
}

/** @param others errors that the names must not be mistaken for */
const namesOf = (errors: Iterable<ErrorSymbol>, others: readonly ErrorSymbol[] = []): string =>
  Array.from(errors, ({ name, file }) => {
    const isAmbiguous = others.some(other => other.name === name);
    return isAmbiguous ? `'${name}' of ${file.path}` : `'${name}'`;
  })
    .toSorted()
    .join(', ');
