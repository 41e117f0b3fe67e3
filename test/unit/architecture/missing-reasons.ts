/** Lines that switch a check or a test off without a reason beside it. */
export const findMissingReasons = (text: string): readonly string[] =>
  text.split('\n').filter(line => {
    const disabled = /(?:ox|es)lint-disable(?:-next-line|-line)?\b(?<rest>.*)/.exec(line)?.groups?.['rest'];
    if (disabled !== undefined) return !/ -- \w+ \w+/.test(disabled);
    const skipped = /\bskip(?::| =)(?<condition>[^,}]*)/.exec(line)?.groups?.['condition'];
    return skipped !== undefined && /\btrue\b|[!=<>]==?|^\s*!/.test(skipped) && !/(?:&&|\?)\s*['"`]/.test(skipped);
  });
