import type { Logger } from '../../src/ports/logger.ts';

/** A logger that collects its lines. */
export function memoryLog(lines: string[] = []): Logger & { readonly lines: string[] } {
  const add = (level: string) => (message: string, fields?: unknown) =>
    void lines.push(`${level} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`);
  return {
    lines,
    debug: add('debug'),
    info: add('info'),
    warn: add('warn'),
    error: (message, cause) => add('error')(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`),
    child: () => memoryLog(lines),
  };
}
