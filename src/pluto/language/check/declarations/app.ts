import type { AppDecl, MethodDecl, StageDecl } from '../../syntax/ast/decl.ts';
import type { Body } from '../body/body.ts';
import { stageChain } from '../body/members.ts';
import { ambientName } from '../program/signatures.ts';
import type { AppSymbol, StageSymbol } from '../types/type.ts';
import { isShorter, Lifecycles } from '../program/lifecycle.ts';
import { checkFields, checkMethodNames } from './parts.ts';

const isMethod = (member: { readonly kind: string }): member is MethodDecl => member.kind === 'MethodDecl';

/** Checks an app or a stage, except for its methods. */
export function checkApp(body: Body, symbol: AppSymbol | StageSymbol, isAbstract: boolean): void {
  const decl: AppDecl | StageDecl = symbol.decl;
  const word = decl.kind === 'AppDecl' ? 'app' : 'stage';
  checkFields(body, decl.deps);
  checkMethodNames(
    body,
    (decl.members as StageDecl['members']).filter(
      member => member.kind === 'MethodDecl' || member.kind === 'RequiredMethod',
    ),
  );
  checkAmbients(body, decl);
  checkOverrides(body, decl);
  checkDependencies(body, decl, word);
  if (!isAbstract) checkMain(body, symbol, word);
}

function checkMain(body: Body, symbol: AppSymbol | StageSymbol, word: string): void {
  const decl: AppDecl | StageDecl = symbol.decl;
  const own = decl.members.find(member => isMethod(member) && member.name.text === 'main');
  if (own === undefined || !isMethod(own)) {
    const isInherited = stageChain(body.context.signatures, symbol).some(({ methods }) => methods.has('main'));
    if (!isInherited) body.report('main-malformed', decl.name, `${word} '${symbol.name}' must have a 'main' method`);
    return;
  }
  const [param] = own.params;
  if (param !== undefined)
    body.report('main-malformed', param, `'main' of ${word} '${symbol.name}' must only take 'self'`);
  if (own.receiver === undefined)
    body.report('main-malformed', own.name, `'main' of ${word} '${symbol.name}' must take 'self'`);
  if (own.result !== undefined)
    body.report('main-malformed', own.result, `'main' of ${word} '${symbol.name}' must not have a return type`);
}

function checkAmbients(body: Body, decl: AppDecl | StageDecl): void {
  const { program, file } = body.context;
  const seen = new Set<string>();
  for (const member of decl.members) {
    if (member.kind !== 'AmbientItem' || member.name.text === '') continue;
    const { name } = member;
    if (seen.has(name.text)) body.report('ambient-duplicate', name, `duplicate ambient '${name.text}'`);
    seen.add(name.text);
    if (decl.deps.some(dep => dep.name.text === ambientName(name.text)))
      body.report(
        'ambient-conflict',
        name,
        `ambient '${name.text}' conflicts with existing dependency '${ambientName(name.text)}'`,
      );
    if (program.find(file, name.text, 'ClassDecl') === undefined)
      body.report('ambient-unknown', name, `ambient type '${name.text}' is not a known class`);
  }
}

function checkOverrides(body: Body, decl: AppDecl | StageDecl): void {
  const { program, file } = body.context;
  for (const member of decl.members) {
    if (member.kind !== 'LifecycleItem' || member.name.text === '') continue;
    const { name, lifecycle } = member;
    const target = program.find(file, name.text, 'ClassDecl');
    if (target === undefined)
      body.report('lifecycle-override', name, `lifecycle override: unknown class '${name.text}'`);
    else {
      const own = body.context.signatures.class(target).lifecycle;
      if (isShorter(own, lifecycle))
        body.report(
          'lifecycle-override',
          name,
          `cannot lengthen lifecycle of class '${name.text}' from ${own} to ${lifecycle}`,
        );
    }
  }
}

/** Dependencies of an app or stage live as long as the program, so their lifecycle must not be shortened. */
function checkDependencies(body: Body, decl: AppDecl | StageDecl, word: string): void {
  const declared = Lifecycles.declared(body.context.signatures);
  for (const dep of decl.deps) {
    const type = body.typeWithoutReport(dep.type);
    if (type.kind !== 'class') {
      if (type.kind !== 'unknown' && !(dep.isRemote && type.kind === 'trait'))
        body.report('dependency-unknown', dep.type, `type of dependency '${dep.name.text}' is not a known class`);
      continue;
    }
    const lifecycle = body.lifecycleOf(type.symbol);
    if (lifecycle !== declared.of(type.symbol))
      body.report(
        'lifecycle-override',
        dep,
        `${word} dependency '${dep.name.text}' has an overridden lifecycle (${lifecycle}): use scope blocks`,
      );
  }
}
