import type { MethodDecl, RequiredMethod } from '../../syntax/ast/decl.ts';
import type { Body } from '../body/body.ts';
import type { StageSymbol } from '../types/type.ts';

/** The ancestors of a stage, nearest first. */
export function parentsOf(
  { context }: { readonly context: Pick<Body['context'], 'signatures'> },
  symbol: StageSymbol,
): readonly StageSymbol[] {
  const parents: StageSymbol[] = [];
  for (
    let at = context.signatures.app(symbol).parent;
    at !== undefined && at !== symbol && !parents.includes(at);
    at = context.signatures.app(at).parent
  )
    parents.push(at);
  return parents;
}

const methodsOf = ({ decl }: StageSymbol): readonly MethodDecl[] =>
  decl.members.filter(member => member.kind === 'MethodDecl');
const requiredOf = ({ decl }: StageSymbol): readonly RequiredMethod[] =>
  decl.members.filter(member => member.kind === 'RequiredMethod');

/** The names of the required methods that no stage of the chain implements. */
export function unmetRequirements(chain: readonly StageSymbol[]): readonly string[] {
  const unmet = new Set(chain.flatMap(stage => requiredOf(stage).map(({ name }) => name.text)));
  for (const stage of chain) for (const { name } of methodsOf(stage)) unmet.delete(name.text);
  return Array.from(unmet);
}

/** Checks a stage against its parents. */
export function checkStage(body: Body, symbol: StageSymbol, isParent: boolean): void {
  const { program, file } = body.context;
  const { decl } = symbol;
  const { parent } = decl;
  const parents = parentsOf(body, symbol);
  for (const stage of parents) program.tracker.see(stage);
  if (parent !== undefined && parent.text !== '') {
    if (program.find(file, parent.text, 'StageDecl') === undefined)
      body.report(
        'stage-parent-unknown',
        parent,
        `stage '${symbol.name}' inherits from unknown stage '${parent.text}'`,
      );
    const last = parents.at(-1) ?? symbol;
    const next = body.context.signatures.app(last).parent;
    if (next !== undefined && (next === symbol || parents.includes(next)))
      return body.report(
        'stage-cycle',
        parent,
        `circular stage inheritance: ${[symbol, ...parents, next].map(({ name }) => name).join(' → ')}`,
      );
  }
  checkOverriding(body, symbol, parents);
  for (const dep of decl.deps)
    if (parents.some(stage => stage.decl.deps.some(({ name }) => name.text === dep.name.text)))
      body.report(
        'stage-dependency-duplicate',
        dep.name,
        `duplicate injected field '${dep.name.text}': a parent stage has it`,
      );
  const unmet = isParent ? [] : unmetRequirements([symbol, ...parents]);
  if (unmet.length > 0)
    body.report(
      'stage-requirement-unmet',
      decl.name,
      `stage '${symbol.name}' has unimplemented required methods: ${unmet.join(', ')}`,
    );
}

function checkOverriding(body: Body, symbol: StageSymbol, parents: readonly StageSymbol[]): void {
  for (const method of methodsOf(symbol)) {
    const name = method.name.text;
    if (name === '') continue;
    const isMethod = parents.some(stage => methodsOf(stage).some(other => other.name.text === name));
    const isRequired = [symbol, ...parents].some(stage => requiredOf(stage).some(other => other.name.text === name));
    if (method.isOverride && !isMethod && !isRequired)
      body.report('override-without-target', method.name, `'${name}' does not override any method of a parent stage`);
    if (!method.isOverride && (isMethod || isRequired))
      body.report(
        'override-missing',
        method.name,
        `'${name}' shadows a parent method: write 'override fn ${name}' to replace it`,
      );
  }
}
