/** The reason why bytes are not a readable container. No part of such a file is used. */
export interface ContainerProblem {
  readonly code:
    | 'not_a_container'
    | 'unsupported_version'
    | 'truncated'
    | 'hash_mismatch'
    | 'table_malformed'
    | 'section_missing'
    | 'section_duplicate'
    | 'section_unknown'
    | 'meta_malformed'
    | 'text_malformed'
    | 'outline_malformed'
    | 'outline_disagrees'
    | 'id_duplicate';
  /** Completes a sentence that starts with the file. */
  readonly reason: string;
}
