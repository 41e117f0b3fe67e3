import type { IncomingMessage } from 'node:http';
import { decodeMsgpack } from '../../protocol/msgpack/decode.ts';
import { MsgpackError } from '../../protocol/msgpack/msgpack-error.ts';
import { readBody } from '../http/body.ts';
import { RefusedRequest } from './reply.ts';

/** The part of a zod schema that is used here. */
interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/** Reads a request body and ignores its Content-Type, because plugins set none. @throws Refused */
export async function readMsgpackBody<T>(request: IncomingMessage, schema: Schema<T>): Promise<T> {
  const body = await readBody(request);
  if (!body.ok) throw new RefusedRequest(413, 'BadRequest', 'The body is too large.');
  const { buffer, byteOffset, byteLength } = body.value;
  try {
    // A plain Uint8Array, because `slice` of a Buffer does not copy.
    const parsed = schema.safeParse(decodeMsgpack(new Uint8Array(buffer, byteOffset, byteLength)));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new RefusedRequest(400, 'BadRequest', `Invalid body: ${issue?.path.map(String).join('.')} ${issue?.message}`);
  } catch (error) {
    if (error instanceof MsgpackError)
      throw new RefusedRequest(400, 'BadRequest', `The body is not valid msgpack: ${error.message}`);
    throw error;
  }
}
