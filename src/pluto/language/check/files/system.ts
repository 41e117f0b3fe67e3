import type { SystemDecl } from '../../syntax/ast/decl.ts';
import type { Name } from '../../syntax/ast/node.ts';
import type { ErrorsOf } from '../effects/effects.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Signatures } from '../program/signatures.ts';
import { bodyKey } from '../effects/call-site.ts';
import { ShapeComparison } from './shape.ts';
import type { AppSymbol, ClassSymbol } from '../types/type.ts';
import type { ReportInFile } from '../report/check-codes.ts';

/** A member of a system. */
interface Member {
  readonly name: Name;
  readonly app: AppSymbol;
  readonly served: readonly Service[];
}

interface Service {
  readonly symbol: ClassSymbol;
  /** Names of the errors that the member declares. */
  readonly errors: ReadonlySet<string>;
}

/** Checks that each member of a system has an app, and that another member serves each of its remote dependencies. */
export function checkSystem(
  signatures: Signatures,
  file: ProgramFile,
  servedIn: (file: ProgramFile) => readonly ClassSymbol[],
  errorsOf: ErrorsOf,
  report: ReportInFile,
): void {
  const system = file.items.find((item): item is SystemDecl => item.kind === 'SystemDecl');
  if (system === undefined) return;
  const main = Array.from(file.symbols.values()).find(({ kind, name }) => kind === 'FunctionDecl' && name === 'main');
  if (main !== undefined) report('system-main', main.decl, 'a system file must not contain a top-level main function');
  const members: Member[] = [];
  for (const { module } of system.members) {
    const imported = file.bindings.get(module.text);
    if (imported === undefined) {
      if (module.text !== '')
        report('system-module-missing', module, `module '${module.text}' is not imported in the system file`);
      continue;
    }
    const app = imported.files
      .flatMap(one => Array.from(one.symbols.values()))
      .find((symbol): symbol is AppSymbol => symbol.kind === 'AppDecl');
    if (app === undefined) report('system-app-missing', module, `module '${module.text}' does not contain an app`);
    else {
      const errors = errorsIn(imported.files);
      const served = imported.files.flatMap(servedIn).map(symbol => ({ symbol, errors }));
      members.push({ name: module, app, served });
    }
  }
  const served = members.flatMap(member => member.served);
  for (const { name, app } of members)
    for (const { type, isRemote } of signatures.app(app).fields.values())
      if (isRemote && type.kind === 'class') checkService(signatures, type.symbol, served, errorsOf, name, report);
}

/** Errors declared in files and their imports. */
function errorsIn(files: readonly ProgramFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  const imported = files.flatMap(file => Array.from(file.bindings.values()).flatMap(module => module.files));
  for (const file of [...files, ...imported])
    for (const { kind, name } of file.symbols.values()) if (kind === 'ErrorDecl') names.add(name);
  return names;
}

function checkService(
  signatures: Signatures,
  client: ClassSymbol,
  served: readonly Service[],
  errorsOf: ErrorsOf,
  site: Name,
  report: ReportInFile,
): void {
  const server = served.find(({ symbol }) => symbol.name === client.name);
  if (server === undefined)
    return report(
      'system-service-missing',
      site,
      `no member of the system serves it: '${client.name}', a remote dependency of '${site.text}'`,
    );
  const { methods } = signatures.class(server.symbol);
  for (const wanted of signatures.class(client).methods.values()) {
    const found = methods.get(wanted.name);
    const what = `method '${wanted.name}' of service '${client.name}'`;
    if (found === undefined) {
      report('system-service-mismatch', site, `${what}: the member that serves '${client.name}' does not provide it`);
      continue;
    }
    // One for each method: after a difference, a comparison assumes that the pair is equal.
    const shapes = new ShapeComparison(signatures);
    const isFit =
      found.params.length === wanted.params.length &&
      shapes.isSame(found.result, wanted.result) &&
      found.params.every((param, index) => shapes.isSame(param.type, wanted.params[index]?.type ?? param.type));
    if (!isFit) report('system-service-mismatch', site, `${what}: signature differs`);
    const declared = Array.from(errorsOf(bodyKey(wanted.id, [])));
    const raised = new Set(declared.map(error => error.name));
    const answered = new Set(Array.from(errorsOf(bodyKey(found.id, [])), error => error.name));
    for (const { name, file } of declared)
      if (!file.isEmbedded && !answered.has(name) && !server.errors.has(name))
        report('system-service-mismatch', site, `${what} can raise '${name}', but the server does not declare it`);
    for (const name of answered)
      if (!raised.has(name))
        report('system-service-mismatch', site, `${what} can raise '${name}', but the client does not declare it`);
  }
}
