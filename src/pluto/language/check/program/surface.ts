import type { Decl } from '../../syntax/ast/decl.ts';
import type { Span } from '../../syntax/ast/span.ts';

/** Differs from every text of a declaration. */
const BROKEN = '\0';

/**
 * The text of a declaration without its bodies: the part that other declarations can depend on. The token after a header decides whether a
 * result is missing or broken, so a broken one is marked. Classes contain that token.
 */
export function surfaceOf(text: string, decl: Decl): string {
  let surface = '';
  let at = decl.start;
  for (const body of bodiesOf(decl)) {
    surface += text.slice(at, body.start);
    at = body.end;
  }
  return surface + text.slice(at, decl.end) + (hasBrokenResult(decl) ? BROKEN : '');
}

const hasBrokenResult = (decl: Decl): boolean =>
  (decl.kind === 'FunctionDecl' || decl.kind === 'ExternDecl') && decl.result?.kind === 'BrokenType';

function bodiesOf(decl: Decl): readonly Span[] {
  switch (decl.kind) {
    case 'FunctionDecl':
    case 'TestDecl':
      return [decl.body];
    case 'ClassDecl':
    case 'TraitDecl':
    case 'AppDecl':
    case 'StageDecl': {
      const bodies: Span[] = [];
      for (const member of decl.members)
        if (member.kind === 'MethodDecl' && member.body !== undefined) bodies.push(member.body);
      return bodies;
    }
    default:
      return [];
  }
}
