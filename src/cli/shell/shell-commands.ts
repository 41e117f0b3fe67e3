import { err, ok } from '../../base/result.ts';
import { type CliIo, exitCodes } from '../io.ts';
import { parseOptions, readOnlyJson, runCommand } from '../run-command.ts';
import { commandTable } from '../table/command-table.ts';
import { completionsSpec, manSpec } from '../table/tool-specs.ts';
import { renderCompletions, shells } from './render-completions.ts';
import { renderManPage } from './render-man-page.ts';

/** `atlas-bridge completions`. Resolves with the exit code. */
export function runCompletions(args: readonly string[], io: CliIo): Promise<number> {
  const read = (args: readonly string[]) => {
    const parsed = parseOptions(args, completionsSpec);
    if (!parsed.ok) return parsed;
    const { values, positionals } = parsed.value;
    if (values.help === true) return ok('help' as const);
    const [name, unexpected] = positionals;
    if (name === undefined) return err('completions requires a shell');
    const shell = shells.find(one => one === name);
    if (shell === undefined) return err(`unknown shell '${name}' (${shells.join(', ')})`);
    if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
    return ok({ shell, json: values.json === true });
  };
  return runCommand({ spec: completionsSpec, read }, args, io, async ({ shell, json }) => {
    const script = renderCompletions(shell, commandTable);
    io.out(json ? JSON.stringify({ ok: true, shell, script }) : script.trimEnd(), 'data');
    return exitCodes.done;
  });
}

/** `atlas-bridge man`. Resolves with the exit code. */
export function runMan(args: readonly string[], io: CliIo): Promise<number> {
  const read = (args: readonly string[]) => readOnlyJson(args, manSpec);
  return runCommand({ spec: manSpec, read }, args, io, async ({ json }) => {
    const page = renderManPage(commandTable, io.version);
    io.out(json ? JSON.stringify({ ok: true, page }) : page.trimEnd(), 'data');
    return exitCodes.done;
  });
}
