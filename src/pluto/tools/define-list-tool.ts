import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import type { DefinedTool, ToolCall } from '../../mcp/tool.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { inLines, Summary } from './shapes.ts';

interface ListSpec<In extends z.ZodObject, Row extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: In;
  readonly row: Row;
  readonly list: (pluto: PlutoToolDeps['pluto'], args: z.output<In>, call: ToolCall) => Promise<z.output<Row>[]>;
  readonly summarize: (rows: readonly z.output<Row>[], args: z.output<In>) => string;
  /** One row for people. */
  readonly formatText: (row: z.output<Row>) => string;
}

/** Defines a tool that reads modules and answers with a list. */
export const defineListTool = <In extends z.ZodObject, Row extends z.ZodObject>({
  row,
  list,
  summarize,
  formatText,
  ...listing
}: ListSpec<In, Row>): DefinedTool<PlutoToolDeps> =>
  defineTool({
    ...listing,
    toolset: 'pluto',
    effect: 'read',
    output: z.object({ result: z.array(row), summary: Summary }),
    async run({ pluto }: PlutoToolDeps, args, call) {
      const result = await list(pluto, args, call);
      return { result, summary: summarize(result, args) };
    },
    formatText: ({ summary, result }) => inLines(summary, result.map(formatText)),
  });
