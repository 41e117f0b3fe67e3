/** A question to another thread, and its answer under the same id. */
export interface Question {
  readonly id: number;
  /** Of the method that answers. */
  readonly name: string;
  /** Its one argument. */
  readonly args: unknown;
}

export type Reply =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** What can be asked from another thread: methods of one argument. */
export type RpcMethods<M> = { readonly [N in keyof M]: (args: never) => unknown };

/** Has the method answer that the question names; what it throws becomes words. */
export async function replyTo<M extends RpcMethods<M>>({ id, name, args }: Question, methods: M): Promise<Reply> {
  try {
    // Whoever asks knows the methods by the same type.
    const method: (args: never) => unknown = methods[name as keyof M];
    return { id, ok: true, answer: await method(args as never) };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
