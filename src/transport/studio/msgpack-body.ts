import type { IncomingMessage } from 'node:http';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { decodeMsgpackPausable } from '../../protocol/msgpack/decode.ts';
import { BODY_LIMITS } from '../../protocol/limits.ts';
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

/** Reads a request body and ignores its Content-Type, because plugins set none. @throws RefusedRequest */
export async function readMsgpackBody<T>(request: IncomingMessage, schema: Schema<T>, slice: TimeSlice): Promise<T> {
  const body = await readBody(request, bytes => decodeInSlices(bytes, slice), slice);
  if (!body.ok) throw new RefusedRequest(413, 'BadRequest', 'The body is too large.');
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RefusedRequest(400, 'BadRequest', `Invalid body: ${issue?.path.map(String).join('.')} ${issue?.message}`);
}

async function decodeInSlices(bytes: Uint8Array, slice: TimeSlice): Promise<unknown> {
  try {
    return await runInSlices(decodeMsgpackPausable(bytes, BODY_LIMITS), slice);
  } catch (error) {
    if (error instanceof MsgpackError)
      throw new RefusedRequest(400, 'BadRequest', `The body is not valid msgpack: ${error.message}`);
    throw error;
  }
}
