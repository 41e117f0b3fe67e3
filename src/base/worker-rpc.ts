import { describeCause } from './describe-cause.ts';

/** A request to another thread. The reply has the same id. */
export interface RpcRequest {
  readonly id: number;
  /** The name of the method. */
  readonly name: string;
  /** The only argument of the method. */
  readonly args: unknown;
}

export type RpcReply =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly stack?: string };

/** The failure of a method in another thread. Its stack, which only the log shows, is that of the thread. */
export function failureOf({ message, stack }: RpcReply & { readonly ok: false }): Error {
  const failure = new Error(message);
  if (stack !== undefined) failure.stack = stack;
  return failure;
}

/** Methods that another thread can call. Each has one argument. */
export type RpcMethods<M> = { readonly [N in keyof M]: (args: never) => unknown };

/** Calls the requested method and returns its reply. An exception becomes a reply with a message. */
export async function handleRpcRequest<M extends RpcMethods<M>>(
  { id, name, args }: RpcRequest,
  methods: M,
): Promise<RpcReply> {
  try {
    // The caller derives the name from the same type.
    const method: (args: never) => unknown = methods[name as keyof M];
    return { id, ok: true, answer: await method(args as never) };
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    return { id, ok: false, message: describeCause(error), ...(stack === undefined ? {} : { stack }) };
  }
}
