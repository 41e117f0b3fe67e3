import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import { kindNames, nameOfItem } from '../language/syntax/parts.ts';
import { isPub } from '../session/describe.ts';
import { declarationsOf } from '../session/edits/snippet.ts';
import { signatureOf } from '../session/signature.ts';

/** The declarations of a module in source order, as tools and resources list them. */
export const listedDeclarations = (module: ParsedModule) =>
  declarationsOf(module).map(item => {
    const signature = signatureOf(module.text, item);
    const listed = { id: item.id ?? '', name: nameOfItem(item), kind: kindNames[item.kind], is_pub: isPub(item) };
    return signature === undefined ? listed : { ...listed, signature };
  });
