import type { Hasher } from '../../ports/hasher.ts';
import type { Section } from '../language/container/byte-sections.ts';
import { canonicalJson, type Json } from '../language/container/canonical-json.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import { eachItem, type Item } from '../language/syntax/parts.ts';
import { describe } from './describe.ts';
import type { PlutoSession } from './pluto-session.ts';

/** The results of an analysis as container sections, with their counts. */
export interface DerivedSections {
  readonly sections: readonly Section[];
  readonly functions: number;
  readonly errorSets: number;
}

/** The sections `DERV` (facts about the functions of a module) and `HASH` (hashes of the sources that they depend on). */
export function deriveSections(
  session: PlutoSession,
  module: LoadedModule,
  modules: readonly LoadedModule[],
  hasher: Pick<Hasher, 'sha256'>,
): DerivedSections {
  const encoder = new TextEncoder();
  const errorSets: Record<string, Json> = {};
  const signatures: Record<string, Json> = {};
  let functions = 0;
  eachItem(module.module.tree.items, (item, owners) => {
    if (item.id === undefined || !isCallable(item)) return;
    functions += 1;
    const { signature, error_set } = describe(session, { item, id: item.id, owners, module });
    if (signature !== undefined)
      signatures[item.id] = {
        params: signature.params.map(({ name, type }) => ({ name, type })),
        return_type: signature.return_type,
        is_fallible: signature.is_fallible,
      };
    if (error_set !== undefined) errorSets[item.id] = error_set.map(({ id, name }) => ({ id, name }));
  });
  const hash = (text: string): string => hasher.sha256(text);
  const inputs: Record<string, Json> = {};
  for (const { path, module: one } of modules) inputs[path] = hash(one.text);
  const derived = canonicalJson({ error_sets: errorSets, signatures });
  const hashes = canonicalJson({ derived: hash(derived), inputs, source: hash(module.module.text) });
  const section = (tag: string, json: string): Section => ({ tag, isRequired: false, bytes: encoder.encode(json) });
  return {
    sections: [section('DERV', derived), section('HASH', hashes)],
    functions,
    errorSets: Object.keys(errorSets).length,
  };
}

const isCallable = ({ kind }: Item): boolean =>
  kind === 'FunctionDecl' || kind === 'ExternDecl' || kind === 'MethodDecl' || kind === 'RequiredMethod';
