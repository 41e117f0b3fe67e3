import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../../base/result.ts';
import type { Toolset } from '../../mcp/tool.ts';

export type McpWish =
  /** The docs tools by themselves: no project, no bridge, configured by environment variables alone. */
  | { readonly kind: 'docs' }
  /** The Pluto tools by themselves, over a folder. */
  | { readonly kind: 'pluto'; readonly project: string; readonly isReadOnly: boolean }
  /** Whatever bridge runs for the folder, or one of its own. `toolset` undefined: all. */
  | { readonly kind: 'relay'; readonly project: string; readonly toolset: Toolset | undefined }
  | { readonly kind: 'help' };

export function readMcpArgs(args: readonly string[]): Result<McpWish, string> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        stdio: { type: 'boolean' },
        toolset: { type: 'string' },
        project: { type: 'string' },
        'read-only': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return ok({ kind: 'help' });
    const { project } = values;
    const toolset = toolsets.find(one => one === values.toolset);
    if (toolset !== values.toolset)
      return err(`there is no toolset ${values.toolset}; there are ${toolsets.join(', ')}`);
    const isReadOnly = values['read-only'] === true;
    if (values.stdio === true && toolset === 'pluto') return ok({ kind: 'pluto', project: project ?? '.', isReadOnly });
    if (isReadOnly) return err('--read-only goes with --stdio --toolset pluto');
    if (values.stdio === true && toolset === 'docs' && project === undefined) return ok({ kind: 'docs' });
    return ok({ kind: 'relay', project: project ?? '.', toolset });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

const toolsets: readonly Toolset[] = ['sync', 'docs', 'pluto'];
