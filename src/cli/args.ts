import { err, ok, type Result } from '../base/result.ts';
import { HTTP_LIMITS } from '../protocol/limits.ts';
import type { StudioDialect } from '../protocol/studio/messages.ts';
import { parseOptions } from './run-command.ts';

export type CliCommand =
  | { readonly kind: 'help'; readonly command?: 'serve' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'serve';
      readonly folder: string;
      readonly port: number;
      /** Dialect of the Studio plugin on `port`. */
      readonly dialect: StudioDialect;
      /** Second port, for the Rojo plugin; only without `--port` and `--dialect`. */
      readonly rojoPort: number | undefined;
      readonly json: boolean;
    }
  /** Commands that read their own arguments. */
  | {
      readonly kind: 'build' | 'headless' | 'mcp' | 'pluto' | 'sourcemap' | 'sync' | 'syncback';
      readonly args: readonly string[];
    };

/** Reads the arguments after the program name. */
export function readArgs(args: readonly string[]): Result<CliCommand, string> {
  const [first, ...rest] = args;
  switch (first) {
    case undefined:
      return err('a command is required');
    case '-h':
    case '--help':
      return ok({ kind: 'help' });
    case 'help':
      return rest[0] === undefined ? ok({ kind: 'help' }) : readArgs([rest[0], '--help']);
    case '-v':
    case '--version':
      return ok({ kind: 'version' });
    case 'serve':
      return readServe(rest);
    case 'build':
    case 'headless':
    case 'mcp':
    case 'pluto':
    case 'sourcemap':
    case 'sync':
    case 'syncback':
      return ok({ kind: first, args: rest });
    default:
      return err(`unknown ${first.startsWith('-') ? 'option' : 'command'} '${first}'`);
  }
}

function readServe(args: readonly string[]): Result<CliCommand, string> {
  const parsed = parseOptions(args, {
    port: { type: 'string' },
    dialect: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok({ kind: 'help', command: 'serve' });
  const [folder, unexpected] = positionals;
  if (folder === undefined) return err('serve requires a project folder');
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  const { dialect = 'atlas' } = values;
  if (dialect !== 'atlas' && dialect !== 'rojo') return err(`unknown dialect '${dialect}' (atlas or rojo)`);
  const port = values.port ?? String(dialect === 'rojo' ? HTTP_LIMITS.rojoPort : HTTP_LIMITS.defaultPort);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return err(`invalid port '${port}' (0–65535)`);
  const hasDefaultPorts = values.port === undefined && values.dialect === undefined;
  const rojoPort = hasDefaultPorts ? HTTP_LIMITS.rojoPort : undefined;
  return ok({ kind: 'serve', folder, port: Number(port), dialect, rojoPort, json: values.json === true });
}
