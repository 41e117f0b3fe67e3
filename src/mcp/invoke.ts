import type * as z from 'zod';
import { AppError } from '../base/errors.ts';
import { parseArguments } from './parse-arguments.ts';
import { toolFailure, toolResult, type ToolResult } from './result.ts';
import type { ToolCall, ToolSpec } from './tool.ts';

/** Validates the arguments, runs the tool, and converts its output or failure to a result. Never rejects. */
export async function invoke<In extends z.ZodObject, Out extends z.ZodObject, Deps>(
  spec: ToolSpec<In, Out, Deps>,
  deps: Deps,
  rawArguments: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  const acts = spec.effect !== 'read';
  const refusal = spec.refuse?.(rawArguments);
  if (refusal !== undefined) return toolFailure(refusal, acts);
  const args = parseArguments(spec.input, rawArguments);
  const answer = (output: z.output<Out>): ToolResult =>
    toolResult(output, spec.formatText(output), spec.isError?.(output) ?? false);
  if (!args.ok) {
    const error = new AppError('INVALID_INPUT', { problems: args.error });
    return spec.answerInvalid === undefined
      ? toolFailure(error, acts)
      : answer(await spec.answerInvalid(deps, error, call));
  }
  try {
    return answer(await spec.run(deps, args.value, call));
  } catch (error) {
    const failure = AppError.from(error);
    if (failure.code === 'INTERNAL') call.onDefect?.(failure.cause ?? failure);
    return toolFailure(failure, acts);
  }
}
