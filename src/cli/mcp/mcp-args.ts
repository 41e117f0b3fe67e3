import { err, ok, type Result } from '../../base/result.ts';
import type { Toolset } from '../../mcp/tool.ts';
import type { Dialect } from '../../project/project-file/project-file.ts';
import { readDialect } from '../project-args.ts';
import { parseOptions } from '../run-command.ts';
import { readSettingArgs, type SettingValues } from '../setting-args.ts';
import { mcpSpec } from '../table/bridge-specs.ts';

export type McpArgs =
  /** Only the docs tools, without a project or a bridge, configured by environment variables. */
  | { readonly kind: 'docs' }
  /** Only the Pluto tools, for a folder. */
  | {
      readonly kind: 'pluto';
      readonly project: string;
      readonly isReadOnly: boolean;
      readonly settings: SettingValues;
    }
  /** The bridge that runs for the folder, or a new one. `toolset` undefined: all tools. */
  | {
      readonly kind: 'relay';
      readonly project: string;
      readonly toolset: Toolset | undefined;
      /** `undefined`: as the project file says. */
      readonly dialect: Dialect | undefined;
      readonly settings: SettingValues;
    }
  | { readonly kind: 'help' };

export function readMcpArgs(args: readonly string[]): Result<McpArgs, string> {
  const parsed = parseOptions(args, mcpSpec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  const [unexpected] = positionals;
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  if (values.help === true) return ok({ kind: 'help' });
  const { project } = values;
  const toolset = toolsets.find(one => one === values.toolset);
  if (toolset !== values.toolset) return err(`unknown toolset '${values.toolset}' (${toolsets.join(', ')})`);
  const dialect = readDialect(values.dialect);
  if (!dialect.ok) return dialect;
  const isReadOnly = values['read-only'] === true;
  const read = readSettingArgs(values.set);
  if (!read.ok) return read;
  const settings = read.value;
  const hasBridge = values.stdio !== true || !(toolset === 'pluto' || (toolset === 'docs' && project === undefined));
  if (!hasBridge && dialect.value !== undefined) return err('--dialect requires a bridge: omit --stdio');
  if (values.stdio === true && toolset === 'pluto')
    return ok({ kind: 'pluto', project: project ?? '.', isReadOnly, settings });
  if (isReadOnly) return err('--read-only requires --stdio --toolset pluto');
  if (values.stdio === true && toolset === 'docs' && project === undefined) return ok({ kind: 'docs' });
  return ok({ kind: 'relay', project: project ?? '.', toolset, dialect: dialect.value, settings });
}

const toolsets: readonly Toolset[] = ['sync', 'tests', 'docs', 'pluto'];
