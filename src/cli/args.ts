import { err, ok, type Result } from '../base/result.ts';
import { HTTP_LIMITS } from '../protocol/limits.ts';
import type { StudioDialect } from '../protocol/studio/messages.ts';
import { parseOptions } from './run-command.ts';

export type CliCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'serve';
      readonly folder: string;
      readonly port: number;
      /** The plugin that is greeted there. */
      readonly dialect: StudioDialect;
      /** A second port, for Rojo's plugin, where nothing was asked for but the usual ports. */
      readonly rojoPort: number | undefined;
      readonly json: boolean;
    }
  /** Has arguments of its own. */
  | {
      readonly kind: 'build' | 'headless' | 'mcp' | 'pluto' | 'sourcemap' | 'sync' | 'syncback';
      readonly args: readonly string[];
    };

/** Reads the arguments after the program's name; the error says what is wrong with them. */
export function readArgs(args: readonly string[]): Result<CliCommand, string> {
  const [first, ...rest] = args;
  switch (first) {
    case undefined:
      return err('a command is missing');
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
      return err(`there is no ${first.startsWith('-') ? 'option' : 'command'} ${first}`);
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
  if (values.help === true) return ok({ kind: 'help' });
  const [folder, surplus] = positionals;
  if (folder === undefined) return err('serve needs the project folder');
  if (surplus !== undefined) return err(`serve takes one folder; ${surplus} is one too many`);
  const { dialect = 'atlas' } = values;
  if (dialect !== 'atlas' && dialect !== 'rojo') return err(`${dialect} is no dialect; a dialect is atlas or rojo`);
  const port = values.port ?? String(dialect === 'rojo' ? HTTP_LIMITS.rojoPort : HTTP_LIMITS.defaultPort);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return err(`${port} is no port; a port is 0 to 65535`);
  const isUsual = values.port === undefined && values.dialect === undefined;
  const rojoPort = isUsual ? HTTP_LIMITS.rojoPort : undefined;
  return ok({ kind: 'serve', folder, port: Number(port), dialect, rojoPort, json: values.json === true });
}
