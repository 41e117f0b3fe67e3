export type MsgpackErrorCode =
  | 'truncated'
  | 'trailing_bytes'
  | 'too_large'
  | 'too_deep'
  | 'too_many'
  | 'bad_key'
  | 'bad_type'
  | 'unsupported';

const sentences: { readonly [C in MsgpackErrorCode]: string } = {
  truncated: 'the message ends in the middle of a value',
  trailing_bytes: 'there are bytes after the value',
  too_large: 'the message is too large',
  too_deep: 'the values are nested too deeply',
  too_many: 'the message contains too many values',
  bad_key: 'a map has a key that is not allowed',
  bad_type: 'unsupported type byte',
  unsupported: 'the value cannot be encoded',
};

/** Invalid msgpack bytes, or a value that cannot be encoded. `offset` is the byte offset in the message. */
export class MsgpackError extends Error {
  readonly code: MsgpackErrorCode;
  readonly offset: number;

  constructor(code: MsgpackErrorCode, offset: number, detail?: string) {
    super(`msgpack: ${sentences[code]}${detail === undefined ? '' : ` (${detail})`} at byte ${offset}`);
    this.name = 'MsgpackError';
    this.code = code;
    this.offset = offset;
  }
}
